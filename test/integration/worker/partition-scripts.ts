import type { Redis } from 'ioredis';
import type { Lease } from '#projection-engine';
import type { WorkerKeys } from '#worker-state';
import { PartitionScripts } from '../../../apps/worker/src/redis/partition-scripts.js';

/** The scripts of a partition, where the process knows that the checkpoint has reached a position. */
export function createScripts(
  redis: Redis,
  keys: WorkerKeys,
  lease: Lease,
  known: { position: string } = { position: '' },
): PartitionScripts {
  return new PartitionScripts(redis, keys, lease, {
    get reached() {
      return known.position;
    },
    get reachedForFeed() {
      return known.position;
    },
  });
}
