import type { Redis } from 'ioredis';
import { Fault, newUuid } from '#platform';
import { loadScript, redisReply } from '#redis';
import { type Checkpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
import type { Partition } from './partition.js';
import { CLEARING_STEP } from './limits.js';

const clearKeys = loadScript(new URL('./lua/clear-keys-n.lua', import.meta.url));

/**
 * Deletes all that a partition holds, in small steps, and leaves it ready to be built anew, or gone. Only
 * one projector clears at a time: the checkpoint names it, and every step asks whether it still does.
 *
 * @throws Fault `conflict` (retryable) when another went ahead.
 */
export async function clearPartition(
  redis: Redis,
  partition: Partition,
  storeId: string,
  leave: 'empty' | 'nothing' = 'empty',
): Promise<void> {
  const clearing: Checkpoint = {
    position: NOTHING,
    storeId,
    phase: 'clearing',
    epoch: newUuid(),
  };
  const fenced = (outcome: unknown) => {
    if (outcome !== 'applied') throw overtaken(partition);
  };
  fenced(await partition.checkpoint.commit(clearing));
  for await (const keys of keysBelow(redis, partition)) {
    const named = encodeCheckpoint(clearing);
    fenced(await clearKeys(redis, [partition.keys.checkpoint, ...keys], [named]));
  }
  const rebuilding: Checkpoint = { ...clearing, phase: 'rebuilding' };
  fenced(await partition.checkpoint.commit(leave === 'empty' ? rebuilding : undefined));
  await partition.load();
}

/** All keys of a partition but its checkpoint. SCAN may name one twice, and misses none that stays. */
async function* keysBelow(redis: Redis, partition: Partition): AsyncGenerator<string[]> {
  const pattern = `${partition.keys.prefix}:*`;
  let cursor = '0';
  do {
    const scan = redis.scan(cursor, 'MATCH', pattern, 'COUNT', CLEARING_STEP);
    const [next, keys] = await redisReply(scan);
    cursor = next;
    const others = keys.filter((key) => key !== partition.keys.checkpoint);
    if (others.length > 0) yield others;
  } while (cursor !== '0');
}

function overtaken(partition: Partition): Fault {
  return new Fault(
    'conflict',
    `another projector went ahead in partition ${partition.keys.number}`,
    {
      retryable: true,
    },
  );
}
