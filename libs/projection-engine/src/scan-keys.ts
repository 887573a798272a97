import { listMasters, type Redis, redisReply } from '#redis';
import { CLEARING_STEP } from './limits.js';

/** All keys that match, on each server that keeps keys, in small steps. SCAN may name a key twice, and misses none that stays. An aborted walk ends early. */
export async function* scanKeys(
  redis: Redis,
  pattern: string,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  for (const server of await redisReply(listMasters(redis))) {
    let cursor = '0';
    do {
      const scan = server.scan(cursor, 'MATCH', pattern, 'COUNT', CLEARING_STEP);
      const [next, keys] = await redisReply(scan);
      cursor = next;
      if (keys.length > 0) yield keys;
    } while (cursor !== '0' && !signal.aborted);
  }
}
