import type { Log } from '#platform';
import { type Redis, redisReply } from '#redis';
import { type Lease, Leases } from '../leases/leases.js';
import { RETIREMENT_LEASE_MS } from '../limits.js';
import { decodeCheckpoint } from '../stored/checkpoint.js';
import { countAnswering, nameProjection } from '../stored/generations.js';
import {
  type LedgerIdentity,
  openReadModel,
  type PartitionKeys,
  PLACES,
  type ReadModel,
  readModelPattern,
  readModelsKey,
} from '../stored/keys.js';
import { clearKeys, type HeldPartition, sweepKeys } from './delete-keys.js';

interface RetirementOptions {
  readonly redis: Redis;
  readonly ledger: LedgerIdentity;
  /** The names of the read models in use here. */
  readonly own: readonly string[];
  /** The name of this process, for leases. */
  readonly holder: string;
  readonly log: Log;
  /** Aborted when the walk through Redis is to end: a later one goes on. */
  readonly signal: AbortSignal;
  /** How long a read model is kept after its last use, in milliseconds. */
  readonly keptMs: number;
}

/** Says that read models are in use, now. */
export async function touchReadModels(
  redis: Redis,
  { layoutId }: LedgerIdentity,
  names: readonly string[],
): Promise<void> {
  const scores = names.flatMap((name) => [Date.now(), name]);
  await redisReply(redis.zadd(readModelsKey(layoutId), ...scores));
}

/**
 * Deletes the read models of other releases that no projector has touched for long. Until then they
 * serve the old release during a deploy, and again if it is rolled back (decision 0012).
 *
 * @throws Fault when Redis is out of reach.
 */
export async function retireReadModels(options: RetirementOptions): Promise<void> {
  const { redis, ledger, own, signal, keptMs } = options;
  const listKey = readModelsKey(ledger.layoutId);
  const names = await redisReply(redis.zrangebyscore(listKey, '-inf', Date.now() - keptMs));
  for (const name of names) {
    if (own.includes(name) || signal.aborted) continue;
    // It answers in our place until ours does: the gate may hold ours for longer than it is kept.
    const successor = own.find((each) => nameProjection(each) === nameProjection(name));
    if (successor !== undefined && !(await answersEverywhere(successor))) continue;
    if (await retire(openReadModel(name, ledger), options)) {
      await redisReply(redis.zrem(listKey, name));
    }
  }

  async function answersEverywhere(name: string): Promise<boolean> {
    return (await countAnswering(redis, openReadModel(name, ledger))) === ledger.partitions;
  }
}

/**
 * Deletes generations that have no place, where a build or a swap has left some, in small steps and in one
 * walk through Redis.
 *
 * @throws Fenced when another process has taken a partition over; Fault of Redis.
 */
export async function deleteLeftovers(
  redis: Redis,
  layoutId: string,
  held: readonly HeldPartition[],
  signal: AbortSignal,
): Promise<void> {
  const isMarked = await Promise.all(
    held.map(({ keys }) => redisReply(redis.exists(keys.leftovers))),
  );
  const marked = held.filter((_, at) => isMarked[at] === 1);
  if (marked.length === 0) return;
  const kept = new Map<HeldPartition, string[]>();
  for (const partition of marked) kept.set(partition, await readKept(redis, partition.keys));
  const isLeft = (partition: HeldPartition, key: string) => {
    const prefixes = kept.get(partition) ?? [];
    return !prefixes.some((prefix) => key === prefix || key.startsWith(`${prefix}:`));
  };
  await sweepKeys(redis, { pattern: readModelPattern(layoutId), signal }, marked, isLeft);
  // The mark stays, so that the next walk begins again.
  if (signal.aborted) return;
  for (const { keys, fence } of marked) {
    await clearKeys(redis, fence, [keys.leftovers]);
  }
}

/** The keys that stay: the read model's own, and those of the generations in its places. */
async function readKept(redis: Redis, keys: PartitionKeys): Promise<string[]> {
  const places = PLACES.map((place) => keys[place]);
  const stored = await redisReply(redis.mget(places));
  const epochs = stored.flatMap((text) => decodeCheckpoint(text)?.epoch ?? []);
  return [...places, keys.leftovers, ...epochs.map((epoch) => keys.generation(epoch).prefix)];
}

/** @returns whether all of it is gone; false when another process holds a part of it, or at a stop. */
async function retire(
  readModel: ReadModel,
  { redis, holder, log, signal }: RetirementOptions,
): Promise<boolean> {
  const { leases: keys, layoutId, name } = readModel;
  const leases = new Leases({ redis, keys, holder, lastsMs: RETIREMENT_LEASE_MS });
  const held = await acquireAll(leases, readModel);
  if (held === undefined) return false;
  log.info({ readModel: name }, 'deleting a read model of a release that is gone');
  // These first: should the walk be cut off, the rest answers nothing.
  for (const { keys: own, fence } of held) {
    await clearKeys(
      redis,
      fence,
      PLACES.map((place) => own[place]),
    );
  }
  await sweepKeys(redis, { pattern: readModelPattern(layoutId, name), signal }, held);
  if (signal.aborted) {
    for (const lease of held) await leases.release(lease);
    return false;
  }
  // A process that held one of these before has a token that no longer counts, also when there is none at all.
  const prefixes = readModel.partitions.map(({ number }) => keys.prefix(number));
  const leftovers = prefixes.flatMap((prefix) => [`${prefix}:fence`, `${prefix}:lease`]);
  for (const key of [...leftovers, keys.members]) await redisReply(redis.unlink(key));
  return true;
}

/** All partitions, or none: one whose projector still runs needs the others, too. */
async function acquireAll(
  leases: Leases,
  { partitions }: ReadModel,
): Promise<(Lease & HeldPartition)[] | undefined> {
  const acquired: (Lease & HeldPartition)[] = [];
  for (const keys of partitions) {
    const lease = await leases.acquire(keys.number);
    if (lease !== undefined) {
      acquired.push({ ...lease, keys });
      continue;
    }
    for (const other of acquired) await leases.release(other);
    return undefined;
  }
  return acquired;
}
