import type { Queue } from 'bullmq';
import { type NamespaceIdentity, Partitions } from '#event-store';
import type { Log } from '#platform';
import { openRedis, type Redis } from '#redis';
import { RETRY_QUEUE, workerKeys } from '#worker-state';

/** A person looks at a page: an answer that takes longer is none. */
const CONNECTION_LIMITS = { connectTimeout: 2_000, commandTimeout: 5_000, maxRetriesPerRequest: 1 };

/** The queues of retries of all partitions, by the numbers of these. */
export interface RetryQueues {
  readonly queues: ReadonlyMap<number, Queue>;
  close(): void;
}

/** Opens them all by one connection. It writes nothing, not even BullMQ's notes about itself. */
export async function openRetryQueues(
  redisUrl: string,
  { layoutId, partitions }: NamespaceIdentity,
  log: Log,
): Promise<RetryQueues> {
  // An API whose board is never asked for does without it.
  const { Queue } = await import('bullmq');
  const redis: Redis = openRedis(redisUrl, CONNECTION_LIMITS);
  // Each queue listens to the connection that it shares.
  redis.setMaxListeners(0);
  const queues = new Map<number, Queue>();
  for (const partition of new Partitions(partitions).numbers) {
    const { prefix } = workerKeys(layoutId, partition);
    const unchanged = { skipVersionCheck: true, skipMetasUpdate: true };
    const queue = new Queue(RETRY_QUEUE, { connection: redis, prefix, ...unchanged });
    // A call that fails says so to its caller, too.
    queue.on('error', (error) =>
      log.debug({ err: error }, 'the board of queues has no connection'),
    );
    queues.set(partition, queue);
  }
  return { queues, close: () => redis.disconnect() };
}
