import { Inject, Injectable } from '@nestjs/common';
import { idOf, type Position } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import { Fault, forEachConcurrently, type Log } from '#platform';
import type { PendingCharge } from '#projections';
import { ParkingGate } from '../feed/parking-gate.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { CALLS_AT_ONCE, FOLLOW_LIMIT_MS, SETTLE_LIMIT_MS, SETTLE_POLL_MS } from '../limits.js';
import { COMMANDS, LOG } from '../tokens.js';
import { loadAwaited } from '../billing-clock/awaited-charges.js';
import { PendingCharges } from '../billing-clock/pending-charges.js';

/** A charge's entry in the streams, and the position of its subject. */
interface Found {
  readonly charge: 'settled' | 'left_pending' | 'awaited';
  readonly position: Position | null;
}

/** Holds a test clock while charges of its app have no outcome that their subscriptions and orders have taken. */
@Injectable()
export class TestClockCharges {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'load'>,
    private readonly pending: PendingCharges,
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
    return this.#waitFor(charge, true);
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
      const position = await this.#waitFor(charge, false);
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
      if ((await this.#read(charge, false)).charge !== 'left_pending') areAll = false;
    });
    return areAll;
  }

  #leaveOutParked(charges: readonly PendingCharge[]): PendingCharge[] {
    const parked = new Set(this.gate.entries.map(({ streamName }) => idOf(streamName)));
    return charges.filter(
      ({ paymentId, subjectId }) => !parked.has(paymentId) && !parked.has(subjectId),
    );
  }

  /**
   * @param isAtBound one that had all its time is settled soon, however long the gateway takes.
   * @returns where its subject then stands in the store; null, at once, where the gateway takes its
   *   time over the charge.
   * @throws Fault of the store, and at the end of the limit: a worker that stood still, or was killed, has not stored
   *   the charge's outcome yet, which is no reason to go on without it.
   */
  async #waitFor(charge: PendingCharge, isAtBound: boolean): Promise<Position | null> {
    const { paymentId } = charge;
    const endsAtMs = Date.now() + SETTLE_LIMIT_MS;
    for (;;) {
      // The wait begins before the streams are looked at, so that no news is missed.
      const news = this.pending.waitForNews(paymentId, SETTLE_POLL_MS);
      const found = await this.#look(charge, isAtBound);
      if (found.charge === 'left_pending') return null;
      if (found.charge === 'settled') return found.position;
      if (Date.now() > endsAtMs) {
        throw new Fault('unavailable', `${paymentId} has no outcome yet`, { retryable: true });
      }
      await news;
    }
  }

  /**
   * The note is there before the streams are read: an outcome that goes by meanwhile takes it back. Unless the
   * gateway has left the charge pending, this look takes it back, also where it throws: a note that stayed
   * would let the clock go on without the outcome.
   */
  async #look(charge: PendingCharge, isAtBound: boolean): Promise<Found> {
    const { paymentId } = charge;
    this.pending.noteLeftPending(paymentId);
    let isLeftPending = false;
    try {
      const found = await this.#read(charge, isAtBound);
      isLeftPending = found.charge === 'left_pending';
      return found;
    } finally {
      if (!isLeftPending) this.pending.forgetLeftPending(paymentId);
    }
  }

  async #read({ subjectId, paymentId }: PendingCharge, isAtBound: boolean): Promise<Found> {
    const { awaited, position } = await loadAwaited(this.commands, subjectId);
    const isAwaited = awaited.some((charge) => charge.paymentId === paymentId);
    if (!isAwaited) return { charge: 'settled', position };
    if (isAtBound) return { charge: 'awaited', position };
    const { state } = await this.commands.load(paymentAggregate, paymentId);
    const isLeftPending = state.status === 'PENDING' && state.pendingSince !== null;
    return { charge: isLeftPending ? 'left_pending' : 'awaited', position };
  }
}
