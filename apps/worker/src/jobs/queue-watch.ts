import type { Queue } from 'bullmq';
import { jobs, oldestWaiting } from '../metrics.js';
import { type Redis, redisReply } from '#redis';

/** BullMQ keeps the due time of a delayed job in the upper bits of its score. */
const DELAYED_SCORE_PER_MS = 0x1000;

/**
 * How long the jobs of a queue wait. A job's own time stamp says little: it may be in its third day
 * of retries. So it is watched for how long the same job is the next one to be taken up.
 */
/** The watched queue. */
interface Watched {
  readonly queue: Queue;
  readonly connections: { readonly redis: Redis; readonly partition: number };
}

export class QueueWatch {
  readonly #queue: Queue;
  readonly #redis: Redis;
  readonly #partition: number;
  readonly #nowMs: () => number;
  #head: string | undefined;
  #headSinceMs = 0;

  /** @param nowMs the wall clock. */
  constructor(watched: Watched, nowMs: () => number) {
    this.#queue = watched.queue;
    this.#redis = watched.connections.redis;
    this.#partition = watched.connections.partition;
    this.#nowMs = nowMs;
  }

  /** Writes the metrics of the queue. @returns how long its oldest job waits, in ms. @throws Fault of Redis. */
  async measure(): Promise<number> {
    const { name } = this.#queue;
    const counts = await redisReply(
      this.#queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
    );
    for (const [state, count] of Object.entries(counts)) {
      jobs.set({ partition: this.#partition, queue: name, state }, count);
    }
    const waitedMs = Math.max(await this.#headWaits(), await this.#delayedIsLate());
    oldestWaiting.set({ partition: this.#partition, queue: name }, waitedMs / 1000);
    return waitedMs;
  }

  async #headWaits(): Promise<number> {
    const [head] = await redisReply(this.#redis.lrange(this.#queue.toKey('wait'), -1, -1));
    if (head !== this.#head) this.#headSinceMs = this.#nowMs();
    this.#head = head;
    return head === undefined ? 0 : this.#nowMs() - this.#headSinceMs;
  }

  /** It is the workers that move delayed jobs on when their time has come. */
  async #delayedIsLate(): Promise<number> {
    const key = this.#queue.toKey('delayed');
    const [, score] = await redisReply(
      this.#redis.zrangebyscore(key, '-inf', '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
    );
    if (score === undefined) return 0;
    return Math.max(0, this.#nowMs() - Number(score) / DELAYED_SCORE_PER_MS);
  }
}
