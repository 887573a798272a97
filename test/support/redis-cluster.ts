import { rm } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { type RunningRedis, startRedis } from './redis.js';

const SLOTS = 16_384;

/** A server of the cluster, by which it may be stopped and started again. */
export interface ClusterNode {
  readonly port: number;
  server: RunningRedis;
  readonly busPort: number;
}

export interface Master {
  readonly node: ClusterNode;
  readonly replica: ClusterNode | undefined;
}

export interface RunningCluster {
  /** As REDIS_URL takes it: all nodes. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  /** The nodes that are masters now, each with the replica that has its link up. */
  masters(): Promise<readonly Master[]>;
  /** Starts a node again that was killed: it joins the others, as a replica where it was replaced. */
  restart(node: ClusterNode): Promise<void>;
  /** Resolves when all nodes agree that all slots are served, and replicas are level with their masters. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis Cluster of three masters on loopback. @param replicas for each of them. */
export async function startRedisCluster(replicas: 0 | 1 = 0): Promise<RunningCluster> {
  const count = 3 * (1 + replicas);
  const nodes = await Promise.all(Array.from({ length: count }, startNode));
  const masters = nodes.slice(0, 3);
  for (const [at, { port }] of masters.entries()) {
    const [first, next] = [at, at + 1].map((n) => Math.floor((n * SLOTS) / masters.length));
    await tell(port, 'ADDSLOTSRANGE', String(first), String((next ?? SLOTS) - 1));
  }
  for (const [at, node] of nodes.entries()) {
    // Each says at once that it is not the same age as the others; else they find that out by colliding.
    await tell(node.port, 'SET-CONFIG-EPOCH', String(at + 1));
    const first = nodes[0] ?? node;
    if (at > 0)
      await tell(node.port, 'MEET', '127.0.0.1', String(first.port), String(first.busPort));
  }
  const isKnown = async ({ port }: ClusterNode) =>
    (await tell(port, 'INFO')).includes(`cluster_known_nodes:${count}`);
  await eventually(async () => (await Promise.all(nodes.map(isKnown))).every(Boolean), {
    what: 'the nodes to know each other',
  });
  for (const [at, { port }] of nodes.slice(3).entries()) {
    await tell(port, 'REPLICATE', await tell(masters[at]?.port ?? port, 'MYID'));
  }
  const settled = async () => {
    await eventually(async () => (await Promise.all(nodes.map(isSettled))).every(Boolean), {
      what: 'the cluster to be settled',
    });
  };
  await settled();
  return {
    url: `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    masters: async () => {
      const roles = await Promise.all(nodes.map(readReplication));
      const masters = nodes.filter((_, at) => /^role:master/m.test(roles[at] ?? ''));
      return masters.map((node) => {
        const follows = (text = '') => text.includes(`master_port:${node.port}\r`);
        return { node, replica: nodes.find((_, at) => follows(roles[at])) };
      });
    },
    restart: async (node) => {
      const { port, busPort, server } = node;
      node.server = await startRedis({ port, busPort, dir: server.dir });
    },
    settled,
    stop: async () => {
      await Promise.all(nodes.map(({ server }) => server.stop()));
      // One that was started again does not know that its directory was made for it.
      for (const { server } of nodes) await rm(server.dir, { recursive: true, force: true });
    },
  };
}

async function startNode(): Promise<ClusterNode> {
  const busPort = await freePort();
  const server = await startRedis({ busPort });
  return { port: server.port, server, busPort };
}

/** Undefined where the server does not answer. */
function readReplication({ port }: ClusterNode): Promise<string | undefined> {
  return ask(port, (redis) => redis.info('replication')).catch(() => undefined);
}

async function isSettled({ port }: ClusterNode): Promise<boolean> {
  const [state, replication] = await Promise.all([
    tell(port, 'INFO'),
    ask(port, (redis) => redis.info('replication')),
  ]);
  const isLinked = replication.includes('role:master') || replication.includes('link_status:up');
  return state.includes('cluster_state:ok') && isLinked;
}

function tell(port: number, ...command: string[]): Promise<string> {
  return ask(port, async (redis) => String(await redis.call('CLUSTER', ...command)));
}

async function ask<T>(port: number, act: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await act(redis);
  } finally {
    redis.disconnect();
  }
}
