import type { Log } from '#platform';
import { type Redis, redisReply } from '#redis';
import { LAST_STORE_KEY } from '#worker-state';

/** Redis may have served another store before: its keys of that one are left alone. */
export async function warnOfAnotherStore(redis: Redis, storeId: string, log: Log): Promise<void> {
  const before = await redisReply(redis.getset(LAST_STORE_KEY, storeId)).catch(() => null);
  if (before === null || before === storeId) return;
  log.warn({ storeId, before }, 'this Redis was last used with another store; its jobs stay apart');
}
