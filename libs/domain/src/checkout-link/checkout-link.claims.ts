import { accept, type Decision } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { deriveLinkClaimId } from '../ids/index.js';
import type { PlanClaim, PlanRefusal, WantedPlan } from '../player-plans/index.js';
import type { CheckoutLinkEvent, Offer } from './checkout-link.events.js';
import type { CheckoutAttempt, CreatedCheckoutLink } from './checkout-link.state.js';

/**
 * A plan that is bounded for a player is claimed in the player's own stream, once an attempt is an event, and
 * before anything is charged (rules/lifecycle 15): so no claim is forgotten, whatever is killed meanwhile.
 */

/** The answer of the player's stream to an attempt. */
export type ClaimAnswer =
  | { readonly kind: 'GrantClaim'; readonly attempt: number; readonly now: Instant }
  | {
      readonly kind: 'RefuseCheckout';
      readonly attempt: number;
      readonly refusal: PlanRefusal;
      readonly now: Instant;
    };

/** Takes the answer; one that is known already changes nothing. */
export function takeClaimAnswer(
  answer: ClaimAnswer,
  state: CreatedCheckoutLink,
): Decision<CheckoutLinkEvent, never> {
  const { attempt, now } = answer;
  const asked = state.attempts[attempt - 1];
  if (asked === undefined || asked.isGranted || asked.refusal !== null) return accept();
  if (answer.kind === 'GrantClaim') {
    return accept({ type: 'checkout_link.claim_granted.v1', data: { attempt, grantedAt: now } });
  }
  const { refusal } = answer;
  return accept({ type: 'checkout_link.refused.v1', data: { attempt, refusal, refusedAt: now } });
}

/** The plan that a buyer of the offer must be free for; null where nothing bounds it. */
export function findWantedPlan({ planId, bounds, trial }: Offer): WantedPlan | null {
  return bounds === null ? null : { planId, bounds, hasTrial: trial !== null };
}

/** The claim of an attempt on its player's plans; null where nothing bounds the plan. */
export function findClaim(
  { linkId, offer }: Pick<CreatedCheckoutLink, 'linkId' | 'offer'>,
  { attempt, subscriptionId }: Pick<CheckoutAttempt, 'attempt' | 'subscriptionId'>,
): PlanClaim | null {
  const wanted = findWantedPlan(offer);
  if (wanted === null) return null;
  const claimId = deriveLinkClaimId(linkId, attempt);
  return { claimId, subscriptionId, linkId, attempt, ...wanted };
}
