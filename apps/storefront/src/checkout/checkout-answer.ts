import { readBucket } from '#domain/ids';
import type { PlanRefusal } from '#domain/player-plans';
import { answer, ApiError, rejected } from '#nest';
import { assertDefect } from '#platform';
import type { CompletedCheckoutDto, PendingCheckoutDto } from './checkout.dto.js';
import type { CheckoutOutcome } from './checkout-outcome.handler.js';
import { declinedPayment, REPLAYED } from './payment-decline.js';

/** The outcome of a click, and whether the same request was seen before. */
export interface CheckoutResult {
  readonly outcome: CheckoutOutcome;
  readonly replayed: boolean;
}

/**
 * The outcome as the page's script gets it; 202 while it is not known (rules/payments 3).
 *
 * @throws ApiError 9 PAYMENT_DECLINED, PLAN_ALREADY_HELD, TRIAL_ALREADY_TAKEN.
 */
export function answerCheckout({
  outcome,
  replayed,
}: CheckoutResult): CompletedCheckoutDto | PendingCheckoutDto {
  if (outcome.kind === 'declined') throw declinedPayment(outcome.decline, replayed);
  if (outcome.kind === 'refused') throw refusedPlan(outcome.refusal, replayed);
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

/** The player cannot have the plan: the same answer for the same request (rules/lifecycle 15). */
function refusedPlan(refusal: PlanRefusal, replayed: boolean): ApiError {
  const { status, reason, message } = rejected({ code: refusal });
  return new ApiError(status, { reason, message, ...(replayed && REPLAYED) });
}
