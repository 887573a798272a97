import type { Position } from '#domain/fact';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandHandler } from '#event-store';
import { SETTLE_POLL_MS } from '../limits.js';
import type { Notices } from '../reactor/notices.js';
import type { PendingRenewal } from '../reactor/renewals.js';
import { pendingPaymentId } from './due-dates.js';

/**
 * Waits until a subscription has taken the outcome of a charge.
 *
 * @returns where the subscription then stands in the store; null when the charge is still pending at
 *   the end of the limit, as one may be at a gateway that takes its time.
 * @throws Fault of the store.
 */
export async function settlementOf(
  parts: { readonly commands: CommandHandler; readonly notices: Notices },
  { subscriptionId, paymentId }: PendingRenewal,
  limitMs: number,
): Promise<Position | null> {
  const endsAtMs = Date.now() + limitMs;
  for (;;) {
    // The notice is asked for before the subscription is looked at, so that none is missed.
    const noticed = parts.notices.settled(paymentId, SETTLE_POLL_MS);
    const { state, position } = await parts.commands.load(subscriptionAggregate, subscriptionId);
    if (pendingPaymentId(state) !== paymentId) return position;
    if (Date.now() > endsAtMs) return null;
    await noticed;
  }
}
