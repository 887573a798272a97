import { Cluster } from 'ioredis';
import type { Redis } from './open-redis.js';
import { redisFault } from './reply.js';

/**
 * Whether this program can do its work with Redis at this moment: Redis answers, and is no replica. A replica answers
 * PING and reads as a master does, and refuses all writes. A cluster's masters are found by the library; where ROLE is
 * not allowed, or not known, an answer is enough.
 *
 * @throws Fault `unavailable`.
 */
export async function requireMaster(redis: Redis): Promise<void> {
  const role = await askRole(redis);
  if (role !== 'slave') return;
  // A connection that only reads meets no refusal that would make it leave the replica.
  redis.disconnect(true);
  const reason = 'this server is a replica; writes wait until the address leads to the master';
  throw redisFault(new Error(reason));
}

async function askRole(redis: Redis): Promise<unknown> {
  try {
    if (redis instanceof Cluster) return await redis.ping();
    return (await redis.role())[0];
  } catch (error) {
    if (error instanceof Error && ROLE_UNTOLD.test(error.message)) return undefined;
    throw redisFault(error);
  }
}

/** Of servers that let no client ask, and of those that do not know the command. */
const ROLE_UNTOLD = /^(NOPERM|ERR unknown command)/;
