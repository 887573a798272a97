import type { CreatedCheckoutLink } from '#domain/checkout-link';
import type { Decline } from '#domain/payment';
import { ApiError } from '#nest/errors';

/** The part of a decline that is known without asking the bank again. */
export type AttemptDecline = Pick<Decline, 'reason' | 'declineClass'>;

/**
 * How an attempt failed, if it did. The bank's answer is that attempt's for good. One that was replaced and captured
 * too late is given back. That counts as a decline only as long as nothing else paid the link: then the buyer has the
 * purchase (rules/payments 3).
 */
export function findDecline(link: CreatedCheckoutLink, number: number): AttemptDecline | null {
  const { decline = null, paymentId = null } = link.attempts[number - 1] ?? {};
  if (decline !== null || link.paidBy !== null || paymentId === null) return decline;
  if (!link.latePaymentIds.includes(paymentId)) return null;
  return { reason: 'issuer_unavailable', declineClass: 'soft' };
}

/** A bank's suspicion of fraud is for the studio: it must not teach thieves of cards (rules/payments 2). */
const SHOWN_AS_CARD_DECLINED: ReadonlySet<string> = new Set<Decline['reason']>([
  'fraud_suspected',
  'lost_or_stolen_card',
]);

export const REPLAYED = { headers: { 'idempotency-replayed': 'true' } };

/** The error that a payer gets for a decline, and again for the same request (rules/api 13). */
export function declinedPayment(decline: AttemptDecline, replayed: boolean): ApiError {
  const isHidden = SHOWN_AS_CARD_DECLINED.has(decline.reason);
  const { reason, declineClass } = isHidden
    ? { reason: 'card_declined', declineClass: 'hard' }
    : decline;
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'PAYMENT_DECLINED',
    message: 'The payment was declined. Try another payment method.',
    metadata: { reason, declineClass },
    ...(replayed && REPLAYED),
  });
}
