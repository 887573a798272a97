import { Inject, Injectable } from '@nestjs/common';
import { type Job, Worker } from 'bullmq';
import type { Instant } from '#domain/event';
import { type Clock, type Log, warnSeldom, withTimeLimit } from '#platform';
import { redisFault } from '#redis';
import { QueueWatch } from './queue-watch.js';
import {
  JOBS_STOP_LIMIT_MS,
  REQUEUED_FOR_MS,
  RETRIES_AT_ONCE,
  RETRY_LOCK_MS,
  RETRY_SOON_MS,
  TICK_MS,
  WEDGED_AFTER_MS,
} from '../limits.js';
import { CLOCK, LOG } from '../tokens.js';
import { putOff, type Retry, RetryQueue } from './retry-queue.js';

/** The next step of a job after the attempt that it made, or could not make. */
export type AfterAttempt =
  /** Nothing is left to be done. */
  | { readonly kind: 'over' }
  /** The next attempt is due after so long. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly delayMs: number;
      readonly enabledAt: Instant | undefined;
    }
  /** No attempt is used up. */
  | { readonly kind: 'putOff'; readonly forMs: number };

/** Stalls say something about workers, nothing about the job: they must not fail it. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** An attempt of a job failed: BullMQ counts it, and the next one is due by the schedule. */
class AttemptFailed extends Error {
  constructor(
    reason: string,
    readonly delayMs: number,
  ) {
    super(reason);
  }
}

/** Makes an attempt, after so many that failed. Never throws. */
export type MakeRetry = (retry: Retry, attempts: number) => Promise<AfterAttempt>;

/**
 * Processes the jobs of deliveries that failed, each of which makes an attempt when that is due. BullMQ's workers have
 * been seen to stand still after trouble with Redis while they report that they run. So the queue itself is watched,
 * and a worker that leaves its jobs waiting is replaced: replacing one that runs well costs a connection.
 */
@Injectable()
export class RetryWorker {
  readonly #watch: QueueWatch;
  #worker: Worker<Retry> | undefined;
  #make: MakeRetry | undefined;
  #closing: Promise<void> | undefined;
  #isStopping = false;

  constructor(
    private readonly retries: RetryQueue,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.#watch = new QueueWatch(retries, () => Date.parse(clock.now()));
  }

  /** @param make is called for each that is due. */
  start(make: MakeRetry): void {
    this.#make = make;
    this.#worker = this.#createWorker();
  }

  /** Has jobs make their attempts now, in this order. @throws Fault of Redis. */
  async promote(members: readonly string[]): Promise<void> {
    await this.retries.promote(members);
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

  /** Begins no more of them. */
  end(): void {
    this.#isStopping = true;
    this.#closing ??= this.#worker?.close();
    this.#closing?.catch(() => undefined);
  }

  /** Resolves when no attempt is under way, or after a limit. */
  async stop(): Promise<void> {
    this.end();
    const closed = this.#closing ?? Promise.resolve();
    await withTimeLimit(closed, JOBS_STOP_LIMIT_MS, 'a worker').catch(() => undefined);
  }

  /** Jobs that a wedged worker takes up when it comes back to life, or after a stop, are left to the one after it. */
  async #process(job: Job<Retry>, token: string | undefined): Promise<void> {
    const { data, attemptsMade } = job;
    if (this.#isStopping || this.#make === undefined) {
      return putOff(job, token, REQUEUED_FOR_MS, this.log);
    }
    const after = await this.#make(data, attemptsMade + 1);
    if (after.kind === 'over') return;
    if (after.kind === 'putOff') return putOff(job, token, after.forMs, this.log);
    const { reason, delayMs, enabledAt } = after;
    if (enabledAt !== data.enabledAt) await this.#noteEnabled(job, enabledAt);
    throw new AttemptFailed(reason, delayMs);
  }

  /** Where Redis does not take it, the next start makes the attempt before its time. */
  async #noteEnabled(job: Job<Retry>, enabledAt: Instant | undefined): Promise<void> {
    await job.updateData({ ...job.data, enabledAt }).catch((error: unknown) => {
      warnSeldom(this.log, error, 'a retry does not know when its endpoint was enabled');
    });
  }

  #createWorker(): Worker<Retry> {
    const { connections, name } = this.retries;
    const { workers: connection, prefix } = connections;
    const process = (job: Job<Retry>, token?: string) => this.#process(job, token);
    const worker = new Worker<Retry>(name, process, {
      connection,
      prefix,
      concurrency: RETRIES_AT_ONCE,
      lockDuration: RETRY_LOCK_MS,
      stalledInterval: TICK_MS,
      maxStalledCount: NEVER,
      runRetryDelay: RETRY_SOON_MS,
      settings: {
        backoffStrategy: (_made, _type, error) =>
          error instanceof AttemptFailed ? error.delayMs : RETRY_SOON_MS,
      },
    });
    worker.on('error', (error) => {
      warnSeldom(this.log, redisFault(error), `the worker of the queue ${name} failed`);
    });
    return worker;
  }
}
