import { Redis, type RedisOptions } from 'ioredis';
import { jitteredDelayMs } from '#platform';
import { noteConnectionProblem } from './reply.js';

/** How long a connection's user waits, for what, and how often. */
export type Patience = Pick<
  RedisOptions,
  'commandTimeout' | 'connectTimeout' | 'maxRetriesPerRequest' | 'enableAutoPipelining'
>;

/** Between attempts to connect: soon enough to be back with Redis, seldom enough not to hammer it. */
const RECONNECT_BASE_MS = 20;
const RECONNECT_CAP_MS = 500;

/**
 * A connection that comes back by itself.
 *
 * @param url `redis://`, `rediss://` or `unix:/path/to/socket`.
 */
export function openRedis(url: string, patience: Patience): Redis {
  const redis = new Redis(url.replace(/^unix:(\/\/)?/, ''), {
    ...patience,
    retryStrategy: (times) =>
      1 + Math.ceil(jitteredDelayMs(times, RECONNECT_BASE_MS, RECONNECT_CAP_MS)),
  });
  // Every command that fails says so to its caller; without a listener the library prints as well.
  redis.on('error', noteConnectionProblem);
  return redis;
}
