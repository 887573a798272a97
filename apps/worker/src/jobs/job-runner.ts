import { type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import { type Log, warnSeldom, withTimeLimit } from '#platform';
import { redisFault } from '#redis';
import {
  GIVING_BACK_AT_ONCE,
  JOB_RETRY_AFTER_MS,
  JOBS_STOP_LIMIT_MS,
  STALLED_CHECK_EVERY_MS,
  STALLS_ALLOWED,
  WEDGED_AFTER_MS,
} from '../limits.js';
import { FairJobs, type FairJobsSettings } from './fair-jobs.js';
import type { Claims } from './fair-semaphore.js';
import type { JobQueue } from './job-queue.js';
import { QueueWatch } from './queue-watch.js';

/** What is done with the jobs of a queue. */
export interface JobHandler<Data> {
  process(job: Job<Data>, token: string, signal: AbortSignal): Promise<void>;
  /** Which app, and what of it, the job takes a place of. */
  claimsFor(data: Data): Claims;
  /** How long to wait before attempt `attemptsMade + 1`, in milliseconds. */
  backoffMs(attemptsMade: number, error: Error | undefined): number;
  /** The job will not be tried again. */
  onExhausted(job: Job<Data>, error: Error): Promise<void>;
}

export interface JobRunnerSettings extends FairJobsSettings {
  /** After so long without a renewal a job is another worker's. */
  readonly lockMs: number;
  /** The wall clock, by which jobs are watched. */
  readonly nowMs?: () => number;
}

/**
 * Runs the jobs of a queue. BullMQ's workers have been seen to stand still after trouble with Redis
 * while they report that they run. So the queue itself is watched, and a worker that leaves its jobs
 * waiting is replaced: replacing one that runs well costs a connection, a stalled one costs deliveries.
 */
export class JobRunner<Data> {
  readonly #watch: QueueWatch<Data>;
  readonly #fair: FairJobs<Data>;
  #worker: Worker<Data> | undefined;
  #running = 0;
  #isStopping = false;

  constructor(
    private readonly jobs: JobQueue<Data>,
    private readonly settings: JobRunnerSettings,
    private readonly handler: JobHandler<Data>,
    private readonly jobLog: Log,
  ) {
    this.#watch = new QueueWatch(jobs, settings.nowMs ?? Date.now);
    this.#fair = new FairJobs(jobs, settings, jobLog);
  }

  start(): void {
    this.#worker = this.#createWorker();
  }

  /** Measures the queue, and replaces a worker that stands still. @throws Fault of Redis. */
  async check(): Promise<void> {
    const waitedMs = await this.#watch.measure();
    // It may have stopped meanwhile: nothing would ever close another worker.
    if (this.#isStopping) return;
    this.#fair.check();
    if (waitedMs < WEDGED_AFTER_MS || this.#running >= this.settings.places) return;
    const details = { queue: this.jobs.name, waitedMs };
    this.jobLog.error(details, 'jobs wait and none is taken up: a new worker');
    const wedged = this.#worker;
    this.#worker = this.#createWorker();
    void wedged?.close(true).catch(() => undefined);
  }

  /**
   * Takes up no more jobs and gives those under way a moment. What is not done by then is taken up
   * again after the next start, since its lock runs out.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#fair.stop();
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.cancelAllJobs('stopping');
    await withTimeLimit(worker.close(), JOBS_STOP_LIMIT_MS, 'a worker').catch(() => undefined);
  }

  #createWorker(): Worker<Data> {
    // BullMQ gives a signal to functions that declare it: no parameter may have a default.
    const process: Processor<Data> = async (job, token, signal) => {
      const claims = this.handler.claimsFor(job.data);
      await this.#fair.run(job, token ?? '', claims, () => this.#run(job, token ?? '', signal));
    };
    const { name } = this.jobs;
    const worker = new Worker<Data>(name, process, this.#workerOptions());
    worker.on('error', (error) => {
      warnSeldom(this.jobLog, redisFault(error), `the worker of the queue ${name} failed`);
    });
    worker.on('failed', (job, error) => {
      if (job !== undefined) void this.#onFailed(job, error);
    });
    return worker;
  }

  async #run(job: Job<Data>, token: string, signal: AbortSignal | undefined): Promise<void> {
    this.#running += 1;
    try {
      // One that a worker had asked for already comes after all the others were given up.
      const given = this.#isStopping ? STOPPING : (signal ?? NEVER);
      await this.handler.process(job, token, given);
    } finally {
      this.#running -= 1;
    }
  }

  async #onFailed(job: Job<Data>, error: Error): Promise<void> {
    const log = this.jobLog;
    const { id: jobId, attemptsMade: attempts } = job;
    const details = { err: error, queue: this.jobs.name, jobId, attempts };
    // A job that is tried again is not finished.
    if (job.finishedOn === undefined) {
      log.warn(details, 'a job failed and is tried again');
      return;
    }
    log.error(details, 'a job is exhausted: it is kept among the failed ones');
    await this.handler.onExhausted(job, error).catch((failure: unknown) => {
      log.error({ ...details, err: failure }, 'what follows an exhausted job failed');
    });
  }

  #workerOptions(): WorkerOptions {
    const { workers: connection, prefix } = this.jobs.connections;
    const { places, lockMs } = this.settings;
    return {
      connection,
      prefix,
      // Also while all places are taken, jobs are looked at and given back.
      concurrency: places + GIVING_BACK_AT_ONCE,
      lockDuration: lockMs,
      stalledInterval: STALLED_CHECK_EVERY_MS,
      maxStalledCount: STALLS_ALLOWED,
      runRetryDelay: JOB_RETRY_AFTER_MS,
      settings: {
        backoffStrategy: (attemptsMade, _type, error) =>
          this.handler.backoffMs(attemptsMade, error),
      },
    };
  }
}

const NEVER = new AbortController().signal;
const STOPPING = AbortSignal.abort('stopping');
