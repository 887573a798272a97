import { checkoutLinkAggregate } from '../checkout-link/index.js';
import { subscriptionAggregate } from '../subscription/index.js';
import {
  chargeOnGrantedClaim,
  grantOnClaimedPlan,
  hasFreedPlans,
  isBounded,
  refuseOnRefusedPlan,
  releaseOnDecline,
  releaseOnExpiry,
} from './plan-claim.process.js';
import { defineRoute, type ProcessRoute } from './process-route.js';

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
    process: 'charge_on_granted_claim',
    stream: checkoutLinkAggregate,
    decide: chargeOnGrantedClaim,
  }),
  defineRoute({
    on: 'checkout_link.declined.v1',
    process: 'release_plan_on_decline',
    stream: checkoutLinkAggregate,
    when: isBounded,
    decide: releaseOnDecline,
  }),
  defineRoute({
    on: 'subscription.expired.v1',
    process: 'release_plan_on_expiry',
    stream: subscriptionAggregate,
    when: hasFreedPlans,
    decide: releaseOnExpiry,
  }),
];
