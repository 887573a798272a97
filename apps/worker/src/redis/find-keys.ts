import type { Redis } from 'ioredis';
import { ensureStoreIdentity, type EventStore } from '#event-store';
import { type Log, retry, warnSeldom } from '#platform';
import { redisReply } from '#redis';
import { STORE_START_LIMIT_MS } from '../limits.js';
import { LAST_STORE_KEY, type WorkerKeys, workerKeys } from './keys.js';

interface KeyOptions {
  readonly store: EventStore;
  readonly redis: Redis;
  /** Ends the wait for a store that is not there yet. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The worker's keys for the store that it is connected to. @throws Fault when that is out of reach. */
export async function findKeys({ store, redis, signal, log }: KeyOptions): Promise<WorkerKeys> {
  const options = { deadlineMs: STORE_START_LIMIT_MS, baseMs: 50, capMs: 1_000, signal };
  const identify = () =>
    ensureStoreIdentity(store).catch((error: unknown) => {
      warnSeldom(log, error, 'the store has no identity yet; it is asked again');
      throw error;
    });
  const storeId = await retry(identify, options);
  await warnOfAnotherStore(redis, storeId, log);
  return workerKeys(storeId);
}

/** Redis may have served another store before: what it holds of that one is left alone. */
async function warnOfAnotherStore(redis: Redis, storeId: string, log: Log): Promise<void> {
  const before = await redisReply(redis.getset(LAST_STORE_KEY, storeId)).catch(() => null);
  if (before === null || before === storeId) return;
  log.warn({ storeId, before }, 'this Redis was last used with another store; its jobs stay apart');
}
