import { Redis, type RedisOptions } from 'ioredis';
import { Defect, Fault, jitteredDelayMs } from '#platform';
import {
  CONNECT_LIMIT_MS,
  READ_LIMIT_MS,
  RECONNECT_BASE_MS,
  RECONNECT_CAP_MS,
  RETRY_AFTER_MS,
  WRITE_LIMIT_MS,
} from './limits.js';

/** Replies by which Redis says that it cannot serve now, though it understood. */
const PASSING_REPLIES =
  /^(LOADING|READONLY|OOM|MISCONF|BUSY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)/;

/**
 * A connection for reading: commands of one turn of the event loop leave together. Commands fail
 * at once, or nearly so, when Redis is out of reach, and the connection comes back by itself.
 *
 * @param url `redis://`, `rediss://` or `unix:/path/to/socket`.
 */
export function connectForReading(url: string): Redis {
  return connect(url, { commandTimeout: READ_LIMIT_MS, enableAutoPipelining: true });
}

/** A connection for the projector's scripts: one call at a time, with more patience. */
export function connectForWriting(url: string): Redis {
  return connect(url, { commandTimeout: WRITE_LIMIT_MS });
}

function connect(
  url: string,
  options: Pick<RedisOptions, 'commandTimeout' | 'enableAutoPipelining'>,
): Redis {
  const redis = new Redis(url.replace(/^unix:(\/\/)?/, ''), {
    ...options,
    connectTimeout: CONNECT_LIMIT_MS,
    // What waits for a connection fails with the first attempt that does.
    maxRetriesPerRequest: 0,
    retryStrategy: (times) =>
      1 + Math.ceil(jitteredDelayMs(times, RECONNECT_BASE_MS, RECONNECT_CAP_MS)),
  });
  // Every command that fails says so to its caller; without a listener the library prints as well.
  redis.on('error', () => undefined);
  return redis;
}

/**
 * What Redis answers.
 *
 * @throws Fault `unavailable` (retryable) when it is out of reach, late, or cannot serve now; Defect
 *   when it refuses the command as such.
 */
export async function answerOf<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw toFault(error);
  }
}

function toFault(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const isRefusal = error instanceof Error && error.name === 'ReplyError';
  if (isRefusal && !PASSING_REPLIES.test(message)) {
    return new Defect(`Redis refused a command: ${message}`, { cause: error });
  }
  return new Fault('unavailable', `Redis: ${message}`, {
    retryable: true,
    retryAfterMs: RETRY_AFTER_MS,
    cause: error,
  });
}
