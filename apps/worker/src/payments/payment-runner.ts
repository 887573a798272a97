import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import type { Log } from '#platform';
import { Fenced, type Lease } from '#projection-engine';
import { InFlightSet } from '../redis/in-flight-set.js';
import { slotsOfPartition } from '../jobs/app-shares.js';
import { FairRunner } from '../jobs/fair-runner.js';
import {
  GATEWAY_ATTEMPTS,
  OVERDUE_AFTER_MS,
  PAYMENT_JOBS_AT_ONCE,
  REQUEUED_FOR_MS,
  WAITING_KEPT,
} from '../limits.js';
import { overdueAtGateway } from '../metrics.js';
import { LEASE, LOG, PARTITIONS } from '../tokens.js';
import { gatewayRetryMs } from './job-result.js';
import { PaymentHandler } from './payment-handler.js';
import type { PaymentJob } from './payment-jobs.js';

const QUEUE = 'payments';

/** The error of an attempt; undefined where it had none. */
type Outcome = { readonly error: unknown } | undefined;

/**
 * Runs charges and refunds. Those that wait are in memory alone (decision 0020): all of them are in flight in Redis, with
 * a time at which the sweep begins again those that this process has lost, or had no room for.
 */
@Injectable()
export class PaymentRunner {
  /** So many wait or run here at most. */
  readonly jobsAtMost: number;
  readonly #runner: FairRunner<PaymentJob, Outcome, void>;
  /** The jobs that wait, run, or are tried again soon, by their ids, and by their members of the work in flight. */
  readonly #ids = new Set<string>();
  readonly #members = new Set<string>();
  readonly #pauses = new Set<NodeJS.Timeout>();

  constructor(
    private readonly handler: PaymentHandler,
    @Inject(InFlightSet) private readonly inFlight: Pick<InFlightSet, 'countDue'>,
    @Inject(PARTITIONS) partitions: Partitions,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {
    const slots = slotsOfPartition(PAYMENT_JOBS_AT_ONCE, partitions);
    const waitingKept = Math.ceil(WAITING_KEPT / partitions.count);
    this.jobsAtMost = slots + waitingKept;
    const work = {
      findApp: (job: PaymentJob) => job.data.causation.appId,
      attempt: (job: PaymentJob) =>
        handler.process(job).then(
          () => undefined,
          (error: unknown) => {
            if (error instanceof Fenced) this.#runner.holdOn();
            return { error };
          },
        ),
      settle: (job: PaymentJob, outcome: Outcome) => this.#settle(job, outcome),
    };
    this.#runner = new FairRunner(lease, work, { slots, waitingKept });
  }

  start(): void {
    this.#runner.start();
  }

  /** Jobs that are in flight already. One that is here stays as it is; one without room is left to the sweep. */
  add(jobs: readonly PaymentJob[]): void {
    for (const job of jobs) if (!this.#ids.has(job.id)) this.#enqueue(job);
    this.#runner.wake();
  }

  /** Whether the job of this member of the work in flight waits here, or runs. */
  isAtWork(member: string): boolean {
    return this.#members.has(member);
  }

  /** Writes the metrics. @throws Fault of Redis. */
  async check(): Promise<void> {
    this.#runner.measure(QUEUE, { delayed: this.#pauses.size });
    const overdue = await this.inFlight.countDue(Date.now() - OVERDUE_AFTER_MS);
    overdueAtGateway.set({ partition: this.lease.partition }, overdue);
  }

  /** Begins no more of them: the partition is given up, and another process soon begins them. */
  end(): void {
    this.#runner.end();
    for (const pause of this.#pauses) clearTimeout(pause);
  }

  /** Gives those under way a moment. The next start begins the rest again. */
  async stop(): Promise<void> {
    this.end();
    await this.#runner.stop();
  }

  #enqueue(job: PaymentJob): void {
    if (this.#runner.enqueue(job)) this.#keep(job);
    else this.#forget(job);
  }

  #keep({ id, data }: PaymentJob): void {
    this.#ids.add(id);
    this.#members.add(data.inFlight);
  }

  #forget({ id, data }: PaymentJob): void {
    this.#ids.delete(id);
    this.#members.delete(data.inFlight);
  }

  async #settle(job: PaymentJob, outcome: Outcome): Promise<void> {
    if (outcome === undefined) this.#forget(job);
    else await this.#onFailure(job, outcome.error);
  }

  async #onFailure(job: PaymentJob, error: unknown): Promise<void> {
    // This process may not act now: that is no failed attempt.
    if (error instanceof Fenced) {
      this.#again(job, REQUEUED_FOR_MS);
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

  /** Meanwhile it has no slot. */
  #again(job: PaymentJob, afterMs: number): void {
    if (!this.#runner.isStarted) return;
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      this.#enqueue(job);
      this.#runner.wake();
    }, afterMs);
    this.#pauses.add(pause);
  }
}
