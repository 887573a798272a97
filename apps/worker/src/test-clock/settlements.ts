import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import { Fault } from '#platform';
import type { PendingCharge } from '#projections';
import { SETTLE_POLL_MS } from '../limits.js';
import { COMMANDS } from '../tokens.js';
import { loadAwaited } from '../billing-clock/awaited-charges.js';
import { PendingCharges } from '../billing-clock/pending-charges.js';

/** A charge's entry in the streams, and the position of its subject. */
interface Found {
  readonly charge: 'settled' | 'left_pending' | 'awaited';
  readonly position: Position | null;
}

/** Waits for subscriptions and orders to take the outcome of their charges. */
@Injectable()
export class Settlements {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'load'>,
    private readonly pending: PendingCharges,
  ) {}

  /**
   * @param isAtBound one that had all its time is settled soon, however long the gateway takes.
   * @returns where its subject then stands in the store; null, at once, where the gateway takes its
   *   time over the charge.
   * @throws Fault of the store, and at the end of the limit: a worker that stood still, or was killed, has not stored
   *   the charge's outcome yet, which is no reason to go on without it.
   */
  async waitFor(
    { subjectId, paymentId }: PendingCharge,
    limitMs: number,
    { isAtBound = false }: { readonly isAtBound?: boolean } = {},
  ): Promise<Position | null> {
    const endsAtMs = Date.now() + limitMs;
    for (;;) {
      // The wait begins before the streams are looked at, so that no news is missed.
      const news = this.pending.waitForNews(paymentId, SETTLE_POLL_MS);
      const found = await this.#look({ subjectId, paymentId }, isAtBound);
      if (found.charge === 'left_pending') return null;
      if (found.charge === 'settled') return found.position;
      if (Date.now() > endsAtMs) {
        throw new Fault('unavailable', `${paymentId} has no outcome yet`, { retryable: true });
      }
      await news;
    }
  }

  /** Whether a charge has no outcome in the store, and the gateway has said that it takes its time. @throws Fault of the store. */
  async isLeftPending(charge: PendingCharge): Promise<boolean> {
    return (await this.#read(charge, false)).charge === 'left_pending';
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
