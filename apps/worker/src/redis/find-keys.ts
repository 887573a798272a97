import type { Redis } from 'ioredis';
import { type LedgerStore, requireNamespace } from '#event-store';
import type { Log } from '#platform';
import { redisReply } from '#redis';
import { LAST_STORE_KEY, type WorkerKeys, workerKeys } from './keys.js';

interface KeyOptions {
  readonly store: LedgerStore;
  readonly redis: Redis;
  /** Ends the wait for a store that is not there yet. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The worker's keys for the store that it is connected to. @throws Fault as `requireNamespace` does. */
export async function findKeys({ store, redis, signal, log }: KeyOptions): Promise<WorkerKeys> {
  const { storeId } = await requireNamespace(store, log, signal);
  await warnOfAnotherStore(redis, storeId, log);
  return workerKeys(storeId);
}

/** Redis may have served another store before: what it holds of that one is left alone. */
async function warnOfAnotherStore(redis: Redis, storeId: string, log: Log): Promise<void> {
  const before = await redisReply(redis.getset(LAST_STORE_KEY, storeId)).catch(() => null);
  if (before === null || before === storeId) return;
  log.warn({ storeId, before }, 'this Redis was last used with another store; its jobs stay apart');
}
