import { Inject, Injectable } from '@nestjs/common';
import {
  Fault,
  type Log,
  type Shutdown,
  sleepUnlessAborted,
  warnSeldom,
  withTimeLimit,
} from '#platform';
import type { JobRunner } from './jobs/job-runner.js';
import { LOOPS_STOP_LIMIT_MS, MEASURE_EVERY_MS } from './limits.js';
import type { PaymentJobData } from './processes/payments/payment-jobs.js';
import { MarkWriter } from './feed/checkpoint-backup.js';
import { Reactor } from './feed/reactor.js';
import { Scheduler } from './billing-clock/scheduler.js';
import { TestClockDriver } from './billing-clock/test-clock-driver.js';
import { DELIVERY_RUNNER, LOG, PAYMENT_RUNNER, SHUTDOWN } from './tokens.js';
import type { DeliveryJobData } from './delivery/delivery-job.js';

/** Everything that runs from start to stop, and the order in which it begins and ends. */
@Injectable()
export class WorkerLoops {
  #isStarted = false;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(Reactor) private readonly reactor: Reactor,
    @Inject(MarkWriter) private readonly marks: MarkWriter,
    @Inject(Scheduler) private readonly scheduler: Scheduler,
    @Inject(TestClockDriver) private readonly testClocks: TestClockDriver,
    @Inject(PAYMENT_RUNNER) private readonly payments: JobRunner<PaymentJobData>,
    @Inject(DELIVERY_RUNNER) private readonly deliveries: JobRunner<DeliveryJobData>,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws Fault until the reactor has found where to go on. */
  async requireStarted(): Promise<void> {
    if (this.#isStarted) return;
    throw new Fault('unavailable', 'the loops have not started yet', { retryable: true });
  }

  /** Resolves when the reactor has found where to go on: the store and Redis answer. */
  async start(): Promise<void> {
    const { signal } = this.shutdown;
    this.payments.start();
    this.deliveries.start();
    const resumed = new Promise<void>((resolve) => {
      const reacting = this.reactor.run(signal, resolve);
      const others = [
        this.scheduler.run(signal),
        this.testClocks.run(signal),
        this.#measure(signal),
      ];
      this.#loops = Promise.all([reacting, ...others, this.marks.run(signal)]);
    });
    await resumed;
    this.#isStarted = true;
  }

  /**
   * Waits for what is under way, after the shutdown's signal, and then says in the store how far all
   * is: what ended meanwhile is not repeated, should Redis be lost (rules/running 1).
   */
  async stop(): Promise<void> {
    const ended = Promise.all([this.payments.stop(), this.deliveries.stop(), this.#loops]);
    await withTimeLimit(ended, LOOPS_STOP_LIMIT_MS, 'what is under way').catch((error: unknown) => {
      this.log.warn({ err: error }, 'the next start takes up what is under way');
    });
    await this.marks.writeLast();
  }

  async #measure(signal: AbortSignal): Promise<void> {
    while (await sleepUnlessAborted(MEASURE_EVERY_MS, signal)) {
      const checks = [this.payments.check(), this.deliveries.check()];
      await Promise.all(checks).catch((error: unknown) => {
        warnSeldom(this.log, error, 'the queues could not be measured');
      });
    }
  }
}
