import type { Redis } from 'ioredis';
import { Defect } from '#platform';
import { openRedis, redisFault } from '#redis';
import { CONNECT_LIMIT_MS, READ_LIMIT_MS, RETRY_AFTER_MS, WRITE_LIMIT_MS } from './limits.js';

/** Replies by which Redis says that it cannot serve now, or not us, though it understood. */
const PASSING_REPLIES =
  /^(NOAUTH|WRONGPASS|NOPERM|LOADING|READONLY|OOM|MISCONF|BUSY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)/;

/**
 * A connection for reading: commands of one turn of the event loop leave together. Commands fail
 * at once, or nearly so, when Redis is out of reach.
 */
export function connectForReading(url: string): Redis {
  return openRedis(url, {
    ...IMPATIENT,
    commandTimeout: READ_LIMIT_MS,
    enableAutoPipelining: true,
  });
}

/** A connection for the projector's scripts: one call at a time, with more patience. */
export function connectForWriting(url: string): Redis {
  return openRedis(url, { ...IMPATIENT, commandTimeout: WRITE_LIMIT_MS });
}

/** What waits for a connection fails with the first attempt that does. */
const IMPATIENT = { connectTimeout: CONNECT_LIMIT_MS, maxRetriesPerRequest: 0 };

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
  return redisFault(error, { retryAfterMs: RETRY_AFTER_MS });
}
