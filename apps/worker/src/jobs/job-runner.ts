import { type Job, type Processor, type Queue, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Log, warnSeldom, withTimeLimit } from '#platform';
import { redisFault } from '#redis';
import {
  JOB_RETRY_AFTER_MS,
  JOBS_STOP_LIMIT_MS,
  STALLED_CHECK_EVERY_MS,
  STALLS_ALLOWED,
  WEDGED_AFTER_MS,
} from '../limits.js';
import { QueueWatch } from './queue-watch.js';

export interface JobRunnerOptions<Data> {
  readonly queue: Queue<Data>;
  /** For short commands. */
  readonly redis: Redis;
  /** Shared by the runners; BullMQ opens a second one to block on. */
  readonly connection: Redis;
  readonly prefix: string;
  readonly concurrency: number;
  /** After so long without a renewal a job is another worker's. */
  readonly lockMs: number;
  /** How long to wait before attempt `attemptsMade + 1`. */
  readonly backoff: (attemptsMade: number, error: Error | undefined) => number;
  readonly process: (job: Job<Data>, token: string, signal: AbortSignal) => Promise<void>;
  /** The job will not be tried again: a dead letter. */
  readonly onDead: (job: Job<Data>, error: Error) => Promise<void>;
  readonly log: Log;
  /** The wall clock, by which jobs are watched. */
  readonly nowMs?: () => number;
}

/**
 * Runs the jobs of a queue. BullMQ's workers have been seen to stand still after trouble with Redis
 * while they report that they run; so the queue itself is watched, and a worker that leaves its jobs
 * waiting is replaced (decision 0045).
 */
export class JobRunner<Data> {
  readonly #options: JobRunnerOptions<Data>;
  readonly #watch: QueueWatch;
  #worker: Worker<Data> | undefined;
  #running = 0;

  constructor(options: JobRunnerOptions<Data>) {
    this.#options = options;
    this.#watch = new QueueWatch(options.queue, options.redis, options.nowMs ?? Date.now);
  }

  start(): void {
    this.#worker = this.#createWorker();
  }

  /** Measures the queue, and replaces a worker that stands still. @throws Fault of Redis. */
  async check(): Promise<void> {
    const { queue, log, concurrency } = this.#options;
    const waitedMs = await this.#watch.measure();
    if (waitedMs < WEDGED_AFTER_MS || this.#running >= concurrency) return;
    log.error({ queue: queue.name, waitedMs }, 'jobs wait and none is taken up: a new worker');
    const wedged = this.#worker;
    this.#worker = this.#createWorker();
    void wedged?.close(true).catch(() => undefined);
  }

  /**
   * Takes up no more jobs and gives those under way a moment. What is not done by then is taken up
   * again after the next start, since its lock runs out.
   */
  async stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.cancelAllJobs('stopping');
    await withTimeLimit(worker.close(), JOBS_STOP_LIMIT_MS, 'a worker').catch(() => undefined);
  }

  #createWorker(): Worker<Data> {
    const { queue, log } = this.#options;
    // BullMQ gives a signal to functions that declare it: no parameter may have a default.
    const process: Processor<Data> = async (job, token, signal) => {
      this.#running += 1;
      try {
        await this.#options.process(job, token ?? '', signal ?? NEVER);
      } finally {
        this.#running -= 1;
      }
    };
    const worker = new Worker<Data>(queue.name, process, this.#workerOptions());
    worker.on('error', (error) => {
      warnSeldom(log, redisFault(error), `the worker of the queue ${queue.name} failed`);
    });
    worker.on('failed', (job, error) => {
      if (job === undefined) return;
      // A job that is tried again is not finished.
      const isDead = job.finishedOn !== undefined;
      const told = { err: error, queue: queue.name, jobId: job.id, attempts: job.attemptsMade };
      if (!isDead) log.warn(told, 'a job failed and is tried again');
      else void this.#bury(job, error, told);
    });
    return worker;
  }

  async #bury(job: Job<Data>, error: Error, told: object): Promise<void> {
    const { log, onDead } = this.#options;
    log.error(told, 'a job is dead: it is kept among the failed ones');
    await onDead(job, error).catch((failure: unknown) => {
      log.error({ ...told, err: failure }, 'what follows a dead job failed');
    });
  }

  #workerOptions(): WorkerOptions {
    const { connection, prefix, concurrency, lockMs, backoff } = this.#options;
    return {
      connection,
      prefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: STALLED_CHECK_EVERY_MS,
      maxStalledCount: STALLS_ALLOWED,
      runRetryDelay: JOB_RETRY_AFTER_MS,
      settings: { backoffStrategy: (attemptsMade, _type, error) => backoff(attemptsMade, error) },
    };
  }
}

const NEVER = new AbortController().signal;
