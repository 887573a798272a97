import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { findBounds, findPlanRefusal, type PlanClaim, playerPlansAggregate } from './index.js';
import type { PlayerPlansEvent } from './player-plans.events.js';

const { decider } = playerPlansAggregate;
const NOW = '2027-01-31T10:00:00.000Z';
const FREE = { trialOncePerPlayer: false, onePerPlayer: false, exclusiveGroup: '' };
const ONE = { ...FREE, onePerPlayer: true };
const GROUP = { ...FREE, exclusiveGroup: 'passes' };
const TRIAL = { ...FREE, trialOncePerPlayer: true };

/** The first attempt on the link of a subscription, unless it says otherwise. */
function claim(n: number, more: Partial<PlanClaim> = {}): PlanClaim {
  const asked = { subscriptionId: `sub_${n}`, linkId: `cl_${n}`, attempt: 1 };
  const { linkId, attempt } = { ...asked, ...more };
  const claimId = `${linkId}/${attempt}`;
  return { claimId, ...asked, planId: 'plan_1', bounds: ONE, hasTrial: false, ...more };
}
const ask = (wanted: PlanClaim) => ({ kind: 'ClaimPlan', claim: wanted, now: NOW }) as const;
const claimed = (wanted: PlanClaim): PlayerPlansEvent => ({
  type: 'player_plans.claimed.v1',
  data: { ...wanted, claimedAt: NOW },
});
const release = (...claimIds: string[]) => ({ kind: 'ReleasePlans', claimIds, now: NOW }) as const;
const released = (...claimIds: string[]): PlayerPlansEvent => ({
  type: 'player_plans.released.v1',
  data: { claimIds, releasedAt: NOW },
});

/** Why a claim is refused after a history; null where it is not. */
function refusal(wanted: PlanClaim, ...history: PlayerPlansEvent[]): string | null {
  const [event, ...others] = given(decider, ...history).when(ask(wanted)) as PlayerPlansEvent[];
  expect(others).toEqual([]);
  const { state } = given(decider, ...history);
  expect(findPlanRefusal(state, wanted, wanted.subscriptionId)).toBe(
    event?.type === 'player_plans.refused.v1' ? event.data.refusal : null,
  );
  return event?.type === 'player_plans.refused.v1' ? event.data.refusal : null;
}

