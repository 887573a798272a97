import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { evolveClaims, findScheduledClaim, scheduleClaim } from './subscription.claims.js';
import { subscriptionAggregate } from './subscription.decide.js';
import type { SubscriptionEvent } from './subscription.events.js';
import { created } from './spec-support/subscriptions.js';

const { decider } = subscriptionAggregate;

/** By which claims of its player a subscription has its plans (rules/lifecycle 15). */
const bounds = { trialOncePerPlayer: false, onePerPlayer: true, exclusiveGroup: '' };
const MID = '2027-02-10T10:00:00.000Z';
const NONE = {
  ...{ planId: 'plan_1', claimId: '', scheduledClaimId: '', freedClaimIds: ['before'] },
  scheduledChange: null,
};
const HELD = { ...NONE, claimId: 'c_1', scheduledClaimId: 'c_2' };

/** As much of an event as claims go by. */
const event = (type: SubscriptionEvent['type'], data: object = {}) =>
  ({ type, data }) as unknown as SubscriptionEvent;

describe('the claims of a subscription', () => {
  it('begin with that of its purchase', () => {
    const bought = { ...created, data: { ...created.data, claimId: 'cl_1/1' } };
    const claims = { claimId: 'cl_1/1', scheduledClaimId: '', freedClaimIds: [] };
    expect(given(decider, bought).state).toMatchObject(claims);
    expect(given(decider, created).state).toMatchObject({ ...claims, claimId: '' });
  });

  it.each([
    [
      'the plan of a link, and drop the one that waits',
      event('subscription.plan_changed.v1', { planId: 'plan_3', linkId: 'cl', claimId: 'c_3' }),
      { claimId: 'c_3', scheduledClaimId: '', freedClaimIds: ['c_1', 'c_2'] },
    ],
    [
      'the plan of a link that is bounded no more',
      event('subscription.plan_changed.v1', { planId: 'plan_3', linkId: 'cl' }),
      { claimId: '', scheduledClaimId: '', freedClaimIds: ['c_1', 'c_2'] },
    ],
    [
      'the plan that has waited',
      event('subscription.plan_changed.v1', { planId: 'plan_2', linkId: '' }),
      { claimId: 'c_2', scheduledClaimId: '', freedClaimIds: ['c_1'] },
    ],
    [
      'another plan that waits',
      event('subscription.plan_change_scheduled.v1', { claim: { claimId: 'c_3', bounds } }),
      { claimId: 'c_1', scheduledClaimId: 'c_3', freedClaimIds: ['c_2'] },
    ],
    [
      'none that waits, when it is dropped',
      event('subscription.plan_change_dropped.v1'),
      { claimId: 'c_1', scheduledClaimId: '', freedClaimIds: ['c_2'] },
    ],
    [
      'none that waits, when the player cancels',
      event('subscription.canceled.v1'),
      { claimId: 'c_1', scheduledClaimId: '', freedClaimIds: ['c_2'] },
    ],
    [
      'none at all at the end',
      event('subscription.expired.v1'),
      { claimId: '', scheduledClaimId: '', freedClaimIds: ['c_1', 'c_2'] },
    ],
  ])('are of %s', (_, happened, after) => {
    expect(evolveClaims(HELD, happened)).toEqual({ ...HELD, ...after });
    const freed = evolveClaims(NONE, happened).freedClaimIds;
    expect(freed).toEqual([]);
  });

  it('outlast a cancel as the move to another currency does that waits with the plan', () => {
    const plan = { planId: 'plan_2', price: created.data.price, period: created.data.period };
    const change = { plan, effectiveAt: MID, movesCurrency: true };
    const moving = { ...HELD, scheduledChange: change };
    const canceled = event('subscription.canceled.v1');
    expect(evolveClaims(moving, canceled)).toEqual({ ...moving, freedClaimIds: [] });
    const dropped = { ...moving, scheduledChange: { ...change, movesCurrency: false } };
    expect(evolveClaims(dropped, canceled)).toMatchObject({ freedClaimIds: ['c_2'] });
  });

  it('stay with the same plan, at whatever price', () => {
    const waits = { ...HELD, scheduledClaimId: '' };
    for (const linkId of ['', 'cl_9']) {
      const repriced = event('subscription.plan_changed.v1', { planId: 'plan_1', linkId });
      expect(evolveClaims(waits, repriced)).toMatchObject({ claimId: 'c_1', freedClaimIds: [] });
    }
    expect(evolveClaims(HELD, event('subscription.renewed.v1'))).toBe(HELD);
    // The waiting change is to the same plan, in another currency.
    expect(evolveClaims(HELD, event('subscription.currency_change_scheduled.v1'))).toBe(HELD);
  });
});

describe('a change that waits for a plan that is bounded', () => {
  const plan = { planId: 'plan_2', price: { amountMinor: '499', currency: 'USD' } };
  const wanted = {
    plan: { ...plan, period: created.data.period },
    ...{ amountMinor: null, restartsPeriod: false, unusedCredit: 'forfeit' as const },
  };
  const claim = scheduleClaim('sub_1', bounds, 'call_1');
  const schedule = { kind: 'SchedulePlanChange', wanted, now: MID } as const;

  it('names what it claims, in the words of the player and of the subscription', () => {
    expect(claim).toEqual({ claimId: 'sub_1/call_1', bounds });
    expect(scheduleClaim('sub_1', null, 'call_1')).toBeUndefined();
    const claims = { planId: 'plan_2', bounds, hasTrial: false, linkId: '', attempt: 0 };
    const found = findScheduledClaim('sub_1', { plan: wanted.plan, ...(claim && { claim }) });
    expect(found).toEqual({ ...claims, claimId: claim?.claimId, subscriptionId: 'sub_1' });
    expect(findScheduledClaim('sub_1', { plan: wanted.plan })).toBeNull();
  });

  it('is the same change when it is asked for again, unless it was not bounded before', () => {
    const claimed = { ...schedule, ...(claim && { claim }) };
    const [bounded] = given(decider, created).when(claimed) as SubscriptionEvent[];
    const [free] = given(decider, created).when(schedule) as SubscriptionEvent[];
    expect(bounded).toMatchObject({ data: { claim } });
    expect(free?.data).not.toHaveProperty('claim');
    const later = { ...claimed, claim: { claimId: 'c_9', bounds } };
    expect(given(decider, created, bounded!).when(later)).toEqual([]);
    expect(given(decider, created, free!).when(later)).toHaveLength(1);
  });

  it('is dropped by the name of its claim alone', () => {
    const claimed = { ...schedule, ...(claim && { claim }) };
    const [waits] = given(decider, created).when(claimed) as SubscriptionEvent[];
    const drop = (claimId: string) => ({ kind: 'DropPlanChange', claimId, now: MID }) as const;
    const dropped = { type: 'subscription.plan_change_dropped.v1', data: { droppedAt: MID } };
    const { when } = given(decider, created, waits!);
    expect(when(drop(claim?.claimId ?? ''))).toEqual([dropped]);
    expect(when(drop('c_9'))).toEqual([]);
    expect(given(decider, created).when(drop(''))).toEqual([]);
  });
});
