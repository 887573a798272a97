import { forEachConcurrently } from '#platform';
import type { IndexName } from '#projection-engine/define';
import { type Redis, walk, walkKeys } from '#redis';
import { AT_ONCE } from './at-once.js';
import type { CheckedGeneration } from './generation.js';

/** Entries of Redis read in one step: others are answered between two steps. */
const STEP = 1_000;

/** All documents of a generation, in steps; one that changes meanwhile may come twice. @throws Fault of Redis. */
export async function* walkDocuments(
  redis: Redis,
  { keys }: CheckedGeneration,
): AsyncGenerator<readonly [id: string, text: string]> {
  for await (const parts of walk((cursor) => redis.hscan(keys.documents, cursor, 'COUNT', STEP))) {
    yield* inPairs(parts);
  }
}

/** A member of a list with its score. */
export interface ListedMember {
  readonly generation: CheckedGeneration;
  readonly index: IndexName;
  readonly member: string;
  readonly score: number;
}

/**
 * Walks through all lists of some generations. A list or member that changes meanwhile may be named twice, or not at
 * all; one that stays is named. @param pattern of keys, these lists' among them. @throws Fault of Redis.
 */
export async function walkLists(
  redis: Redis,
  pattern: string,
  generations: readonly CheckedGeneration[],
  onMember: (listed: ListedMember) => void,
): Promise<void> {
  for await (const keys of walkKeys(redis, pattern, STEP)) {
    await forEachConcurrently(keys, AT_ONCE, async (key) => {
      const generation = generations.find(({ listPrefix }) => key.startsWith(listPrefix));
      if (generation === undefined) return;
      const index = readIndexName(key.slice(generation.listPrefix.length));
      const members = walk((cursor) => redis.zscan(key, cursor, 'COUNT', STEP));
      for await (const parts of members) {
        for (const [member, score] of inPairs(parts)) {
          onMember({ generation, index, member, score: Number(score) });
        }
      }
    });
  }
}

function* inPairs(parts: readonly string[]): Generator<readonly [string, string]> {
  for (let at = 0; at < parts.length; at += 2) yield [parts[at] ?? '', parts[at + 1] ?? ''];
}

/** The reverse of the name in a key: parts between colons, in which `%` and `:` are escaped. */
function readIndexName(text: string): IndexName {
  const [name = '', ...of] = text.split(':').map(decodeURIComponent);
  return [name, ...of];
}
