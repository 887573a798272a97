import { type Redis, redisReply } from '#redis';
import { decodeCheckpoint } from '../stored/checkpoint.js';
import type { PlacedInPartition } from '../stored/placed-in-partition.js';

/** The entries of each list, by its name, and the documents, in one partition. */
interface Counts {
  readonly applied: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** The key of the number of documents among the counts of lists, whose names are words. */
const DOCUMENTS = '';

/**
 * Compares the numbers of documents and of entries of two generations in a partition, if both have applied as many events
 * now.
 *
 * @param exempt names of lists that are not compared; nor is a list that only one of both has, where `isOtherVersion`.
 * @returns a sentence for each difference; undefined while they stand at different events, or one of both is gone.
 * @throws Fault of Redis.
 */
export async function compareCounts(
  redis: Redis,
  {
    built,
    answering,
  }: { readonly built: PlacedInPartition; readonly answering: PlacedInPartition },
  {
    exempt,
    isOtherVersion,
  }: { readonly exempt: readonly string[]; readonly isOtherVersion: boolean },
): Promise<string[] | undefined> {
  const [left, right] = await Promise.all([readCounts(redis, built), readCounts(redis, answering)]);
  if (left === undefined || right === undefined || left.applied !== right.applied) return undefined;
  const names = new Set([...left.counts.keys(), ...right.counts.keys()]);
  return [...names].flatMap((name) => {
    const [is, was] = [left.counts.get(name), right.counts.get(name)];
    const isOnlyInOne = isOtherVersion && (is === undefined || was === undefined);
    if ((is ?? 0) === (was ?? 0) || isOnlyInOne || exempt.includes(name)) return [];
    const of = name === DOCUMENTS ? 'documents' : `entries of the list ${name}`;
    return `partition ${built.number} has ${is ?? 0} ${of} where ${was ?? 0} answer`;
  });
}

async function readCounts(redis: Redis, partition: PlacedInPartition): Promise<Counts | undefined> {
  const { keys, checkpointKey } = partition;
  const begun = decodeCheckpoint(await redisReply(redis.get(checkpointKey)));
  if (begun === undefined) return undefined;
  const { documents, counts } = keys.generation(begun.epoch);
  const asked = redis.multi().get(checkpointKey).hlen(documents).hgetall(counts);
  const replies = (await redisReply(asked.exec())) ?? [];
  const [text, documentCount, lists] = replies.map(([, reply]) => reply);
  const now = decodeCheckpoint(text as string | null);
  if (now?.epoch !== begun.epoch) return undefined;
  const found = Object.entries((lists ?? {}) as Record<string, string>);
  const entries = found.map(([name, count]) => [name, Number(count)] as const);
  const byName = new Map([[DOCUMENTS, Number(documentCount)] as const, ...entries]);
  return { applied: now.applied ?? 0, counts: byName };
}
