import { checkoutLinkAggregate } from '#domain/checkout-link';
import { deriveLinkClaimId } from '#domain/ids';
import { type PlanClaim, playerPlansAggregate } from '#domain/player-plans';
import { noTaxRates } from '#domain/pricing';
import { play } from '../../support/play.js';

const now = '2027-01-31T10:00:00.000Z';
const EXPIRES = '2027-02-01T10:00:00.000Z';
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const period = { value: 1, unit: 'month' } as const;
const bounds = { trialOncePerPlayer: true, onePerPlayer: true, exclusiveGroup: 'passes' };

const claim = (number: number): PlanClaim => ({
  claimId: deriveLinkClaimId(`link_0${number}pass`, 1),
  subscriptionId: `sub_0${number}pass`,
  ...{ linkId: `link_0${number}pass`, attempt: 1, planId: 'plan_01pass', bounds, hasTrial: true },
});

/** The plans of a player who begins a trial, wants it once more meanwhile, and lets it end. */
export const playerPlans = play(
  playerPlansAggregate.decider,
  { kind: 'ClaimPlan', claim: claim(1), now },
  { kind: 'ClaimPlan', claim: claim(2), now },
  { kind: 'ReleasePlans', claimIds: [claim(1).claimId], now: EXPIRES },
);

const attempt = {
  kind: 'AttemptCheckout',
  ...{ paymentMethod: 'pm_ok', planIsAvailable: true },
  ...{ playerIsErased: false, taxRates: noTaxRates, now, wallNow: now },
} as const;

/** Its link, refused while another one has the plan, and granted afterwards. */
export const boundedLink = play(
  checkoutLinkAggregate.decider,
  {
    kind: 'CreateCheckoutLink',
    link: {
      ...{ linkId: 'link_02pass', appId: 'app_01games', player },
      offer: {
        ...{ planId: 'plan_01pass', planName: 'Pass', planDescription: '', bounds },
        ...{ price: { amountMinor: '999', currency: 'USD' }, period },
        trial: { value: 7, unit: 'day' },
      },
      ...{ regionCode: 'US', language: '', returnUrl: '', personal: {} },
      ...{ createdAt: now, expiresAt: EXPIRES },
    },
  },
  attempt,
  { kind: 'RefuseCheckout', attempt: 1, refusal: 'player_plans/plan_held', now },
  attempt,
  { kind: 'GrantClaim', attempt: 2, now },
);
