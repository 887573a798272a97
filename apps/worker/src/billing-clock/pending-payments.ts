import { Inject, Injectable } from '@nestjs/common';
import { fromMilliseconds } from '#domain/calendar';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import type { Lease, ReadModels } from '#projection-engine';
import { payments } from '#projections';
import { NAMED_AT_ONCE, PENDING_TOO_LONG_MS, SLOW_TICK_MS } from '../limits.js';
import { pendingTooLong, refundsOpenTooLong } from '../metrics.js';
import { LEASE, LOG, READ_MODELS } from '../tokens.js';

/** The lists of the read model of payments, with their names and counters. */
const KINDS = [
  { query: 'pending', gauge: pendingTooLong, said: 'a payment has had no outcome for a week' },
  {
    query: 'refunding',
    gauge: refundsOpenTooLong,
    said: 'a refund that was asked for a week ago has no outcome',
  },
] as const;

/**
 * Finds payments of the partition whose charge, or refund, has had no outcome for long, whatever Redis still
 * knows of it: someone has to look at them. Each is named in the log once (rules/payments 4).
 */
@Injectable()
export class PendingPayments {
  #named: ReadonlySet<string> = new Set();

  constructor(
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'ask'>,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    do {
      await this.look(Date.now()).catch((error: unknown) => {
        warnSeldom(this.log, error, 'pending payments could not be looked up');
      });
    } while (await sleepUntilTick(SLOW_TICK_MS, signal));
  }

  /** @param nowMs by the wall clock. @throws Fault of Redis. */
  async look(nowMs: number): Promise<void> {
    const { partition } = this.lease;
    const until = fromMilliseconds(nowMs - PENDING_TOO_LONG_MS);
    const range = { partition, until, limit: NAMED_AT_ONCE };
    const named = new Set<string>();
    for (const { query, gauge, said } of KINDS) {
      const found = await this.readModels.ask(payments)[query](range);
      gauge.set({ partition }, found.length);
      for (const { member: paymentId, at: requestedAt } of found) {
        const name = `${query} ${paymentId}`;
        if (!this.#named.has(name)) this.log.error({ paymentId, requestedAt }, said);
        named.add(name);
      }
    }
    this.#named = named;
  }
}
