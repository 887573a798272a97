import { openRedis, type Redis } from '#redis';
import { REDIS_CONNECT_LIMIT_MS, REDIS_LIMIT_MS } from '../limits.js';

const connectTimeout = REDIS_CONNECT_LIMIT_MS;

/**
 * A connection for our own scripts and for adding jobs: a call fails within its limit, and its caller
 * tries the whole of its work again. The connection comes back by itself.
 *
 * @param url `redis://`, `rediss://` or `unix:/path/to/socket`.
 */
export function connectRedis(url: string): Redis {
  const limits = { connectTimeout, commandTimeout: REDIS_LIMIT_MS, maxRetriesPerRequest: 1 };
  return openRedis(url, { ...limits, gathersWrites: true });
}

/**
 * A connection for BullMQ's workers, which must wait for Redis to come back. The call that blocks has a connection that
 * BullMQ duplicates; each other call ends within its limit.
 */
export function connectWorkers(url: string): Redis {
  return openRedis(url, {
    connectTimeout,
    maxRetriesPerRequest: null,
    callLimitMs: REDIS_LIMIT_MS,
  });
}
