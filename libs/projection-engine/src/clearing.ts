import { Fault, newUuid } from '#platform';
import { listMasters, loadScript, type Redis, redisReply } from '#redis';
import { type Checkpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
import { type Namespace, namespacePattern } from './keys.js';
import { CLEARING_STEP } from './limits.js';
import type { Partition } from './partition.js';

const clearKeys = loadScript(new URL('./lua/clear-keys-n.lua', import.meta.url));

/**
 * Deletes all that some partitions of a namespace hold, in small steps and in one walk through Redis, and
 * leaves them ready to be built anew, or gone. The checkpoint says that they are being cleared until it is
 * over; every step asks whether the caller still holds the partition.
 *
 * @throws Fault `conflict` (retryable) when another process has taken a partition over.
 */
export async function clearPartitions(
  redis: Redis,
  namespace: Namespace,
  partitions: readonly Partition[],
  leave: 'empty' | 'nothing' = 'empty',
): Promise<void> {
  if (partitions.length === 0) return;
  const { layoutId } = namespace;
  const clearing: Checkpoint = {
    position: NOTHING,
    layoutId,
    phase: 'clearing',
    epoch: newUuid(),
  };
  for (const partition of partitions) {
    requireApplied(partition, await partition.checkpoint.commit(clearing));
  }
  for await (const keys of scanKeys(redis, namespacePattern(namespace))) {
    for (const partition of partitions) {
      const own = keys.filter((key) => isClearedIn(partition, key));
      if (own.length === 0) continue;
      const { key, token } = partition.fence;
      const named = [partition.keys.checkpoint, key, ...own];
      requireApplied(partition, await clearKeys(redis, named, [token, encodeCheckpoint(clearing)]));
    }
  }
  const rebuilding: Checkpoint = { ...clearing, phase: 'rebuilding' };
  for (const partition of partitions) {
    const next = leave === 'empty' ? rebuilding : undefined;
    requireApplied(partition, await partition.checkpoint.commit(next));
    await partition.load();
  }
}

/** The checkpoint stays: it says what is going on. */
function isClearedIn({ keys: { prefix, checkpoint } }: Partition, key: string): boolean {
  return key.startsWith(`${prefix}:`) && key !== checkpoint;
}

/** On each server that keeps keys. SCAN may name a key twice, and misses none that stays. */
async function* scanKeys(redis: Redis, pattern: string): AsyncGenerator<string[]> {
  for (const server of await redisReply(listMasters(redis))) {
    let cursor = '0';
    do {
      const scan = server.scan(cursor, 'MATCH', pattern, 'COUNT', CLEARING_STEP);
      const [next, keys] = await redisReply(scan);
      cursor = next;
      if (keys.length > 0) yield keys;
    } while (cursor !== '0');
  }
}

function requireApplied({ keys: { number } }: Partition, outcome: unknown): void {
  if (outcome === 'applied') return;
  throw new Fault('conflict', `another process has taken partition ${number} over`, {
    retryable: true,
  });
}
