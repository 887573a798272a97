import type { RecordedEvent } from '#domain/event';
import { type EventStore, eventOfNoApp, limitStream, Partitions } from '#event-store';
import { assertDefect, forEachConcurrently } from '#platform';
import {
  type Backup,
  type BackupPage,
  DELIVERY_CHECKPOINT_RECORDED,
  fromPages,
  toPages,
} from './backup.js';
import { nameNewest } from './exhausted.js';
import { isUpTo } from './in-flight.js';

export interface FoundBackup {
  /** Undefined when none was ever written. */
  readonly backup: Backup | undefined;
  /** Of the stream's last page; -1 when there is none. */
  readonly revision: number;
}

/** Pages that the store keeps: a backup of some millions of things, and the one that is being written. */
const PAGES_KEPT = 4_000;

/** Each is the last pages of two streams. */
const PARTITIONS_AT_ONCE = 4;

/** @param layoutId the division that the partition is one of: others have other ranges. */
export function backupStream(layoutId: string, partition: number): string {
  return `delivery_checkpoint-${layoutId}.${partition}`;
}

/**
 * Beside a backup stands the list of deliveries that were given up, in the same form. It is long and changes little:
 * a backup names only those that are not in the list yet.
 */
export function exhaustedStream(stream: string): string {
  return `${stream}.exhausted`;
}

/**
 * The last backup of a stream, with all deliveries that were given up.
 *
 * @throws Fault of the store; `undecodable` where a newer release wrote pages that this one cannot read.
 */
export async function readBackup(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<FoundBackup> {
  const found = await readPages(store, stream);
  if (found.backup === undefined) return found;
  const { backup: list } = await readPages(store, exhaustedStream(stream));
  // Deliveries that were given up behind the position are delivered again anyway.
  const listed = list?.exhausted.filter(isUpTo(found.backup.position)) ?? [];
  const exhausted = nameNewest([...listed, ...found.backup.exhausted]);
  const ended = new Set(exhausted.map(({ member }) => member));
  const inFlight = found.backup.inFlight.filter(({ member }) => !ended.has(member));
  return { ...found, backup: { ...found.backup, inFlight, exhausted } };
}

/** Those of all partitions of a division, in the order of these. @throws as `readBackup`. */
export async function readBackups(
  store: Pick<EventStore, 'readStream'>,
  { layoutId, partitions }: { readonly layoutId: string; readonly partitions: number },
): Promise<(Backup | undefined)[]> {
  const backups: (Backup | undefined)[] = [];
  const { numbers } = new Partitions(partitions);
  await forEachConcurrently(numbers, PARTITIONS_AT_ONCE, async (partition) => {
    const { backup } = await readBackup(store, backupStream(layoutId, partition));
    backups[partition] = backup;
  });
  return backups;
}

/** The last backup as its own pages have it. @throws as `readBackup`. */
export async function readPages(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<FoundBackup> {
  const pages: BackupPage[] = [];
  let revision = -1;
  for await (const event of store.readStream(stream, { backwards: true })) {
    revision = Math.max(revision, event.revision);
    const page = parsePage(event);
    // The writer of a backup without its last page was interrupted.
    if (pages.length === 0 && page.page < page.pages - 1) continue;
    pages.push(page);
    if (page.page === 0) return { backup: fromPages(pages.reverse()), revision };
  }
  return { backup: undefined, revision };
}

/** A backup that follows those of a stream. */
export interface BackupToAppend {
  /** Of the stream's last page; -1 when there is none. */
  readonly revision: number;
  readonly backup: Backup;
  /** The writer, such as `process:back_up_checkpoint`. */
  readonly actor: string;
}

/**
 * Appends a backup to a stream. The first one limits how many pages the store keeps.
 *
 * @returns the revision of the last page.
 * @throws RevisionConflict when another process has written since; Fault of the store.
 */
export async function appendBackup(
  store: Pick<EventStore, 'append'>,
  stream: string,
  { revision, backup, actor }: BackupToAppend,
): Promise<number> {
  if (revision === -1) await limitStream(store, stream, PAGES_KEPT, actor);
  let at = revision;
  // Not all in one act: all pages are more than the store takes at a time.
  for (const page of toPages(backup)) {
    const event = eventOfNoApp(actor, DELIVERY_CHECKPOINT_RECORDED, page);
    const expected = at === -1 ? 'no_stream' : at;
    at = (await store.append(stream, expected, [event])).revision;
  }
  return at;
}

function parsePage({ type, data }: RecordedEvent): BackupPage {
  // Only a worker writes to the stream; a page's required fields are checked all the same.
  const page = data as BackupPage;
  const isPage = type === DELIVERY_CHECKPOINT_RECORDED && Number.isInteger(page.pages);
  assertDefect(isPage, `a ${type} that is no page of a backup`);
  return page;
}
