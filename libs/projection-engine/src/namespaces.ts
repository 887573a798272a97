import type { Log } from '#platform';
import { type Redis, redisReply } from '#redis';
import { clearPartitions } from './clearing.js';
import { type Namespace, namespacesKey, openNamespace, type PartitionKeys } from './keys.js';
import { type Lease, Leases } from './leases/leases.js';
import { NAMESPACE_KEPT_MS, RETIREMENT_LEASE_MS } from './limits.js';
import { Partition } from './partition.js';

interface RetirementOptions {
  readonly redis: Redis;
  /** What is in use stays. */
  readonly own: Namespace;
  /** The name of this process, for leases. */
  readonly holder: string;
  readonly log: Log;
  /** How long a namespace is kept after its last use, in milliseconds. */
  readonly keptMs?: number | undefined;
}

/** Says that a namespace is in use, now. */
export async function touchNamespace(redis: Redis, { layoutId, name }: Namespace): Promise<void> {
  await redisReply(redis.zadd(namespacesKey(layoutId), Date.now(), name));
}

/**
 * Deletes the read models of other releases that no projector has touched for long. Until then they
 * serve the old release during a deploy, and again if it is rolled back (decision 0040).
 *
 * @throws Fault when Redis is out of reach.
 */
export async function retireNamespaces(options: RetirementOptions): Promise<void> {
  const { redis, own, log, keptMs = NAMESPACE_KEPT_MS } = options;
  const listKey = namespacesKey(own.layoutId);
  const names = await redisReply(redis.zrangebyscore(listKey, '-inf', Date.now() - keptMs));
  for (const name of names) {
    if (name === own.name) continue;
    log.info({ namespace: name }, 'deleting the read models of a release that is gone');
    if (await retire(openNamespace(own.layoutId, name), options)) {
      await redisReply(redis.zrem(listKey, name));
    }
  }
}

/** @returns whether all of it is gone; false when another process holds a part of it. */
async function retire(
  namespace: Namespace,
  { redis, holder }: RetirementOptions,
): Promise<boolean> {
  const { leases: keys } = namespace;
  const leases = new Leases({ redis, keys, holder, lastsMs: RETIREMENT_LEASE_MS });
  const acquired = await acquireAll(leases, namespace);
  if (acquired === undefined) return false;
  const held = acquired.map(({ keys: own, fence }) => new Partition(redis, own, fence));
  for (const partition of held) await partition.load();
  await clearPartitions(redis, namespace, held, 'nothing');
  // A process that held one of these before has a token that no longer counts, also when there is none at all.
  const prefixes = namespace.partitions.map(({ number }) => keys.prefix(number));
  const leftovers = prefixes.flatMap((prefix) => [`${prefix}:fence`, `${prefix}:lease`]);
  for (const key of [...leftovers, keys.members]) await redisReply(redis.unlink(key));
  return true;
}

/** All partitions, or none: one whose projector still runs needs the others, too. */
async function acquireAll(leases: Leases, { partitions }: Namespace) {
  const acquired: (Lease & { readonly keys: PartitionKeys })[] = [];
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
