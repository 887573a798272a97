/**
 * The rules of expected revisions and idempotency (rules/protocol 3), as one pure function: the permission of an
 * append, by the history of its stream.
 */

/** EventStoreDB's numbers for expectations that are not a revision. */
export const ANY = -2;
export const NO_STREAM = -1;
export const STREAM_EXISTS = -4;

export interface StoredAt {
  readonly revision: number;
  readonly position: number;
}

/** The history of a stream for the rules; appends that are not yet on disk count. */
export interface StreamHistory {
  /** -1 when the stream has no event. */
  readonly lastRevision: number;
  readonly isTombstoned: boolean;
  isSoftDeleted(): boolean;
  hasMetadata(): boolean;
  /** The place of a recent event with this id in this stream. */
  recent(id: Buffer): StoredAt | undefined;
  /** The event at this revision if it has this id. */
  storedWithId(revision: number, id: Buffer): StoredAt | undefined;
}

export type AppendDecision =
  | { readonly kind: 'write' }
  | { readonly kind: 'idempotent'; readonly last: StoredAt }
  | { readonly kind: 'wrong-version' }
  | { readonly kind: 'stream-deleted' };

const WRITE: AppendDecision = { kind: 'write' };
const WRONG_VERSION: AppendDecision = { kind: 'wrong-version' };
const STREAM_DELETED: AppendDecision = { kind: 'stream-deleted' };

/** Decides about an append of events with `ids` to a stream at `expected`. */
export function decideAppend(
  stream: StreamHistory,
  expected: number,
  ids: readonly Buffer[],
): AppendDecision {
  if (stream.isTombstoned) return STREAM_DELETED;
  if (expected === STREAM_EXISTS) {
    if (stream.isSoftDeleted()) return STREAM_DELETED;
    if (stream.lastRevision < 0 && !stream.hasMetadata()) return WRONG_VERSION;
  }
  if (expected === ANY || expected === STREAM_EXISTS) return decideByRecentIds(stream, ids);
  if (expected < stream.lastRevision) return decideByStoredIds(stream, expected, ids);
  return expected === stream.lastRevision ? WRITE : WRONG_VERSION;
}

function decideByRecentIds(stream: StreamHistory, ids: readonly Buffer[]): AppendDecision {
  let last: StoredAt | undefined;
  for (const id of ids) {
    const found = stream.recent(id);
    if (!found) return last ? WRONG_VERSION : WRITE;
    last = found;
  }
  return last ? { kind: 'idempotent', last } : WRITE;
}

function decideByStoredIds(
  stream: StreamHistory,
  expected: number,
  ids: readonly Buffer[],
): AppendDecision {
  let last: StoredAt | undefined;
  for (const [offset, id] of ids.entries()) {
    const found = stream.storedWithId(expected + 1 + offset, id);
    if (found) {
      last = found;
      continue;
    }
    const recreates = !last && expected === NO_STREAM && stream.isSoftDeleted();
    return recreates ? WRITE : WRONG_VERSION;
  }
  return last ? { kind: 'idempotent', last } : WRONG_VERSION;
}
