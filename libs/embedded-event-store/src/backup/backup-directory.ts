import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { EventStoreStartRefused } from '../failures.js';
import { errorCode, EVENTS_FILE } from '../storage/data-directory.js';
import { LOCK_FILE } from '../storage/directory-lock.js';
import { syncDirectory, writeDurably } from '../storage/durable-file.js';
import { isAbsent } from '../storage/events-file.js';

/** Marks a directory as a finished backup, and describes its content. */
const BACKUP_FILE = 'backup.json';
/** The events while they are copied; the last act gives them their name. */
const DRAFT = `${EVENTS_FILE}.unfinished`;
/** The files beside a draft that a crash has left. */
const LEFTOVERS = /^(?:backup|format)\.json(?:\.new)?$/;

/** The content of a backup. */
export interface BackupContent {
  readonly takenAt: string;
  readonly events: number;
  readonly streams: number;
}

export function isBackup(directory: string): boolean {
  return existsSync(path.join(directory, BACKUP_FILE));
}

/** @throws EventStoreStartRefused where the directory is no finished backup. */
export function readBackupContent(directory: string): BackupContent {
  try {
    // Only `writeBackupContent` writes this file.
    const content = JSON.parse(
      readFileSync(path.join(directory, BACKUP_FILE), 'utf8'),
    ) as BackupContent;
    if (hasEvents(directory) && !hasDraft(directory)) return content;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
  }
  throw new EventStoreStartRefused(
    `There is no finished backup in ${directory}: "npm run event-store -- backup DIR" makes one.`,
  );
}

export function writeBackupContent(directory: string, content: BackupContent): void {
  writeDurably(path.join(directory, BACKUP_FILE), `${JSON.stringify(content)}\n`);
}

/** The files beside those of an unfinished backup, which is begun anew. */
export function listOthers(directory: string): string[] {
  const isUnfinished = hasDraft(directory) && !hasEvents(directory);
  return readdirSync(directory).filter((name) => {
    if (name.startsWith(DRAFT) || name.startsWith(LOCK_FILE)) return false;
    return !isUnfinished || !LEFTOVERS.test(name);
  });
}

/** Whether a restore into this directory, or a backup, was interrupted. */
export function hasDraft(directory: string): boolean {
  return existsSync(path.join(directory, DRAFT));
}

export function hasEvents(directory: string): boolean {
  return !isAbsent(path.join(directory, EVENTS_FILE));
}

/** The file for the events while they are copied; that of an earlier attempt is gone. */
export function beginDraft(directory: string): string {
  const draft = path.join(directory, DRAFT);
  for (const file of [draft, nameLock(draft)]) rmSync(file, { force: true });
  return draft;
}

/** The copied bytes are on disk from then on. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives the events their name. After a crash they have it, or the attempt is an unfinished one. */
export function finishDraft(directory: string): void {
  const draft = path.join(directory, DRAFT);
  for (const file of [draft, path.join(directory, EVENTS_FILE)]) {
    rmSync(nameLock(file), { force: true });
  }
  renameSync(draft, path.join(directory, EVENTS_FILE));
  syncDirectory(directory);
}

/** lmdb's own, made anew by whatever opens the file. */
function nameLock(file: string): string {
  return `${file}-lock`;
}
