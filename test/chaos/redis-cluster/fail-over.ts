import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Master, RunningCluster } from '../../support/redis-cluster.js';

/** `killed`: its connections break. `hung`: they stay open, and nothing comes over them any more. */
export type Death = 'killed' | 'hung';

/**
 * Kills or halts a master that has acknowledged more than its replica has: for some time, under load, the replica gets
 * nothing of it. The cluster goes on with the replica's data of then.
 */
export async function failOver(
  { node, replica }: Master,
  death: Death,
  lostMs: number,
): Promise<void> {
  if (replica === undefined) throw new Error(`the master at ${node.port} has no replica`);
  // It stands still, so that it does not connect again, nor read the bytes in its socket.
  replica.server.pause();
  const master = new Redis({ port: node.port, host: '127.0.0.1' });
  await master.call('CLIENT', 'KILL', 'TYPE', 'replica');
  master.disconnect();
  await sleep(lostMs);
  if (death === 'killed') await node.server.kill();
  else node.server.pause();
  replica.server.resume();
}

/** Brings the former master back. Resolves when there are three masters with a replica each. */
export async function makeWhole(
  cluster: RunningCluster,
  { node }: Master,
  death: Death,
): Promise<void> {
  if (death === 'killed') await cluster.restart(node);
  else node.server.resume();
  await cluster.settled();
}
