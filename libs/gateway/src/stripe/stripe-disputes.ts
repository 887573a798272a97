import type Stripe from 'stripe';
import type { Money } from '#domain/money';
import { fromStripeAmount } from './stripe-amounts.js';

/**
 * An inquiry of the bank's, or a prevented dispute: no money has left. Stripe sends another event where it escalates.
 */
export function takesNothing({ status }: Stripe.Dispute): boolean {
  return status.startsWith('warning_') || status === 'prevented';
}

/** Currencies move, so that banks may dispute more than was paid, or in another currency: then it is all of it. */
export function readDisputedAmount(dispute: Stripe.Dispute, intent: Stripe.PaymentIntent): Money {
  const { amount_received: paid, currency } = intent;
  const disputed = dispute.currency === currency ? Math.min(dispute.amount, paid) : paid;
  return fromStripeAmount(disputed, currency);
}
