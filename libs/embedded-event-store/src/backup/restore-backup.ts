import { randomUUID } from 'node:crypto';
import { chmod, copyFile } from 'node:fs/promises';
import { ANY } from '../append/expected-revision.js';
import { EventLog } from '../event-log.js';
import { EventStoreStartRefused, StoreDamaged } from '../failures.js';
import { type ProgressBar, showCopying } from '../progress-bar.js';
import {
  ensureWritable,
  holdsStore,
  inspectDirectory,
  writeFormat,
} from '../storage/data-directory.js';
import { lockDirectory } from '../storage/directory-lock.js';
import { OWNER_ONLY } from '../storage/durable-file.js';
import { LogStore } from '../storage/log-store.js';
import { uuidFromText } from '../uuid.js';
import { verifyFile } from '../verify/verify-store.js';
import {
  type BackupContent,
  beginDraft,
  finishDraft,
  hasDraft,
  hasEvents,
  readBackupContent,
  syncFile,
} from './backup-directory.js';

/**
 * Ledgers look here for their identity and division; they divide themselves anew after this event (rules/storage 9).
 */
const LEDGERS_STREAM = 'subledger-namespaces';
const STORE_RESTORED = 'store.restored.v1';

/**
 * Makes a store of a backup, in a directory that holds none, and reads all of it. The store's last event says
 * that it was restored. An attempt that was interrupted is begun anew by the next one.
 *
 * @throws EventStoreStartRefused where there is no finished backup, or the directory is in use or holds a store;
 *   StoreDamaged where the backup is damaged.
 */
export async function restoreBackup(
  backup: string,
  dataDir: string,
  bar: ProgressBar,
): Promise<BackupContent> {
  const content = readBackupContent(backup);
  const { eventsFile } = inspectDirectory(backup);
  ensureWritable(dataDir);
  const unlock = lockDirectory(dataDir);
  try {
    // An interrupted restore has a draft, and no events under their own name yet.
    if (hasEvents(dataDir) || (holdsStore(dataDir) && !hasDraft(dataDir))) {
      throw new EventStoreStartRefused(
        `The directory ${dataDir} holds an event store: move it away, or name another --data-dir.`,
      );
    }
    const draft = beginDraft(dataDir);
    await showCopying(bar, { from: eventsFile, to: draft }, () => copyFile(eventsFile, draft));
    // The copy has the rights of its original, which may be for reading alone.
    await chmod(draft, OWNER_ONLY);
    await requireSame(draft, content, bar);
    await noteRestore(draft);
    syncFile(draft);
    writeFormat(dataDir);
    finishDraft(dataDir);
    return content;
  } finally {
    unlock();
  }
}

async function requireSame(draft: string, content: BackupContent, bar: ProgressBar): Promise<void> {
  const { events } = await verifyFile(draft, bar);
  if (events === content.events) return;
  const what = `it has ${events} events and should have ${content.events}`;
  throw new StoreDamaged(`The backup is damaged: ${what}. Restore another one.`, what);
}

async function noteRestore(draft: string): Promise<void> {
  let failure: Error | undefined;
  const log = new EventLog(new LogStore(draft), (error) => (failure = error));
  try {
    const [restoreId, occurredAt] = [randomUUID(), new Date().toISOString()];
    const metadata = { $correlationId: restoreId, actor: 'process:restore', appId: '', occurredAt };
    await log.appender.append(LEDGERS_STREAM, ANY, [
      {
        id: uuidFromText(randomUUID()),
        type: STORE_RESTORED,
        isJson: true,
        metadata: Buffer.from(JSON.stringify(metadata)),
        data: Buffer.from(JSON.stringify({ restoreId })),
      },
    ]);
  } finally {
    await log.close();
  }
  if (failure !== undefined) throw failure;
}
