import { checkoutLinkAggregate } from '../checkout-link/index.js';
import { deriveLinkClaimId } from '../ids/index.js';
import { findScheduledClaim, subscriptionAggregate } from '../subscription/index.js';
import { requestChange } from './change.process.js';
import { chargeAttempt } from './checkout.process.js';
import { defineRoutes, type ProcessRoute } from './process-route.js';
import { claimStep, onLink, onSubscription, releaseStep } from './steps.js';

/**
 * From an attempt on the link of a plan that is bounded for a player to its charge (rules/lifecycle 15): claimed in the
 * player's stream, granted to the link, then charged; or refused, and the link is open again. A claim is released
 * when nothing comes of its attempt, or when the subscription has the plan no more.
 */
export const PLAN_CLAIM_ROUTES: readonly ProcessRoute[] = [
  // The player's stream has the claim: its link goes on. A change that waits for the period's end has it, and waits.
  ...defineRoutes({
    on: ['player_plans.claimed.v1'],
    process: 'grant_on_claimed_plan',
    decide: ({ data: { linkId, attempt, claimedAt: now } }) =>
      linkId === '' ? [] : [onLink(linkId, { kind: 'GrantClaim', attempt, now })],
  }),
  // The bounds of the plan are used up: its link is opened again, and a change that waits for it is dropped.
  ...defineRoutes({
    on: ['player_plans.refused.v1'],
    process: 'refuse_on_refused_plan',
    decide: ({ data: { claimId, subscriptionId, linkId, attempt, refusal, refusedAt: now } }) =>
      linkId === ''
        ? [onSubscription(subscriptionId, { kind: 'DropPlanChange', claimId, now })]
        : [onLink(linkId, { kind: 'RefuseCheckout', attempt, refusal, now })],
  }),
  // The player may have the plan: the agreed amount is charged or the agreed change asked for, or the trial begins.
  ...defineRoutes({
    on: ['checkout_link.claim_granted.v1'],
    process: 'go_on_with_granted_claim',
    stream: checkoutLinkAggregate,
    needs: ['taxRates'],
    decide: ({ data: { attempt }, state: link, taxRates }) => {
      const attempted = link.attempts[attempt - 1];
      if (attempted === undefined) return [];
      if ('charge' in attempted) return chargeAttempt(link, attempted);
      const claimId = deriveLinkClaimId(link.linkId, attempt);
      return requestChange(link, attempted, { taxRates, claimId });
    },
  }),
  // Nothing comes of an attempt: the plan is free for others.
  ...defineRoutes({
    on: ['checkout_link.declined.v1'],
    process: 'release_plan_on_decline',
    stream: checkoutLinkAggregate,
    when: ({ offer }) => offer.bounds !== null,
    decide: ({ data: { attempt, declinedAt }, state: { linkId, player } }) => [
      releaseStep(player, [deriveLinkClaimId(linkId, attempt)], declinedAt),
    ],
  }),
  // A change that waits for the end of the period claims its plan at once.
  ...defineRoutes({
    on: ['subscription.plan_change_scheduled.v1'],
    process: 'claim_on_scheduled_change',
    stream: subscriptionAggregate,
    when: ({ scheduledClaimId }) => scheduledClaimId !== '',
    decide: ({ data, state: { subscriptionId, player } }) => {
      const claim = findScheduledClaim(subscriptionId, data);
      return claim === null ? [] : [claimStep(player, claim, data.scheduledAt)];
    },
  }),
  // The subscription has a plan no more, or waits for it no more: the player may buy it again.
  ...defineRoutes({
    on: [
      'subscription.plan_changed.v1',
      'subscription.plan_change_scheduled.v1',
      'subscription.plan_change_dropped.v1',
      'subscription.canceled.v1',
      'subscription.expired.v1',
    ],
    process: 'release_freed_plans',
    stream: subscriptionAggregate,
    when: ({ freedClaimIds }) => freedClaimIds.length > 0,
    decide: ({ data, state: { player, freedClaimIds } }) => {
      if ('changedAt' in data) return [releaseStep(player, freedClaimIds, data.changedAt)];
      if ('scheduledAt' in data) return [releaseStep(player, freedClaimIds, data.scheduledAt)];
      if ('droppedAt' in data) return [releaseStep(player, freedClaimIds, data.droppedAt)];
      const freedAt = 'expiredAt' in data ? data.expiredAt : data.canceledAt;
      return [releaseStep(player, freedClaimIds, freedAt)];
    },
  }),
];
