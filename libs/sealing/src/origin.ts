import type { LedgerStore } from '#event-store';
import { parseCheckpoint, parseNote } from '#seal';
import type { FoundCheckpoint } from './seal-reader.js';

/** The ending of the origin of a log that goes on from a restored backup. */
const RESTORED = '/restored/';
const RESTORE_DIGITS = 8;

/**
 * The origin of the next checkpoint: that of the last one, also in another store. Behind a restore it is another log,
 * since a witness may hold a checkpoint of events that the backup has not.
 *
 * @param host begins the origin of a ledger that has no checkpoint yet.
 * @throws Fault of the store.
 */
export async function chooseOrigin(
  { namespaces }: Pick<LedgerStore, 'namespaces'>,
  last: FoundCheckpoint | undefined,
  host: string,
): Promise<string> {
  if (last === undefined) return `${host}/ledger/${(await namespaces.require()).storeId}`;
  const { origin } = parseCheckpoint(parseNote(last.checkpoint.note).text);
  const restoreId = await namespaces.findRestoreAfter(last.position);
  if (restoreId === undefined) return origin;
  const [before = origin] = origin.split(RESTORED);
  return `${before}${RESTORED}${restoreId.slice(0, RESTORE_DIGITS)}`;
}
