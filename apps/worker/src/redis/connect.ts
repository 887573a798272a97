import { Redis, type RedisOptions } from 'ioredis';
import { Fault, jitteredDelayMs } from '#platform';
import {
  REDIS_CONNECT_LIMIT_MS,
  REDIS_LIMIT_MS,
  REDIS_RECONNECT_BASE_MS,
  REDIS_RECONNECT_CAP_MS,
} from '../limits.js';

/**
 * A connection for our own scripts and for adding jobs: a call fails within its limit, and whoever
 * made it tries the whole of its work again. It comes back by itself.
 *
 * @param url `redis://`, `rediss://` or `unix:/path/to/socket`.
 */
export function connectRedis(url: string): Redis {
  const options = { commandTimeout: REDIS_LIMIT_MS, maxRetriesPerRequest: 1 };
  return open(url, { ...options, enableAutoPipelining: true });
}

/** A connection for BullMQ's workers, which block on it and must wait for Redis to come back. */
export function connectWorkers(url: string): Redis {
  return open(url, { maxRetriesPerRequest: null });
}

/** @throws Fault `unavailable` (retryable) for whatever Redis failed with. */
export async function ofRedis<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Fault('unavailable', `Redis: ${message}`, { retryable: true, cause: error });
  }
}

function open(
  url: string,
  options: Pick<RedisOptions, 'commandTimeout' | 'maxRetriesPerRequest' | 'enableAutoPipelining'>,
): Redis {
  const redis = new Redis(url.replace(/^unix:(\/\/)?/, ''), {
    ...options,
    connectTimeout: REDIS_CONNECT_LIMIT_MS,
    retryStrategy: (times) =>
      1 + Math.ceil(jitteredDelayMs(times, REDIS_RECONNECT_BASE_MS, REDIS_RECONNECT_CAP_MS)),
  });
  // Every command that fails says so to its caller; without a listener the library prints as well.
  redis.on('error', () => undefined);
  return redis;
}
