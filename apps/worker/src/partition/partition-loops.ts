import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { type Log, withTimeLimit } from '#platform';
import { PendingPayments } from '../billing-clock/pending-payments.js';
import { Scheduler } from '../billing-clock/scheduler.js';
import { TestClockDriver } from '../test-clock/test-clock-driver.js';
import { DeliveryLogWriter } from '../delivery/send/delivery-log-writer.js';
import { LagReader } from '../delivery/plan/lag-reader.js';
import { CheckpointBackup } from '../backup/checkpoint-backup.js';
import { PartitionFeed } from '../feed/partition-feed.js';
import { LOOPS_STOP_LIMIT_MS } from '../limits.js';
import { DailyReconciliation } from '../payments/daily-reconciliation.js';
import { GatewaySweep } from '../payments/gateway-sweep.js';
import { LostCharges } from '../payments/lost-charges.js';
import { LostRefunds } from '../payments/lost-refunds.js';
import { LOG } from '../tokens.js';
import { JobRunners } from './job-runners.js';
import { TimeIndexWriter } from './time-index-writer.js';

/** What runs for a partition beside its feed, for as long as it is held. */
@Injectable()
export class PartitionLoops {
  readonly #ending = new AbortController();
  #loops: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly backup: CheckpointBackup,
    private readonly scheduler: Scheduler,
    private readonly testClocks: TestClockDriver,
    private readonly runners: JobRunners,
    private readonly lagReader: LagReader,
    private readonly deliveryLog: DeliveryLogWriter,
    private readonly gatewaySweep: GatewaySweep,
    private readonly lostCharges: LostCharges,
    private readonly lostRefunds: LostRefunds,
    private readonly pendingPayments: PendingPayments,
    private readonly reconciliation: DailyReconciliation,
    private readonly timeIndex: TimeIndexWriter,
    private readonly feed: PartitionFeed,
    @Inject(LOG) private readonly log: Log,
  ) {}

  start(): void {
    this.#loops = this.#run();
  }

  /** Nothing is sent or asked before the feed knows whether Redis has lost something. */
  async #run(): Promise<void> {
    const { signal } = this.#ending;
    if (!(await this.feed.untilResumed(signal))) return;
    // Each loop listens while it waits: Node would warn of more than ten.
    setMaxListeners(0, signal);
    await Promise.all([
      this.runners.run(signal),
      this.scheduler.run(signal),
      this.testClocks.run(signal),
      this.backup.run(signal),
      this.lagReader.run(signal),
      this.deliveryLog.run(signal),
      this.gatewaySweep.run(signal),
      this.lostCharges.run(signal),
      this.lostRefunds.run(signal),
      this.pendingPayments.run(signal),
      this.reconciliation.run(signal),
      this.timeIndex.run(signal),
      this.feed.retryParked(signal),
    ]);
  }

  /** Begins nothing new. */
  end(): void {
    this.#ending.abort();
    this.runners.end();
  }

  /**
   * Waits for what is under way, when no events come any more, and then backs up how far all is: what
   * ended meanwhile is not repeated, should Redis be lost (rules/running 1).
   */
  async stop(): Promise<void> {
    this.end();
    const ended = Promise.all([this.runners.stop(), this.#loops]);
    await withTimeLimit(ended, LOOPS_STOP_LIMIT_MS, 'what is under way').catch((error: unknown) => {
      this.log.warn({ err: error }, 'the next start takes up what is under way');
    });
    await Promise.all([this.backup.writeLast(), this.deliveryLog.writeRest()]);
  }
}
