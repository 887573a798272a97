import { readBucket } from '#domain/ids';
import type { Decline } from '#domain/payment';
import { answer, ApiError, rejected } from '#nest';
import { assertDefect } from '#platform';
import type { AttemptDecline, LinkOutcome } from './await-outcome.handler.js';
import type { CompletedCheckoutDto, PendingCheckoutDto } from './checkout.dto.js';

/** The outcome of a click, and whether the same request was seen before. */
export interface PaidLink {
  readonly outcome: LinkOutcome;
  readonly replayed: boolean;
}

/** A bank's suspicion of fraud is for the studio: it must not teach thieves of cards (rules/payments 2). */
const SHOWN_AS_CARD_DECLINED: ReadonlySet<string> = new Set<Decline['reason']>([
  'fraud_suspected',
  'lost_or_stolen_card',
]);

/**
 * The outcome as the page's script gets it; 202 while it is not known (rules/payments 3). A decline, and a plan that the
 * player cannot have, is the same answer for the same request (rules/api 13, rules/lifecycle 15).
 *
 * @throws ApiError 9 PAYMENT_DECLINED, PLAN_ALREADY_HELD, TRIAL_ALREADY_TAKEN.
 */
export function answerOutcome({
  outcome,
  replayed,
}: PaidLink): CompletedCheckoutDto | PendingCheckoutDto {
  const again = replayed && { headers: { 'idempotency-replayed': 'true' } };
  switch (outcome.kind) {
    case 'declined':
      throw new ApiError('FAILED_PRECONDITION', {
        reason: 'PAYMENT_DECLINED',
        message: 'The payment was declined. Try another payment method.',
        metadata: describeDecline(outcome.decline),
        ...again,
      });
    case 'refused': {
      const { status, reason, message } = rejected({ code: outcome.refusal });
      throw new ApiError(status, { reason, message, ...again });
    }
    case 'pending':
      return answer({ status: 'pending' }, { status: 202, replayed });
    case 'challenge':
      return answer({ status: 'challenge', challengeUrl: outcome.url }, { status: 202, replayed });
    case 'completed': {
      const { kind: _, position, ...purchase } = outcome;
      const { status } = purchase;
      assertDefect(status !== 'none', 'a link is completed once its subscription has begun');
      const id = 'orderId' in purchase ? purchase.orderId : purchase.subscriptionId;
      return answer({ ...purchase, status }, { position, bucket: readBucket(id), replayed });
    }
  }
}

function describeDecline({ reason, declineClass }: AttemptDecline) {
  const isHidden = SHOWN_AS_CARD_DECLINED.has(reason);
  return isHidden ? { reason: 'card_declined', declineClass: 'hard' } : { reason, declineClass };
}
