import type {
  CheckoutClaimGranted,
  CheckoutDeclined,
  CreatedCheckoutLink,
} from '../checkout-link/index.js';
import { deriveLinkClaimId } from '../ids/index.js';
import type { PlanClaimed, PlanRefused } from '../player-plans/index.js';
import type { SubscriptionExpired, StartedSubscription } from '../subscription/index.js';
import { chargeAttempt } from './checkout.process.js';
import { releaseStep } from './claim-step.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/**
 * From an attempt on the link of a plan that is bounded for a player to its charge (rules/lifecycle 15): claimed in the
 * player's stream, granted to the link, then charged; or refused, and the link is open again. A claim is released
 * when nothing comes of its attempt, or when the subscription has the plan no more.
 */

/** The player's stream has the claim: its link goes on. */
export function grantOnClaimedPlan({
  data: { linkId, attempt, claimedAt: now },
}: ProcessInput<PlanClaimed>): ProcessStep[] {
  const command = { kind: 'GrantClaim', attempt, now } as const;
  return [{ kind: 'checkout_link', id: linkId, command }];
}

/** The bounds of the plan are used up: its link is opened again. */
export function refuseOnRefusedPlan({
  data: { linkId, attempt, refusal, refusedAt: now },
}: ProcessInput<PlanRefused>): ProcessStep[] {
  const command = { kind: 'RefuseCheckout', attempt, refusal, now } as const;
  return [{ kind: 'checkout_link', id: linkId, command }];
}

/** The player may have the plan: what the click has agreed to is charged, or the trial begins. */
export function chargeOnGrantedClaim({
  data: { attempt },
  state: link,
}: ProcessInput<CheckoutClaimGranted, CreatedCheckoutLink>): ProcessStep[] {
  const attempted = link.attempts[attempt - 1];
  return attempted !== undefined && 'charge' in attempted ? chargeAttempt(link, attempted) : [];
}

/** Whether the attempts of a link claim its plan. */
export function isBounded({ offer }: CreatedCheckoutLink): boolean {
  return offer.bounds !== null;
}

/** Nothing comes of an attempt: others may have the plan. */
export function releaseOnDecline({
  data: { attempt, declinedAt: now },
  state: { linkId, player },
}: ProcessInput<CheckoutDeclined, CreatedCheckoutLink>): ProcessStep[] {
  return [releaseStep(player, [deriveLinkClaimId(linkId, attempt)], now)];
}

/** Whether an event of a subscription has ended claims. */
export function hasFreedPlans({ freedClaimIds }: StartedSubscription): boolean {
  return freedClaimIds.length > 0;
}

/** The subscription has ended: the player may buy its plan again. */
export function releaseOnExpiry({
  data: { expiredAt: now },
  state: { player, freedClaimIds },
}: ProcessInput<SubscriptionExpired, StartedSubscription>): ProcessStep[] {
  return [releaseStep(player, freedClaimIds, now)];
}
