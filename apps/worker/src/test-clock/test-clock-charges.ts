import { Inject, Injectable } from '@nestjs/common';
import { idOf, type Position } from '#domain/event';
import { forEachConcurrently, type Log } from '#platform';
import type { PendingCharge } from '#projections';
import { ParkingGate } from '../feed/parking-gate.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { CALLS_AT_ONCE, FOLLOW_LIMIT_MS, SETTLE_LIMIT_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import { PendingCharges } from '../billing-clock/pending-charges.js';
import { Settlements } from './settlements.js';

/** Holds a test clock while charges of its app have no outcome. */
@Injectable()
export class TestClockCharges {
  constructor(
    private readonly pending: PendingCharges,
    private readonly settlements: Settlements,
    private readonly notifier: ProgressNotifier,
    @Inject(ParkingGate) private readonly gate: Pick<ParkingGate, 'entries'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * The last event of any subscription or order of the app.
   *
   * @param shownAt the position up to which this process has to know the events first.
   * @throws Fault when the feed is behind.
   */
  async lastChangeAt(appId: string, shownAt: Position): Promise<Position> {
    await this.notifier.waitFor(shownAt, FOLLOW_LIMIT_MS);
    return this.pending.lastChangeAt(appId);
  }

  /** Whether a subscription or order of the app has changed behind this position, as far as this process knows. */
  hasChangedSince(appId: string, position: Position): boolean {
    return this.pending.lastChangeAt(appId) > position;
  }

  /**
   * Waits for a charge that has had all its time: it is settled, or given up, before the clock goes on.
   *
   * @returns the position of its subject then. @throws as `waitForAll`.
   */
  async waitForEnd(charge: PendingCharge): Promise<Position | null> {
    return this.settlements.waitFor(charge, SETTLE_LIMIT_MS, { isAtBound: true });
  }

  /**
   * Waits for all of these charges, but for those that the gateway takes its time over, and for those of
   * parked streams: who asked for them, and when, does not matter.
   *
   * @returns the position of the last of their subjects; null where there were none to wait for.
   * @throws Fault of the store; when one of them has no outcome within the limit.
   */
  async waitForAll(pending: readonly PendingCharge[]): Promise<Position | null> {
    const awaited = this.#leaveOutParked(pending).filter(
      ({ paymentId }) => !this.pending.isLeftPending(paymentId),
    );
    let settledAt: Position | null = null;
    await forEachConcurrently(awaited, CALLS_AT_ONCE, async (charge) => {
      const position = await this.settlements.waitFor(charge, SETTLE_LIMIT_MS);
      if (position === null) this.log.info(charge, 'a charge stays pending; the clock goes on');
      else if (settledAt === null || position > settledAt) settledAt = position;
    });
    return settledAt;
  }

  /** Those of these charges that the gateway is known to take its time over, but for those of parked streams. */
  listLeftPending(pending: readonly PendingCharge[]): PendingCharge[] {
    return this.#leaveOutParked(pending).filter(({ paymentId }) =>
      this.pending.isLeftPending(paymentId),
    );
  }

  /** Whether the gateway takes its time over all of these still, as the store has it. @throws Fault of the store. */
  async areLeftPending(charges: readonly PendingCharge[]): Promise<boolean> {
    let areAll = true;
    await forEachConcurrently(charges, CALLS_AT_ONCE, async (charge) => {
      if (!(await this.settlements.isLeftPending(charge))) areAll = false;
    });
    return areAll;
  }

  #leaveOutParked(charges: readonly PendingCharge[]): PendingCharge[] {
    const parked = new Set(this.gate.entries.map(({ streamName }) => idOf(streamName)));
    return charges.filter(
      ({ paymentId, subjectId }) => !parked.has(paymentId) && !parked.has(subjectId),
    );
  }
}
