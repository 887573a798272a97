import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import { Fault } from '#platform';
import type { PendingCharge } from '#projections';
import { SETTLE_POLL_MS } from '../limits.js';
import { COMMANDS } from '../tokens.js';
import { loadAwaited } from './awaited-charges.js';
import { PendingCharges } from './pending-charges.js';

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
   * @throws Fault of the store, and at the end of the limit: a worker that stood still, or was killed, has
   *   not said yet what became of the charge, which is no reason to go on without it.
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
      this.pending.noteLeftPending(paymentId);
      const { awaited, position } = await loadAwaited(this.commands, subjectId);
      const isSettled = !awaited.some((charge) => charge.paymentId === paymentId);
      if (!isSettled && !isAtBound && (await this.#isLeftPending(paymentId))) return null;
      this.pending.forgetLeftPending(paymentId);
      if (isSettled) return position;
      if (Date.now() > endsAtMs) {
        throw new Fault('unavailable', `${paymentId} has no outcome yet`, { retryable: true });
      }
      await news;
    }
  }

  async #isLeftPending(paymentId: string): Promise<boolean> {
    const { state } = await this.commands.load(paymentAggregate, paymentId);
    return state.status === 'PENDING' && state.pendingSince !== null;
  }
}
