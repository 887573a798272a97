import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { Fault, forEachConcurrently, type Log } from '#platform';
import { InFlightWork } from '../feed/in-flight-work.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { COMMANDS_AT_ONCE, STEP_LIMIT_MS, TAKE_OVER_LIMIT_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import { type PendingRenewal, PendingRenewals } from './pending-renewals.js';
import { Settlements } from './settlements.js';

/** Holds a test clock while charges of its app have no outcome. */
@Injectable()
export class TestClockCharges {
  constructor(
    private readonly renewals: PendingRenewals,
    private readonly settlements: Settlements,
    private readonly notifier: ProgressNotifier,
    private readonly inFlight: InFlightWork,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The last event of any subscription of the app that was processed. */
  lastChangeAt(appId: string): Position {
    return this.renewals.lastChangeAt(appId);
  }

  /**
   * Waits for all charges that an app's subscriptions wait for: asked for by a worker that was killed, by
   * another one that drives the same clock, or by the scheduler.
   *
   * @param shownAt up to where this process has to know the events first.
   * @param awaited the charges that this clock has waited for, whatever came of it; grows.
   * @returns whether there was anything to wait for, and where the last of it stands in the store.
   * @throws Fault when the feed is behind, or of the store.
   */
  async waitForPending(
    appId: string,
    shownAt: Position,
    awaited: Set<string>,
  ): Promise<{ readonly hasWaited: boolean; readonly settledAt: Position | null }> {
    if (!(await this.notifier.waitFor(shownAt, STEP_LIMIT_MS))) {
      throw new Fault('unavailable', 'the feed is behind', { retryable: true });
    }
    await this.inFlight.announceOnce();
    const pending = this.renewals.list(appId).filter(({ paymentId }) => !awaited.has(paymentId));
    let settledAt: Position | null = null;
    await forEachConcurrently(pending, COMMANDS_AT_ONCE, async (renewal) => {
      const position = await this.waitFor(renewal, TAKE_OVER_LIMIT_MS, awaited);
      if (position !== null && (settledAt === null || position > settledAt)) settledAt = position;
    });
    return { hasWaited: pending.length > 0, settledAt };
  }

  /** @returns where the subscription then stands in the store; null when the charge stays pending. */
  async waitFor(
    renewal: PendingRenewal,
    limitMs: number,
    awaited: Set<string>,
  ): Promise<Position | null> {
    // A charge that stays pending is waited for once, and does not hold up each step.
    if (awaited.has(renewal.paymentId)) return null;
    const settledAt = await this.settlements.waitFor(renewal, limitMs);
    awaited.add(renewal.paymentId);
    if (settledAt === null) this.log.info(renewal, 'a charge stays pending; the clock goes on');
    return settledAt;
  }
}
