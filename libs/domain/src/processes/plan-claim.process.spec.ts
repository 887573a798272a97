import { describe, expect, it } from 'vitest';
import {
  attempted,
  charge,
  decline,
  follow,
  leads,
  link,
  subscription,
  T0,
  T1,
  terms,
} from './spec-support/purchase.js';

/** The steps where the plan is bounded for its player. */
const bounds = { trialOncePerPlayer: false, onePerPlayer: true, exclusiveGroup: '' };
const bounded = { ...link, attempts: [attempt(1), attempt(2)], offer: { ...link.offer, bounds } };
const CLAIM_ID = 'link_1/2';
const asked = { claimId: CLAIM_ID, subscriptionId: 'sub_1', linkId: 'link_1', attempt: 2 };
const claim = { ...asked, planId: 'plan_1', bounds, hasTrial: false };

function attempt(number: number) {
  const progress = { challenge: null, decline: null, isGranted: false, refusal: null };
  return { ...attempted, attempt: number, ...progress };
}

describe('an attempt on a plan that is bounded for its player', () => {
  it('claims the plan, and charges nothing yet', () => {
    const step = {
      ...{ kind: 'player_plans', id: link.player },
      command: { kind: 'ClaimPlan', claim, now: T0 },
      commandId: `claim_plan ${CLAIM_ID}`,
    };
    expect(follow('checkout_link.attempted.v1', attempted, bounded)).toEqual([
      { process: 'charge_on_checkout_attempt', steps: [step] },
    ]);
  });

  it('is granted when the plan is claimed, and refused when it is not', () => {
    const onLink = (command: object) => [{ kind: 'checkout_link', id: 'link_1', command }];
    expect(follow('player_plans.claimed.v1', { ...claim, claimedAt: T1 }, null)).toEqual([
      {
        process: 'grant_on_claimed_plan',
        steps: onLink({ kind: 'GrantClaim', attempt: 2, now: T1 }),
      },
    ]);
    const refusal = 'player_plans/plan_held';
    const refused = { ...asked, planId: 'plan_1', refusal, refusedAt: T1 };
    expect(follow('player_plans.refused.v1', refused, null)).toEqual([
      {
        process: 'refuse_on_refused_plan',
        steps: onLink({ kind: 'RefuseCheckout', attempt: 2, refusal, now: T1 }),
      },
    ]);
  });

  it('is charged once it is granted, as it was agreed to', () => {
    const granted = { attempt: 2, grantedAt: T1 };
    expect(follow('checkout_link.claim_granted.v1', granted, bounded)).toMatchObject([
      { process: 'go_on_with_granted_claim', steps: [{ kind: 'charge', charge }] },
    ]);
  });

  it('begins its trial once it is granted, at the moment of the click', () => {
    const trial = { value: 1, unit: 'week' } as const;
    const onTrial = {
      ...bounded,
      offer: { ...bounded.offer, trial },
      attempts: [attempt(1), { ...attempt(2), paymentId: null, charge: null }],
    };
    const [output] = follow(
      'checkout_link.claim_granted.v1',
      { attempt: 2, grantedAt: T1 },
      onTrial,
    );
    expect(output?.steps[0]).toMatchObject({
      command: {
        kind: 'CreateSubscription',
        terms: { ...terms, trial, claimId: CLAIM_ID },
        now: T0,
      },
    });
  });

  it('gives the subscription the claim of the attempt that paid', () => {
    const paid = { paymentId: 'pay_2', paymentRevision: 1, capturedAt: T1, paidAt: T1 };
    const [output] = follow('checkout_link.paid.v1', paid, { ...bounded, paidBy: 'pay_2' });
    expect(output?.steps[0]).toMatchObject({ command: { terms: { claimId: CLAIM_ID } } });
  });
});

describe('a claim', () => {
  const release = (claimId: string) => [
    {
      ...{ kind: 'player_plans', id: link.player },
      command: { kind: 'ReleasePlans', claimIds: [claimId], now: T1 },
    },
  ];

  it('is released when its attempt is declined or given up, and where there is one alone', () => {
    const { reason, declineClass } = decline;
    const declined = { attempt: 1, reason, declineClass, declinedAt: T1 };
    const on = 'checkout_link.declined.v1';
    const steps = release('link_1/1');
    expect(follow(on, declined, bounded)).toEqual(leads('release_plan_on_decline', ...steps));
    expect(follow(on, declined, link)).toEqual([]);
  });

  it('is released when its subscription has ended, and where there is one alone', () => {
    const ended = { cause: 'period_ended', expiredAt: T1, canceledAt: null };
    const on = 'subscription.expired.v1';
    const holder = { ...subscription, freedClaimIds: [CLAIM_ID] };
    const steps = release(CLAIM_ID);
    expect(follow(on, ended, holder)).toEqual(leads('release_freed_plans', ...steps));
    expect(follow(on, ended, subscription)).toEqual([]);
  });
});

describe('a change that waits for the end of the period', () => {
  const on = 'subscription.plan_change_scheduled.v1';
  const plan = { planId: 'plan_2', price: subscription.price, period: subscription.period };
  const scheduled = { linkId: '', plan, effectiveAt: T1, scheduledAt: T0 };
  const waiting = { ...subscription, scheduledClaimId: 'c_2' };

  it('claims its plan at once, where that is bounded, and frees the one before', () => {
    const [process, id] = ['claim_on_scheduled_change', link.player];
    const asked = { claimId: 'c_2', subscriptionId: 'sub_1', linkId: '', attempt: 0 };
    const command = {
      ...{ kind: 'ClaimPlan', now: T0 },
      claim: { ...asked, planId: 'plan_2', bounds, hasTrial: false },
    };
    const claims = { kind: 'player_plans', id, command, commandId: 'claim_plan c_2' };
    const data = { ...scheduled, claim: { claimId: 'c_2', bounds } };
    expect(follow(on, data, waiting)).toEqual([{ process, steps: [claims] }]);
    const freeing = follow(on, data, { ...waiting, freedClaimIds: ['c_1'] });
    const release = { kind: 'ReleasePlans', claimIds: ['c_1'], now: T0 };
    expect(freeing[1]?.steps).toEqual([{ kind: 'player_plans', id, command: release }]);
    expect(follow(on, scheduled, subscription)).toEqual([]);
  });

  it('waits on when it is granted, and is dropped when it is refused', () => {
    const asked = { claimId: 'c_2', subscriptionId: 'sub_1', linkId: '', attempt: 0 };
    const [granted] = follow('player_plans.claimed.v1', { ...asked, claimedAt: T1 }, null);
    expect(granted?.steps).toEqual([]);
    const [refused] = follow('player_plans.refused.v1', { ...asked, refusedAt: T1 }, null);
    const command = { kind: 'DropPlanChange', claimId: 'c_2', now: T1 };
    expect(refused?.steps).toEqual([{ kind: 'subscription', id: 'sub_1', command }]);
  });
});
