import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Master, RunningCluster } from '../../support/redis-cluster.js';

/**
 * Kills a master that has acknowledged more than its replica has: for some time, under load, the replica
 * gets nothing of it. What the replica has then is what the cluster goes on with.
 */
export async function failOver({ node, replica }: Master, lostMs: number): Promise<void> {
  if (replica === undefined) throw new Error(`the master at ${node.port} has no replica`);
  // It stands still, so that it does not connect again, nor read what lies in its socket.
  replica.server.pause();
  const master = new Redis({ port: node.port, host: '127.0.0.1' });
  await master.call('CLIENT', 'KILL', 'TYPE', 'replica');
  master.disconnect();
  await sleep(lostMs);
  await node.server.kill();
  replica.server.resume();
}

/** Starts the killed one again. Resolves when there are three masters with a replica each. */
export async function makeWhole(cluster: RunningCluster, { node }: Master): Promise<void> {
  await cluster.restart(node);
  await cluster.settled();
}
