import { Cluster, type Redis as Server } from 'ioredis';
import type { RedisAddress } from '#platform';

export type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;

/**
 * A Redis Cluster. Reads and writes go to masters alone: a replica may be behind a caller's last answer, and the fences
 * of partitions are compared where they are written.
 *
 * Commands are not gathered into pipelines here. The library follows a redirection (MOVED, ASK) or waits
 * for a failover (CLUSTERDOWN, a connection that was closed) for each command by itself, up to sixteen
 * times; for a pipeline it does so only if all of its commands failed alike.
 */
export class LedgerCluster extends Cluster {
  callLimitMs: number | undefined;

  /** The library limits a command where it is sent to a node, and not while it waits for one. */
  override sendCommand(...sent: Parameters<Cluster['sendCommand']>): unknown {
    const [command] = sent;
    if (this.callLimitMs !== undefined) command.setTimeout(this.callLimitMs);
    return super.sendCommand(...sent);
  }
}

/**
 * All servers that keep keys, for walks through all of them. In a cluster they are asked for anew: a master that was
 * replaced just now may be missing among the connections.
 *
 * @throws Error when no node of the cluster answers.
 */
export async function listMasters(redis: Server | Cluster): Promise<readonly Server[]> {
  if (!(redis instanceof Cluster)) return [redis];
  await new Promise<void>((resolve, reject) => {
    redis.refreshSlotsCache((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
  return redis.nodes('master');
}
