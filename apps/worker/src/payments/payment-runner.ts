import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import type { Log } from '#platform';
import { Fenced, type Lease } from '#projection-engine';
import { InFlightSet } from '../redis/in-flight-set.js';
import { AppShares } from '../jobs/app-shares.js';
import { shareOfQueue } from '../jobs/places.js';
import {
  FENCED_RETRY_MS,
  GATEWAY_ATTEMPTS,
  JOBS_STOP_LIMIT_MS,
  OVERDUE_AFTER_MS,
  PAYMENT_JOBS_AT_ONCE,
} from '../limits.js';
import { jobs as jobsGauge, jobsWaiting, oldestWaiting, overdueAtGateway } from '../metrics.js';
import { LEASE, LOG, PARTITIONS } from '../tokens.js';
import { gatewayRetryMs } from './gateway-backoff.js';
import { PaymentHandler } from './payment-handler.js';
import type { PaymentJob } from './payment-jobs.js';

const QUEUE = 'payments';

interface Known {
  readonly job: PaymentJob;
  /** Since when it is here, by the monotonic clock. */
  readonly sinceMs: number;
  isRunning: boolean;
}

/**
 * Runs charges and refunds, by fair shares of the places (rules/fairness 1). What waits is in memory alone
 * (decision 0020): all of it is in flight in Redis, with a time at which the sweep begins again what this
 * process has lost, or had no room for.
 */
@Injectable()
export class PaymentRunner {
  /** So many wait or run here at most. */
  readonly jobsAtMost: number;
  readonly #shares: AppShares<string>;
  /** What waits, runs, or is tried again soon, by its id; and their members of the work in flight. */
  readonly #known = new Map<string, Known>();
  readonly #members = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  #isStarted = false;
  /** While this process may not act, as far as it knows. */
  #hold: NodeJS.Timeout | undefined;

  constructor(
    private readonly handler: PaymentHandler,
    @Inject(InFlightSet) private readonly inFlight: Pick<InFlightSet, 'countDue'>,
    @Inject(PARTITIONS) partitions: Partitions,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {
    const { places, waitingKept } = shareOfQueue(PAYMENT_JOBS_AT_ONCE, partitions);
    this.jobsAtMost = places + waitingKept;
    this.#shares = new AppShares(places, waitingKept);
  }

  /** What was added before waits until then: nothing is asked before it is known what Redis has lost. */
  start(): void {
    this.#isStarted = true;
    this.#wake();
  }

  /** Jobs that are in flight already. One that is here stays as it is; one without room is left to the sweep. */
  add(jobs: readonly PaymentJob[]): void {
    for (const job of jobs) if (!this.#known.has(job.id)) this.#enqueue(job);
    this.#wake();
  }

  /** Whether the job of this member of the work in flight waits here, or runs. */
  isAtWork(member: string): boolean {
    return this.#members.has(member);
  }

  /** Writes the metrics. @throws Fault of Redis. */
  async check(): Promise<void> {
    const { partition } = this.lease;
    const states = { waiting: this.#shares.waiting, active: this.#running.size };
    for (const [state, count] of Object.entries({ ...states, delayed: this.#pauses.size })) {
      jobsGauge.set({ partition, queue: QUEUE, state }, count);
    }
    jobsWaiting.set({ partition, queue: QUEUE }, this.#shares.waiting);
    oldestWaiting.set({ partition, queue: QUEUE }, this.#oldestWaitsMs() / 1_000);
    const overdue = await this.inFlight.countDue(Date.now() - OVERDUE_AFTER_MS);
    overdueAtGateway.set({ partition }, overdue);
  }

  /** Begins no more of them: the partition is given up, and another process soon begins them. */
  end(): void {
    this.#isStarted = false;
    for (const pause of this.#pauses) clearTimeout(pause);
    clearTimeout(this.#hold);
  }

  /** Gives those under way a moment. The next start begins again what is left. */
  async stop(): Promise<void> {
    this.end();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, JOBS_STOP_LIMIT_MS)));
    await Promise.race([Promise.all(this.#running), limit]);
    clearTimeout(timer);
  }

  /** They are in the order in which they came, so that few more are looked at than run. */
  #oldestWaitsMs(): number {
    for (const { isRunning, sinceMs } of this.#known.values()) {
      if (!isRunning) return performance.now() - sinceMs;
    }
    return 0;
  }

  #enqueue(job: PaymentJob): void {
    if (this.#shares.enqueue(job.data.causation.appId, job.id)) this.#keep(job);
    else this.#forget(job);
  }

  #keep(job: PaymentJob): void {
    const sinceMs = this.#known.get(job.id)?.sinceMs ?? performance.now();
    this.#known.set(job.id, { job, sinceMs, isRunning: false });
    this.#members.add(job.data.inFlight);
  }

  #forget({ id, data }: PaymentJob): void {
    this.#known.delete(id);
    this.#members.delete(data.inFlight);
  }

  #wake(): void {
    while (this.#mayBegin()) {
      const id = this.#shares.next();
      const known = id === undefined ? undefined : this.#known.get(id);
      if (known === undefined) return;
      known.isRunning = true;
      const running = this.#run(known.job).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  /**
   * What was replaced, paused or cut off must not go through all that it has in memory beside its successor
   * (rules/running 8, decision 0020): its lease says so without a question to Redis.
   */
  #mayBegin(): boolean {
    if (!this.#isStarted || this.#hold !== undefined) return false;
    if (performance.now() < this.lease.lastsUntilMs) return true;
    this.#holdOn();
    return false;
  }

  /** Begins nothing for a moment. */
  #holdOn(): void {
    if (!this.#isStarted || this.#hold !== undefined) return;
    this.#hold = setTimeout(() => {
      this.#hold = undefined;
      this.#wake();
    }, FENCED_RETRY_MS);
  }

  /** Never throws. */
  async #run(job: PaymentJob): Promise<void> {
    const outcome = await this.handler.process(job).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    this.#shares.release(job.data.causation.appId);
    if (outcome === undefined) this.#forget(job);
    else await this.#onFailure(job, outcome.error);
    this.#wake();
  }

  async #onFailure(job: PaymentJob, error: unknown): Promise<void> {
    // This process may not act now: that is no failed attempt.
    if (error instanceof Fenced) {
      this.#again(job, FENCED_RETRY_MS);
      this.#holdOn();
      return;
    }
    const attemptsMade = job.attemptsMade + 1;
    const details = { err: error, queue: QUEUE, jobId: job.id, attempts: attemptsMade };
    if (attemptsMade < GATEWAY_ATTEMPTS) {
      this.log.warn(details, 'a job failed and is tried again');
      this.#again({ ...job, attemptsMade }, gatewayRetryMs(Math.random()));
      return;
    }
    this.#forget(job);
    this.log.error(details, 'a job has no outcome: the gateway is asked again when it is due');
    await this.handler.onExhausted(job).catch((failure: unknown) => {
      this.log.error({ ...details, err: failure }, 'what follows an exhausted job failed');
    });
  }

  /** Meanwhile it has no place. */
  #again(job: PaymentJob, afterMs: number): void {
    if (!this.#isStarted) return;
    this.#keep(job);
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      this.#enqueue(job);
      this.#wake();
    }, afterMs);
    this.#pauses.add(pause);
  }
}
