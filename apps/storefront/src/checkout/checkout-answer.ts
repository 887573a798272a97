import { readBucket } from '#domain/ids';
import { answer } from '#nest';
import { assertDefect } from '#platform';
import type { CompletedCheckoutDto, PendingCheckoutDto } from './checkout.dto.js';
import type { CheckoutOutcome } from './checkout-outcome.handler.js';
import { declinedPayment } from './payment-decline.js';

/** What came of a click, and whether the same request was seen before. */
export interface CheckoutResult {
  readonly outcome: CheckoutOutcome;
  readonly replayed: boolean;
}

/**
 * The outcome as the page's script gets it; 202 while it is not known (rules/payments 3).
 *
 * @throws ApiError 9 PAYMENT_DECLINED.
 */
export function answerCheckout({
  outcome,
  replayed,
}: CheckoutResult): CompletedCheckoutDto | PendingCheckoutDto {
  if (outcome.kind === 'declined') throw declinedPayment(outcome.decline, replayed);
  if (outcome.kind === 'pending') return answer({ status: 'pending' }, { status: 202, replayed });
  if (outcome.kind === 'challenge') {
    const { url: challengeUrl } = outcome;
    return answer({ status: 'challenge', challengeUrl }, { status: 202, replayed });
  }
  const { subscriptionId, status, position } = outcome;
  assertDefect(status !== 'none', 'a link is completed once its subscription has begun');
  const bucket = readBucket(subscriptionId);
  return answer({ subscriptionId, status }, { position, bucket, replayed });
}
