import type { Position } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import { SETTLE_POLL_MS } from '../limits.js';
import type { Notices } from '../feed/progress-notifier.js';
import type { PendingRenewal } from './pending-renewals.js';
import { pendingPaymentId } from './due-dates.js';

/**
 * Waits until a subscription has taken the outcome of a charge.
 *
 * @returns where the subscription then stands in the store; null when the charge stays pending: at
 *   once where the gateway takes its time over it, else at the end of the limit.
 * @throws Fault of the store.
 */
export async function settlementOf(
  parts: { readonly commands: CommandExecutor; readonly notices: Notices },
  { subscriptionId, paymentId }: PendingRenewal,
  limitMs: number,
): Promise<Position | null> {
  const endsAtMs = Date.now() + limitMs;
  for (;;) {
    // The notice is asked for before the subscription is looked at, so that none is missed.
    const noticed = parts.notices.settled(paymentId, SETTLE_POLL_MS);
    const { state, position } = await parts.commands.load(subscriptionAggregate, subscriptionId);
    if (pendingPaymentId(state) !== paymentId) return position;
    const { state: payment } = await parts.commands.load(paymentAggregate, paymentId);
    const isLeftPending = payment.status === 'PENDING' && payment.pendingSince !== null;
    if (isLeftPending || Date.now() > endsAtMs) return null;
    await noticed;
  }
}
