import type { RecordedEvent } from '#domain/event';
import { type EventStore, eventOfNoApp, limitStream } from '#event-store';
import { assertDefect } from '#platform';
import {
  type Backup,
  type BackupRecord,
  DELIVERY_CHECKPOINT_RECORDED,
  foldRecords,
} from './backup.js';

export interface FoundBackup {
  /** Undefined when none was ever written. */
  readonly backup: Backup | undefined;
  /** Of the stream's last record; -1 when there is none. */
  readonly revision: number;
}

/** Records that the store keeps: those between two wholes, and a whole of some millions of things. */
const BACKUP_RECORDS_KEPT = 4_000;

/** @param layoutId the division that the partition is one of: others have other ranges. */
export function backupStream(layoutId: string, partition: number): string {
  return `delivery_checkpoint-${layoutId}.${partition}`;
}

/**
 * The backup that a stream tells, from its last whole on.
 *
 * @throws Fault of the store; `undecodable` where a newer release wrote records that this one cannot read.
 */
export async function readBackup(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<FoundBackup> {
  const records: BackupRecord[] = [];
  let revision = -1;
  let pagesLeft: number | undefined;
  for await (const event of store.readStream(stream, { backwards: true })) {
    revision = Math.max(revision, event.revision);
    const record = parseRecord(event);
    records.unshift(record);
    if (pagesLeft !== undefined) pagesLeft -= 1;
    else if (record.scope === 'whole') pagesLeft = record.pagesBefore;
    if (pagesLeft === 0) return { backup: foldRecords(records), revision };
  }
  // Pages of a first whole that was never finished tell nothing yet.
  return { backup: undefined, revision };
}

/** Records that follow those of a stream. */
export interface RecordsToAppend {
  /** Of the stream's last record; -1 when there is none. */
  readonly revision: number;
  readonly records: readonly BackupRecord[];
  /** Who writes them, such as `process:back_up_checkpoint`. */
  readonly actor: string;
}

/**
 * Appends records to a stream. The first ones limit how many the store keeps: one a second would fill it.
 *
 * @returns the revision of the last record.
 * @throws RevisionConflict when another process has written since; Fault of the store.
 */
export async function appendRecords(
  store: Pick<EventStore, 'append'>,
  stream: string,
  { revision, records, actor }: RecordsToAppend,
): Promise<number> {
  if (revision === -1) await limitStream(store, stream, BACKUP_RECORDS_KEPT, actor);
  let at = revision;
  // Not all in one act: the pages of a large whole are more than the store takes at a time.
  for (const record of records) {
    const event = eventOfNoApp(actor, DELIVERY_CHECKPOINT_RECORDED, record);
    const expected = at === -1 ? 'no_stream' : at;
    at = (await store.append(stream, expected, [event])).revision;
  }
  return at;
}

function parseRecord({ type, data }: RecordedEvent): BackupRecord {
  // Only a worker writes to the stream; what a record must have is checked all the same.
  const record = data as BackupRecord;
  const isRecord = type === DELIVERY_CHECKPOINT_RECORDED && typeof record.position === 'string';
  assertDefect(isRecord, `a ${type} that is no record of a backup`);
  return record;
}
