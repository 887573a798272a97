import { checkoutLinkAggregate } from '../checkout-link/index.js';
import { subscriptionAggregate } from '../subscription/index.js';
import {
  claimOnScheduledChange,
  claimsScheduledPlan,
  goOnWithGrantedClaim,
  grantOnClaimedPlan,
  hasFreedPlans,
  isBounded,
  refuseOnRefusedPlan,
  releaseFreedPlans,
  releaseOnDecline,
} from './plan-claim.process.js';
import { defineRoute, type ProcessRoute } from './process-route.js';

/** By these a subscription gives up a plan that it has, or that waits. */
const FREEING = [
  'subscription.plan_changed.v1',
  'subscription.plan_change_scheduled.v1',
  'subscription.plan_change_dropped.v1',
  'subscription.canceled.v1',
  'subscription.expired.v1',
] as const;

/** The rows of the processes by which players have plans no more often than these allow. */
export const PLAN_CLAIM_ROUTES: readonly ProcessRoute[] = [
  defineRoute({
    on: 'player_plans.claimed.v1',
    process: 'grant_on_claimed_plan',
    decide: grantOnClaimedPlan,
  }),
  defineRoute({
    on: 'player_plans.refused.v1',
    process: 'refuse_on_refused_plan',
    decide: refuseOnRefusedPlan,
  }),
  defineRoute({
    on: 'checkout_link.claim_granted.v1',
    process: 'go_on_with_granted_claim',
    stream: checkoutLinkAggregate,
    needs: ['taxRates'],
    decide: goOnWithGrantedClaim,
  }),
  defineRoute({
    on: 'checkout_link.declined.v1',
    process: 'release_plan_on_decline',
    stream: checkoutLinkAggregate,
    when: isBounded,
    decide: releaseOnDecline,
  }),
  defineRoute({
    on: 'subscription.plan_change_scheduled.v1',
    process: 'claim_on_scheduled_change',
    stream: subscriptionAggregate,
    when: claimsScheduledPlan,
    decide: claimOnScheduledChange,
  }),
  ...FREEING.map((on) =>
    defineRoute({
      on,
      process: 'release_freed_plans',
      stream: subscriptionAggregate,
      when: hasFreedPlans,
      decide: releaseFreedPlans,
    }),
  ),
];
