import { redisReply } from '#redis';
import { jobs, oldestWaiting } from '../metrics.js';
import type { RetryQueue } from './retry-queue.js';

/** BullMQ keeps the due time of a delayed job in the upper bits of its score. */
const DELAYED_SCORE_PER_MS = 0x1000;

/**
 * How long the jobs of the retry queue wait. A job's own time stamp says little: it may be in its third day of retries.
 * So it is watched for how long the same job is the next one to be taken up.
 */
export class QueueWatch {
  #head: string | undefined;
  #headSinceMs = 0;

  /** @param nowMs the wall clock. */
  constructor(
    private readonly retries: Pick<RetryQueue, 'queue' | 'connections'>,
    private readonly nowMs: () => number,
  ) {}

  /** Writes the metrics of the queue. @returns how long its oldest job waits, in ms. @throws Fault of Redis. */
  async measure(): Promise<number> {
    const { queue, connections } = this.retries;
    const labels = { partition: connections.partition, queue: queue.name };
    const counts = await redisReply(queue.getJobCounts('waiting', 'active', 'delayed', 'failed'));
    for (const [state, count] of Object.entries(counts)) jobs.set({ ...labels, state }, count);
    const waitedMs = Math.max(await this.#headWaits(), await this.#delayedIsLate());
    oldestWaiting.set(labels, waitedMs / 1000);
    return waitedMs;
  }

  async #headWaits(): Promise<number> {
    const { queue, connections } = this.retries;
    const [head] = await redisReply(connections.redis.lrange(queue.toKey('wait'), -1, -1));
    if (head !== this.#head) this.#headSinceMs = this.nowMs();
    this.#head = head;
    return head === undefined ? 0 : this.nowMs() - this.#headSinceMs;
  }

  /** It is the workers that move delayed jobs on when their time has come. */
  async #delayedIsLate(): Promise<number> {
    const { queue, connections } = this.retries;
    const key = queue.toKey('delayed');
    const [, score] = await redisReply(connections.redis.zrange(key, 0, '0', 'WITHSCORES'));
    if (score === undefined) return 0;
    return Math.max(0, this.nowMs() - Number(score) / DELAYED_SCORE_PER_MS);
  }
}
