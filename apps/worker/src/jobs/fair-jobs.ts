import { DelayedError, type Job } from 'bullmq';
import type { Log } from '#platform';
import { redisReply } from '#redis';
import { CHOSEN_KEPT_MS } from '../limits.js';
import { jobsGivenBack, jobsWaiting } from '../metrics.js';
import { type Claims, FairSemaphore } from './fair-semaphore.js';
import type { JobQueue } from './job-queue.js';
import { PacedReturns } from './paced-returns.js';

export interface FairJobsSettings {
  /** How many jobs run at once. */
  readonly places: number;
  /** How many of those that wait are remembered. */
  readonly waitingKept: number;
  /** How many that wait are looked at in a second, should none of them be woken. */
  readonly looksPerSecond: number;
}

/**
 * Lets jobs of a queue run by fair shares (rules/fairness 1). BullMQ gives them in the order in which they
 * came. One whose app or endpoint has its share already goes back at once, as a delayed job, so that those
 * behind it are taken up; and it is woken when there is room. Whatever is lost of that with this process
 * comes again by its delay.
 */
export class FairJobs<Data> {
  readonly #semaphore: FairSemaphore;
  readonly #returns: PacedReturns;
  #isStopping = false;

  constructor(
    private readonly jobs: JobQueue<Data>,
    { places, waitingKept, looksPerSecond }: FairJobsSettings,
    private readonly log: Log,
  ) {
    this.#semaphore = new FairSemaphore(places, waitingKept);
    this.#returns = new PacedReturns(looksPerSecond);
  }

  /** Runs a job. @throws DelayedError when it has to wait; what `act` throws. */
  async run(job: Job<Data>, token: string, claims: Claims, act: () => Promise<void>) {
    const jobId = job.id ?? '';
    if (!this.#semaphore.tryAcquire(jobId, claims)) {
      await this.#giveBack(job, token, claims);
      throw new DelayedError();
    }
    try {
      await act();
    } finally {
      this.#semaphore.release(jobId);
      this.#wake();
    }
  }

  /** Frees what was lost on the way, and writes the metrics. */
  check(): void {
    const nowMs = Date.now();
    this.#semaphore.releaseLate(nowMs);
    this.#returns.forgetOld(nowMs);
    this.#wake();
    const { connections, name: queue } = this.jobs;
    jobsWaiting.set({ partition: connections.partition, queue }, this.#semaphore.waiting);
  }

  /** Wakes no more jobs: the next start takes them up. */
  stop(): void {
    this.#isStopping = true;
  }

  async #giveBack(job: Job<Data>, token: string, claims: Claims): Promise<void> {
    const [{ key } = { key: '' }] = claims;
    const returning = { jobId: job.id ?? '', key, keys: this.#semaphore.waitingApps };
    const atMs = this.#returns.take(returning, Date.now(), Math.random());
    await redisReply(job.moveToDelayed(atMs, token));
    jobsGivenBack.inc({ queue: this.jobs.name });
    // Not before: what is not delayed cannot be woken. There may have come room meanwhile.
    this.#semaphore.enqueue(job.id ?? '', claims);
    this.#wake();
  }

  #wake(): void {
    while (!this.#isStopping) {
      const jobId = this.#semaphore.choose(Date.now() + CHOSEN_KEPT_MS);
      if (jobId === undefined) return;
      this.#returns.giveTurnBack(jobId, Date.now());
      void this.#promote(jobId);
    }
  }

  /** Never throws. A job that has come by itself meanwhile finds its place kept all the same. */
  async #promote(jobId: string): Promise<void> {
    try {
      const job = await redisReply(this.jobs.queue.getJob(jobId));
      if (job === undefined) {
        this.#semaphore.release(jobId);
        this.#wake();
      } else {
        await redisReply(job.promote());
      }
    } catch (error) {
      this.log.debug({ err: error, jobId }, 'a job did not have to be woken');
    }
  }
}
