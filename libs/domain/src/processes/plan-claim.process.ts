import type {
  CheckoutClaimGranted,
  CheckoutDeclined,
  CreatedCheckoutLink,
} from '../checkout-link/index.js';
import { deriveLinkClaimId } from '../ids/index.js';
import type { PlanClaimed, PlanRefused } from '../player-plans/index.js';
import {
  findScheduledClaim,
  type PlanChanged,
  type PlanChangeDropped,
  type PlanChangeScheduled,
  type StartedSubscription,
  type SubscriptionCanceled,
  type SubscriptionExpired,
} from '../subscription/index.js';
import { requestChange } from './change.process.js';
import { chargeAttempt } from './checkout.process.js';
import { claimStep, releaseStep } from './claim-step.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/**
 * From an attempt on the link of a plan that is bounded for a player to its charge (rules/lifecycle 15): claimed in the
 * player's stream, granted to the link, then charged; or refused, and the link is open again. A claim is released
 * when nothing comes of its attempt, or when the subscription has the plan no more.
 */

/** The player's stream has the claim: its link goes on. A change that waits for the period's end has it, and waits. */
export function grantOnClaimedPlan({
  data: { linkId, attempt, claimedAt: now },
}: ProcessInput<PlanClaimed>): ProcessStep[] {
  if (linkId === '') return [];
  const command = { kind: 'GrantClaim', attempt, now } as const;
  return [{ kind: 'checkout_link', id: linkId, command }];
}

/** The bounds of the plan are used up: its link is opened again, and a change that waits for it is dropped. */
export function refuseOnRefusedPlan({
  data: { claimId, subscriptionId, linkId, attempt, refusal, refusedAt: now },
}: ProcessInput<PlanRefused>): ProcessStep[] {
  if (linkId === '') {
    const command = { kind: 'DropPlanChange', claimId, now } as const;
    return [{ kind: 'subscription', id: subscriptionId, command }];
  }
  const command = { kind: 'RefuseCheckout', attempt, refusal, now } as const;
  return [{ kind: 'checkout_link', id: linkId, command }];
}

/** The player may have the plan: the agreed amount is charged or the agreed change asked for, or the trial begins. */
export function goOnWithGrantedClaim({
  data: { attempt },
  state: link,
  taxRates,
}: ProcessInput<CheckoutClaimGranted, CreatedCheckoutLink, 'taxRates'>): ProcessStep[] {
  const attempted = link.attempts[attempt - 1];
  if (attempted === undefined) return [];
  if ('charge' in attempted) return chargeAttempt(link, attempted);
  const claimId = deriveLinkClaimId(link.linkId, attempt);
  return requestChange(link, attempted, { taxRates, claimId });
}

/** A change that waits for the end of the period claims its plan at once. */
export function claimOnScheduledChange({
  data,
  state: { subscriptionId, player },
}: ProcessInput<PlanChangeScheduled, StartedSubscription>): ProcessStep[] {
  const claim = findScheduledClaim(subscriptionId, data);
  return claim === null ? [] : [claimStep(player, claim, data.scheduledAt)];
}

/** Whether the plan of a change that waits is bounded. */
export function claimsScheduledPlan({ scheduledClaimId }: StartedSubscription): boolean {
  return scheduledClaimId !== '';
}

/** Whether the attempts of a link claim its plan. */
export function isBounded({ offer }: CreatedCheckoutLink): boolean {
  return offer.bounds !== null;
}

/** Nothing comes of an attempt: the plan is free for others. */
export function releaseOnDecline({
  data: { attempt, declinedAt: now },
  state: { linkId, player },
}: ProcessInput<CheckoutDeclined, CreatedCheckoutLink>): ProcessStep[] {
  return [releaseStep(player, [deriveLinkClaimId(linkId, attempt)], now)];
}

/** The events of a subscription by which it gives up a plan that it has, or that waits. */
type Freeing =
  | PlanChanged
  | PlanChangeScheduled
  | PlanChangeDropped
  | SubscriptionCanceled
  | SubscriptionExpired;

/** Whether an event of a subscription has ended claims. */
export function hasFreedPlans({ freedClaimIds }: StartedSubscription): boolean {
  return freedClaimIds.length > 0;
}

/** The subscription has a plan no more, or waits for it no more: the player may buy it again. */
export function releaseFreedPlans({
  data,
  state: { player, freedClaimIds },
}: ProcessInput<Freeing, StartedSubscription>): ProcessStep[] {
  return [releaseStep(player, freedClaimIds, findTime(data))];
}

function findTime(data: Freeing['data']): string {
  if ('changedAt' in data) return data.changedAt;
  if ('scheduledAt' in data) return data.scheduledAt;
  if ('droppedAt' in data) return data.droppedAt;
  return 'expiredAt' in data ? data.expiredAt : data.canceledAt;
}
