import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import { DeliveryUpkeep } from '../delivery/queue/delivery-upkeep.js';
import { MEASURE_EVERY_MS } from '../limits.js';
import { PaymentRunner } from '../payments/payment-runner.js';
import { LOG } from '../tokens.js';
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
