import { statSync } from 'node:fs';
import { EventStoreStartRefused } from '../failures.js';
import { type ProgressBar, showCopying } from '../progress-bar.js';
import { ensureWritable, inspectDirectory, writeFormat } from '../storage/data-directory.js';
import { lockDirectory } from '../storage/directory-lock.js';
import { LogStore } from '../storage/log-store.js';
import { verifyFile } from '../verify/verify-store.js';
import {
  type BackupContent,
  beginDraft,
  finishDraft,
  isBackup,
  listOthers,
  syncFile,
  writeBackupContent,
} from './backup-directory.js';

/**
 * Copies the events of a store, which may be running, as they are at one moment, and reads all of the copy
 * (rules/storage 9). Every event that was acknowledged before the call is in it.
 *
 * @throws EventStoreStartRefused where there is no store, or the target is in use for something else;
 *   StoreDamaged where the copy is damaged, as the store is then.
 */
export async function takeBackup(
  dataDir: string,
  target: string,
  bar: ProgressBar,
): Promise<BackupContent> {
  const { eventsFile, isNew } = inspectDirectory(dataDir);
  if (isNew || isBackup(dataDir)) {
    throw new EventStoreStartRefused(`There is no event store in ${dataDir}: see --data-dir.`);
  }
  ensureWritable(target);
  const unlock = lockDirectory(target);
  try {
    return await copyInto(target, eventsFile, bar);
  } finally {
    unlock();
  }
}

async function copyInto(target: string, eventsFile: string, bar: ProgressBar) {
  const [other] = listOthers(target);
  if (other !== undefined) {
    throw new EventStoreStartRefused(
      `The directory ${target} is not empty (${other}): give each backup a directory of its own.`,
    );
  }
  const draft = beginDraft(target);
  const file = statSync(eventsFile).ino;
  const takenAt = new Date().toISOString();
  try {
    await showCopying(bar, { from: eventsFile, to: draft }, () => copyEvents(eventsFile, draft));
  } finally {
    requireSameFile(eventsFile, file);
  }
  syncFile(draft);
  const { events, streams } = await verifyFile(draft, bar);
  const content = { takenAt, events, streams };
  writeBackupContent(target, content);
  writeFormat(target);
  finishDraft(target);
  return content;
}

/** A store that was scavenged is overwritten, and may have been while it was read. */
function requireSameFile(eventsFile: string, file: number): void {
  if (statSync(eventsFile).ino === file) return;
  throw new EventStoreStartRefused('The store was scavenged meanwhile: begin the backup anew.');
}

async function copyEvents(eventsFile: string, draft: string): Promise<void> {
  const store = new LogStore(eventsFile, undefined, { readOnly: true });
  try {
    await store.copyTo(draft);
  } finally {
    await store.close();
  }
}