describe('the plans of a player', () => {
  it('are claimed, or refused by an event that names what has asked', () => {
    expect(given(decider).when(ask(claim(1)))).toEqual([claimed(claim(1))]);
    const asked = { claimId: 'cl_2/1', subscriptionId: 'sub_2', linkId: 'cl_2', attempt: 1 };
    const refused = { ...asked, planId: 'plan_1', refusal: 'player_plans/plan_held' };
    expect(given(decider, claimed(claim(1))).when(ask(claim(2)))).toEqual([
      { type: 'player_plans.refused.v1', data: { ...refused, refusedAt: NOW } },
    ]);
  });

  it('are one of a plan with onePerPlayer, and as many as wanted of one without', () => {
    const history = [claimed(claim(1))];
    expect(refusal(claim(2), ...history)).toBe('player_plans/plan_held');
    expect(refusal(claim(2, { planId: 'plan_2' }), ...history)).toBeNull();
    expect(refusal(claim(2, { bounds: TRIAL }), ...history)).toBeNull();
    // A claim for the trial alone counts, where the plan has onePerPlayer by now.
    expect(refusal(claim(2), claimed(claim(1, { bounds: TRIAL })))).toBe('player_plans/plan_held');
  });

  it('are one of all plans of a group', () => {
    const history = [claimed(claim(1, { bounds: GROUP }))];
    const other = { planId: 'plan_2', bounds: GROUP };
    expect(refusal(claim(2, other), ...history)).toBe('player_plans/plan_held');
    const elsewhere = { planId: 'plan_2', bounds: { ...GROUP, exclusiveGroup: 'skins' } };
    expect(refusal(claim(2, elsewhere), ...history)).toBeNull();
    expect(refusal(claim(2, { bounds: { ...GROUP, exclusiveGroup: '' } }), ...history)).toBeNull();
  });

  it('stand in the way of no change of the subscription that has them', () => {
    const history = [claimed(claim(1, { bounds: GROUP }))];
    const change = { subscriptionId: 'sub_1', planId: 'plan_2', bounds: GROUP };
    expect(refusal(claim(9, change), ...history)).toBeNull();
    // Both count until one of them is released.
    const both = [...history, claimed(claim(9, change))];
    const other = claim(2, { planId: 'plan_3', bounds: GROUP });
    expect(refusal(other, ...both, released('cl_1/1'))).toBe('player_plans/plan_held');
    expect(refusal(other, ...both, released('cl_1/1', 'cl_9/1'))).toBeNull();
  });

  it('are free again once they are released, which what is not held is not', () => {
    const history = [claimed(claim(1))];
    expect(given(decider, ...history).when(release('cl_1/1', 'cl_7/1'))).toEqual([
      released('cl_1/1'),
    ]);
    expect(refusal(claim(2), ...history, released('cl_1/1'))).toBeNull();
    expect(given(decider, ...history, released('cl_1/1')).when(release('cl_1/1'))).toEqual([]);
  });

  it('are held by the last attempt of a link', () => {
    const history = [claimed(claim(1)), claimed(claim(1, { attempt: 2 }))];
    expect(given(decider, ...history).when(release('cl_1/1'))).toEqual([]);
    expect(refusal(claim(2), ...history)).toBe('player_plans/plan_held');
    expect(refusal(claim(2), ...history, released('cl_1/2'))).toBeNull();
  });

  it('have a trial once, also after their end', () => {
    const trial = { bounds: TRIAL, hasTrial: true };
    const history = [claimed(claim(1, trial)), released('cl_1/1')];
    expect(refusal(claim(2, trial), ...history)).toBe('player_plans/trial_taken');
    expect(refusal(claim(2, { ...trial, hasTrial: false }), ...history)).toBeNull();
    expect(refusal(claim(2, { ...trial, bounds: ONE }), ...history)).toBeNull();
    expect(refusal(claim(2, { ...trial, planId: 'plan_2' }), ...history)).toBeNull();
    // The subscription that has it is not refused its own.
    expect(refusal(claim(1, trial), ...history)).toBeNull();
  });

  it('have one trial of a group, of whichever plan', () => {
    const bounds = { ...TRIAL, exclusiveGroup: 'passes' };
    const history = [claimed(claim(1, { bounds, hasTrial: true })), released('cl_1/1')];
    const other = { planId: 'plan_2', bounds, hasTrial: true };
    expect(refusal(claim(2, other), ...history)).toBe('player_plans/trial_taken');
    const untried = claimed(claim(1, { bounds, hasTrial: false }));
    expect(refusal(claim(2, other), untried, released('cl_1/1'))).toBeNull();
  });

  it('remember a trial once, however often it is begun', () => {
    const trial = { bounds: GROUP, hasTrial: true };
    const many = Array.from({ length: 20 }, (_, n) => [
      claimed(claim(n, trial)),
      released(`cl_${n}/1`),
    ]).flat();
    expect(given(decider, ...many).state.trials).toHaveLength(1);
  });
});

describe('the bounds of a plan', () => {
  const day = { value: 7, unit: 'day' } as const;
  it.each([
    ['none', FREE, day, null],
    ['onePerPlayer', ONE, null, ONE],
    ['a group', GROUP, null, GROUP],
    ['a trial once', TRIAL, day, TRIAL],
    ['a trial once, and no trial', TRIAL, null, null],
  ])('are kept only where they keep a player from it: %s', (_, terms, trial, bounds) => {
    expect(findBounds({ ...terms, trial })).toEqual(bounds);
  });
});
