/**
 * The abilities that Redis must have, asked at the start of a program: later, it would only be late, or refuse each
 * job.
 */

import { Cluster, Redis as Server } from 'ioredis';
import { parseRedisAddress } from '#platform';
import type { ClusterAddress } from './cluster.js';
import { type Redis, toNodeOptions, toServerAddress } from './open-redis.js';
import { redisFault } from './reply.js';

/** A node that does not answer by then says nothing of how it is set up; the program waits for it as for any. */
const PROBE_LIMIT_MS = 2_000;

/** A program's needs of Redis beyond documents. */
export interface RedisNeeds {
  /** BullMQ's queues are streams and lists. */
  readonly hasQueues: boolean;
}

/**
 * Resolves where Redis can be used, and where it does not answer yet.
 *
 * @throws Error that names the missing ability, and the place to set it.
 */
export async function requireUsableRedis(url: string, { hasQueues }: RedisNeeds): Promise<void> {
  const address = parseRedisAddress(url);
  if (address.kind === 'cluster') await requireAnnouncedNodes(address);
  else if (hasQueues) await requireStreams(toServerAddress(address.url));
}

async function requireStreams(address: string): Promise<void> {
  const answer = await ask(new Server(address, PROBE), 'COMMAND', 'INFO', 'xadd');
  if (!Array.isArray(answer) || answer[0] !== null) return;
  throw new Error(
    'The server at REDIS_URL knows no streams (XADD), which the queues of retries need. Use Redis 6.2 or newer, or Valkey.',
  );
}

async function requireAnnouncedNodes(address: ClusterAddress): Promise<void> {
  for (const { host, port } of address.nodes) {
    const node = new Server({ ...PROBE, ...toNodeOptions(address), host, port });
    const slots = await ask(node, 'CLUSTER', 'SLOTS');
    if (!Array.isArray(slots)) continue;
    const silent = findSilentNode(slots);
    if (silent === undefined) return;
    throw new Error(
      `Node ${silent} of the Redis Cluster at REDIS_URL announces no address, so that no client can be sent to it. Set cluster-announce-ip or cluster-announce-hostname there.`,
    );
  }
}

/** A range of slots is `[from, to, [address, port, id], ...]`. */
function findSilentNode(slots: readonly unknown[]): string | undefined {
  const ranges = slots.filter((range): range is unknown[] => Array.isArray(range));
  const nodes = ranges.flatMap((range) => range.slice(2)).filter((node) => Array.isArray(node));
  const silent = nodes.find(([host]) => typeof host !== 'string' || host === '' || host === '?');
  return silent && `${String(silent[2])} (port ${String(silent[1])})`;
}

const PROBE = {
  lazyConnect: true,
  enableReadyCheck: false,
  connectTimeout: PROBE_LIMIT_MS,
  commandTimeout: PROBE_LIMIT_MS,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
} as const;

/** @returns the answer; undefined where there is none. */
async function ask(server: Server, name: string, ...parameters: string[]): Promise<unknown> {
  server.on('error', () => undefined);
  try {
    return await server.call(name, ...parameters);
  } catch {
    return undefined;
  } finally {
    server.disconnect();
  }
}

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
