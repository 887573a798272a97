import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUntilTick, warnSeldom, withTimeLimit } from '#platform';
import { CheckpointBackup } from '../backup/checkpoint-backup.js';
import { DeliveryUpkeep } from '../delivery/queue/delivery-upkeep.js';
import { DeliveryLogWriter } from '../delivery/send/delivery-log-writer.js';
import { PartitionFeed } from '../feed/partition-feed.js';
import { JOBS_STOP_LIMIT_MS, MEASURE_EVERY_MS } from '../limits.js';
import { PaymentRunner } from '../payments/payment-runner.js';
import { LOG, LOOPS } from '../tokens.js';
import { EndpointMetrics } from './endpoint-metrics.js';

/** The runners of all queues. */
@Injectable()
export class JobRunners {
  readonly #all;

  constructor(
    private readonly payments: PaymentRunner,
    private readonly deliveries: DeliveryUpkeep,
    private readonly endpoints: EndpointMetrics,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.#all = [payments, deliveries];
  }

  /** Starts them, and measures their queues until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    for (const runner of this.#all) runner.start();
    while (await sleepUntilTick(MEASURE_EVERY_MS, signal)) {
      const checks = [this.endpoints.measure(), ...this.#all.map((runner) => runner.check())];
      await Promise.all(checks).catch((error: unknown) => {
        warnSeldom(this.log, error, 'the queues could not be measured');
      });
    }
  }

  /** Begins no more: all of it is in memory, and another process has it, too, in a moment. */
  end(): void {
    this.payments.end();
    this.deliveries.end();
  }

  /** Resolves when no job is under way, or after a limit. */
  async stop(): Promise<void> {
    await Promise.all(this.#all.map((runner) => runner.stop()));
  }
}

/** Runs until the signal is aborted; never throws. */
export interface PartitionLoop {
  run(signal: AbortSignal): Promise<void>;
}

/** The loops of a partition beside its feed, for as long as it is held. */
@Injectable()
export class PartitionLoops {
  readonly #ending = new AbortController();
  #loops: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(LOOPS) private readonly loops: readonly PartitionLoop[],
    private readonly runners: JobRunners,
    private readonly backup: CheckpointBackup,
    private readonly deliveryLog: DeliveryLogWriter,
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
    const loops = [...this.loops, this.runners, this.backup, this.deliveryLog];
    await Promise.all([...loops.map((loop) => loop.run(signal)), this.feed.retryParked(signal)]);
  }

  /** Begins nothing new. */
  end(): void {
    this.#ending.abort();
    this.runners.end();
  }

  /**
   * Waits for work under way, when no events come any more, and then backs up how far all is: work that ended meanwhile
   * is not repeated, should Redis be lost (rules/running 1).
   */
  async stop(): Promise<void> {
    this.end();
    // The jobs have a limit of their own, a little earlier.
    const ended = Promise.all([this.runners.stop(), this.#loops]);
    await withTimeLimit(ended, JOBS_STOP_LIMIT_MS + 200, 'what is under way').catch(
      (error: unknown) => {
        this.log.warn({ err: error }, 'the next start takes up what is under way');
      },
    );
    await Promise.all([this.backup.writeLast(), this.deliveryLog.writeRest()]);
  }
}
