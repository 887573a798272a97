import { Inject, Injectable } from '@nestjs/common';
import { fromMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import {
  forEachConcurrently,
  isRetryableFault,
  type Log,
  sleepUntilTick,
  warnSeldom,
} from '#platform';
import type { Lease, ReadModels } from '#projection-engine';
import type { TimeRange } from '#projection-engine/define';
import { payments } from '#projections';
import {
  CALLS_AT_ONCE,
  TAKEN_UP_AT_ONCE,
  SETTLING_AT_GATEWAY_MS,
  SLOW_TICK_MS,
} from '../limits.js';
import { LEASE, READ_MODELS } from '../tokens.js';

/** Lists payments of the partition by their missing outcome: of their charge, or of one of their refunds. */
@Injectable()
export class OpenPayments {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'ask'>,
    @Inject(LEASE) private readonly lease: Pick<Lease, 'partition'>,
  ) {}

  /** Those that were asked for by a time, the oldest first. @throws Fault of Redis. */
  find(query: 'pending' | 'refunding', range: Omit<TimeRange, 'partition'>) {
    return this.readModels.ask(payments)[query]({ ...range, partition: this.lease.partition });
  }
}

/** When something that was lost is to be looked at: the next sweep of the gateway asks for it. */
export const OVERDUE = 0;

/** Looks page by page, again and again, at payments that wait for the gateway longer than they should (rules/payments 4). */
export abstract class LostSweep {
  #offset = 0;

  /** @param what was lost, in words. */
  protected constructor(
    private readonly open: Pick<OpenPayments, 'find'>,
    private readonly query: 'pending' | 'refunding',
    private readonly what: string,
    protected readonly log: Log,
  ) {}

  /** @param until whatever was asked for by then may have been lost. */
  protected abstract lookAt(paymentId: string, until: Instant): Promise<void>;

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, what } = this;
    while (await sleepUntilTick(SLOW_TICK_MS, signal)) {
      await this.look(Date.now()).catch((error: unknown) => {
        warnSeldom(log, error, `${what} that were lost could not be looked for`);
      });
    }
  }

  /**
   * Looks at the next payments, and at the oldest again behind the last.
   *
   * @param nowMs by the wall clock. @throws Fault of the store or of Redis; Fenced.
   */
  async look(nowMs: number): Promise<void> {
    const { log, what } = this;
    const until = fromMilliseconds(nowMs - SETTLING_AT_GATEWAY_MS);
    const page = { until, limit: TAKEN_UP_AT_ONCE, offset: this.#offset };
    const found = await this.open.find(this.query, page);
    // Moved on at once: a failure in this page must not starve the next one.
    this.#offset = found.length < TAKEN_UP_AT_ONCE ? 0 : this.#offset + found.length;
    await forEachConcurrently(found, CALLS_AT_ONCE, async ({ member: paymentId }) => {
      await this.lookAt(paymentId, until).catch((error: unknown) => {
        // The store or Redis as a whole is away, or this process may not act.
        if (isRetryableFault(error)) throw error;
        // It is about this payment alone: the others of the page are looked at all the same.
        warnSeldom(log, error, `${what} of ${paymentId} could not be looked for`);
      });
    });
  }
}
