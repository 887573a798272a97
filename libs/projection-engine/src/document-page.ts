import { assertDefect } from '#platform';
import type { IndexName } from '#projections';
import { loadScript, type Redis } from '#redis';
import { assertLive, decodeCheckpoint } from './checkpoint.js';
import { decodeDocument, type Document } from './document.js';
import type { PartitionKeys } from './keys.js';

export interface DocumentPageOptions {
  /** The most documents of the page. */
  readonly limit: number;
  /** The `nextAfter` of the page before; without it, the first page. */
  readonly after?: string | undefined;
}

export interface DocumentPage<State> {
  /** Newest first: by creation, then id. */
  readonly documents: readonly Document<State>[];
  /**
   * Where the next page goes on; undefined on the last. It names the last document of this page and
   * no offset, so that what arrives meanwhile neither repeats nor hides anything.
   */
  readonly nextAfter: string | undefined;
}

interface ListQuery extends DocumentPageOptions {
  readonly projection: string;
  readonly index: IndexName;
}

interface Entry {
  readonly member: string;
  readonly document: string;
}

const pageOfDocuments = loadScript(new URL('./lua/page-of-documents-2.lua', import.meta.url));

/** A page of a list whose parts lie in these partitions. @throws Fault `unavailable`. */
export async function readPage<State>(
  redis: Redis,
  partitions: readonly PartitionKeys[],
  query: ListQuery,
): Promise<DocumentPage<State>> {
  const parts = await Promise.all(
    partitions.map((partition) => readPartition(redis, partition, query)),
  );
  const entries = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(byMemberDescending);
  const shown = entries.slice(0, query.limit);
  return {
    documents: shown.map(({ document }) => decodeDocument<State>(document)),
    nextAfter: entries.length > query.limit ? shown.at(-1)?.member : undefined,
  };
}

async function readPartition(
  redis: Redis,
  partition: PartitionKeys,
  query: ListQuery,
): Promise<Entry[]> {
  const { after, limit, projection, index } = query;
  const highest = after === undefined ? '+' : `(${after}`;
  const args = [highest, String(limit + 1), partition.document(projection, '')];
  const reply = await pageOfDocuments(redis, [partition.checkpoint, partition.index(index)], args);
  // The script's header says what it answers.
  const [checkpoint, ...flat] = reply as (string | null)[];
  assertLive(decodeCheckpoint(checkpoint));
  const entries: Entry[] = [];
  for (let at = 0; at < flat.length; at += 2) {
    const member = flat[at];
    const document = flat[at + 1];
    assertDefect(
      typeof member === 'string' && typeof document === 'string',
      'a list names a lost document',
    );
    entries.push({ member, document });
  }
  return entries;
}

function byMemberDescending(left: Entry, right: Entry): number {
  if (left.member === right.member) return 0;
  return left.member < right.member ? 1 : -1;
}
