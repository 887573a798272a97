import type { Redis } from 'ioredis';
import { Fault, newUuid } from '#platform';
import { type Checkpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
import type { Lane } from './lane.js';
import { CLEARING_STEP } from './limits.js';
import { answerOf } from './redis.js';
import { loadScript } from './script.js';

const clearKeys = loadScript('clear-keys-n.lua');

/**
 * Deletes all that a lane holds, in small steps, and leaves it ready to be built anew, or gone. Only
 * one projector clears at a time: the checkpoint names it, and every step asks whether it still does.
 *
 * @throws Fault `conflict` (retryable) when another went ahead.
 */
export async function clearLane(
  redis: Redis,
  lane: Lane,
  storeId: string,
  leave: 'empty' | 'nothing' = 'empty',
): Promise<void> {
  const clearing: Checkpoint = {
    position: NOTHING,
    storeId,
    phase: 'clearing',
    clearedBy: newUuid(),
  };
  const fenced = (outcome: unknown) => {
    if (outcome !== 'applied') throw overtaken(lane);
  };
  fenced(await lane.commit([], [], clearing));
  for await (const keys of keysBelow(redis, lane)) {
    const named = encodeCheckpoint(clearing);
    fenced(await clearKeys(redis, [lane.keys.checkpoint, ...keys], [named]));
  }
  const rebuilding: Checkpoint = { position: NOTHING, storeId, phase: 'rebuilding' };
  fenced(await lane.commit([], [], leave === 'empty' ? rebuilding : undefined));
  await lane.load();
}

/** All keys of a lane but its checkpoint. SCAN may name one twice, and misses none that stays. */
async function* keysBelow(redis: Redis, lane: Lane): AsyncGenerator<string[]> {
  const pattern = `${lane.keys.prefix}:*`;
  let cursor = '0';
  do {
    const scan = redis.scan(cursor, 'MATCH', pattern, 'COUNT', CLEARING_STEP);
    const [next, keys] = await answerOf(scan);
    cursor = next;
    const others = keys.filter((key) => key !== lane.keys.checkpoint);
    if (others.length > 0) yield others;
  } while (cursor !== '0');
}

function overtaken(lane: Lane): Fault {
  return new Fault('conflict', `another projector went ahead in lane ${lane.keys.number}`, {
    retryable: true,
  });
}
