import type { Redis } from 'ioredis';
import type { Log } from '#platform';
import { redisReply } from '#redis';
import { clearPartition } from './clearing.js';
import { type Namespace, NAMESPACES_KEY, openNamespace } from './keys.js';
import { Partition } from './partition.js';
import { NAMESPACE_KEPT_MS } from './limits.js';

/** Says that a namespace is in use, now. */
export async function touchNamespace(redis: Redis, namespace: Namespace): Promise<void> {
  await redisReply(redis.zadd(NAMESPACES_KEY, Date.now(), namespace.name));
}

/**
 * Deletes the read models of other releases that no projector has touched for long. Until then they
 * serve the old release during a deploy, and again if it is rolled back (decision 0040).
 *
 * @throws Fault when Redis is out of reach, or another projector is at it.
 */
export async function retireNamespaces(
  redis: Redis,
  own: Namespace,
  log: Log,
  keptMs = NAMESPACE_KEPT_MS,
): Promise<void> {
  const before = Date.now() - keptMs;
  const names = await redisReply(redis.zrangebyscore(NAMESPACES_KEY, '-inf', before));
  for (const name of names) {
    if (name === own.name) continue;
    log.info({ namespace: name }, 'deleting the read models of a release that is gone');
    for (const keys of openNamespace(name).partitions) {
      const partition = new Partition(redis, keys);
      await partition.load();
      await clearPartition(redis, partition, '', 'nothing');
    }
    await redisReply(redis.zrem(NAMESPACES_KEY, name));
  }
}
