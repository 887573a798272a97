import { listMasters } from './cluster.js';
import type { Redis } from './open-redis.js';
import { redisReply } from './reply.js';

/** A command of the SCAN family, from a cursor on. */
type ScanStep = (cursor: string) => Promise<[cursor: string, found: string[]]>;

/** The steps of a walk by a command of the SCAN family, until its cursor is at the end. @throws Fault. */
export async function* walk(step: ScanStep): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, found] = await redisReply(step(cursor));
    cursor = next;
    yield found;
  } while (cursor !== '0');
}

/**
 * All keys that match, on each server that keeps keys, in steps, some of which are empty. SCAN may name a key twice, and
 * misses none that stays. @param count of keys that are looked at in one step. @throws Fault.
 */
export async function* walkKeys(
  redis: Redis,
  pattern: string,
  count: number,
): AsyncGenerator<string[]> {
  for (const server of await redisReply(listMasters(redis))) {
    yield* walk((cursor) => server.scan(cursor, 'MATCH', pattern, 'COUNT', count));
  }
}
