import { Inject, Injectable } from '@nestjs/common';
import { Worker } from 'bullmq';
import { type Clock, type Log, warnSeldom, withTimeLimit } from '#platform';
import { redisFault } from '#redis';
import { QueueWatch } from '../jobs/queue-watch.js';
import {
  JOB_RETRY_AFTER_MS,
  JOBS_STOP_LIMIT_MS,
  RETRIES_WOKEN_AT_ONCE,
  RETRY_LOCK_MS,
  STALLED_CHECK_EVERY_MS,
  STALLS_ALLOWED,
  WEDGED_AFTER_MS,
} from '../limits.js';
import { CLOCK, LOG } from '../tokens.js';
import { type Retry, RetryQueue } from './retry-queue.js';

/**
 * Wakes deliveries whose next attempt is due. BullMQ's workers have been seen to stand still after trouble with
 * Redis while they report that they run. So the queue itself is watched, and a worker that leaves its jobs
 * waiting is replaced: replacing one that runs well costs a connection.
 */
@Injectable()
export class RetryAlarm {
  readonly #watch: QueueWatch;
  #worker: Worker<Retry> | undefined;
  #wake: (retry: Retry) => void = () => undefined;
  #isStopping = false;

  constructor(
    private readonly retries: RetryQueue,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.#watch = new QueueWatch(retries, () => Date.parse(clock.now()));
  }

  /** @param wake is called once for each, or again where this process ends meanwhile. */
  start(wake: (retry: Retry) => void): void {
    this.#wake = wake;
    this.#worker = this.#createWorker();
  }

  /** Measures the queue, and replaces a worker that stands still. @throws Fault of Redis. */
  async check(): Promise<void> {
    const waitedMs = await this.#watch.measure();
    // It may have stopped meanwhile: nothing would ever close another worker.
    if (this.#isStopping || waitedMs < WEDGED_AFTER_MS) return;
    const details = { queue: this.retries.name, waitedMs };
    this.log.error(details, 'jobs wait and none is taken up: a new worker');
    const wedged = this.#worker;
    this.#worker = this.#createWorker();
    void wedged?.close(true).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    await withTimeLimit(worker.close(), JOBS_STOP_LIMIT_MS, 'a worker').catch(() => undefined);
  }

  #createWorker(): Worker<Retry> {
    const { connections, name } = this.retries;
    const { workers: connection, prefix } = connections;
    const process = async ({ data }: { data: Retry }) => {
      // A wedged worker may come back to life beside the one in its place, and after a stop.
      if (!this.#isStopping) this.#wake(data);
    };
    const worker = new Worker<Retry>(name, process, {
      connection,
      prefix,
      concurrency: RETRIES_WOKEN_AT_ONCE,
      lockDuration: RETRY_LOCK_MS,
      stalledInterval: STALLED_CHECK_EVERY_MS,
      maxStalledCount: STALLS_ALLOWED,
      runRetryDelay: JOB_RETRY_AFTER_MS,
    });
    worker.on('error', (error) => {
      warnSeldom(this.log, redisFault(error), `the worker of the queue ${name} failed`);
    });
    return worker;
  }
}
