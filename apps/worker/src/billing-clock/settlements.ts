import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import { SETTLE_POLL_MS } from '../limits.js';
import { COMMANDS } from '../tokens.js';
import { findPendingPayment } from './due-dates.js';
import { type PendingRenewal, PendingRenewals } from './pending-renewals.js';

/** Waits for subscriptions to take the outcome of their charges. */
@Injectable()
export class Settlements {
  constructor(
    @Inject(COMMANDS) private readonly commands: Pick<CommandExecutor, 'load'>,
    private readonly renewals: PendingRenewals,
  ) {}

  /**
   * @returns where the subscription then stands in the store; null when the charge stays pending: at
   *   once where the gateway takes its time over it, else at the end of the limit.
   * @throws Fault of the store.
   */
  async waitFor(
    { subscriptionId, paymentId }: PendingRenewal,
    limitMs: number,
  ): Promise<Position | null> {
    const endsAtMs = Date.now() + limitMs;
    for (;;) {
      // The wait begins before the subscription is looked at, so that no news is missed.
      const news = this.renewals.waitForNews(paymentId, SETTLE_POLL_MS);
      const { state, position } = await this.commands.load(subscriptionAggregate, subscriptionId);
      if (findPendingPayment(state) !== paymentId) return position;
      const { state: payment } = await this.commands.load(paymentAggregate, paymentId);
      const isLeftPending = payment.status === 'PENDING' && payment.pendingSince !== null;
      if (isLeftPending || Date.now() > endsAtMs) return null;
      await news;
    }
  }
}
