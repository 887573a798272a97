import { describe, expect, it } from '@jest/globals';
import { type BoundedPlan, PlanPlayer } from './stories/bounded-plans.js';

/** What plans allow a player (rules/lifecycle 15), from the click to the end, by the product's own processes. */
const HELD = 'player_plans/plan_held';
const TAKEN = 'player_plans/trial_taken';
const PERIOD_END = '2027-03-01T00:00:00.000Z';
const gold: BoundedPlan = { planId: 'gold', onePerPlayer: true };
const pass = (planId: string): BoundedPlan => ({ planId, exclusiveGroup: 'passes' });
const trial: BoundedPlan = {
  ...{ planId: 'gold', trialOncePerPlayer: true },
  trial: { value: 7, unit: 'day' },
};

describe('a plan of which a player has one', () => {
  it('is sold once: the second link charges nothing, and says why', () => {
    const player = new PlanPlayer();
    expect(player.buy('cl_1', gold)).toBe('completed');
    player.world.sent.splice(0);
    expect(player.buy('cl_2', gold)).toBe(HELD);
    expect(player.world.sent).toEqual([]);
    expect([player.status('cl_1'), player.status('cl_2')]).toEqual(['active', 'none']);
    expect(player.held()).toEqual(['cl_1/1']);
  });

  it('is claimed by a charge that is open, until it is declined or given up', () => {
    const player = new PlanPlayer();
    expect(player.buy('cl_1', gold, 'pm_pending')).toBe('attempting');
    expect(player.buy('cl_2', gold)).toBe(HELD);
    player.world.giveUpPending();
    expect(player.outcome('cl_1')).toBe('open');
    expect(player.click('cl_2')).toBe('completed');
    // What was given up is captured after all: it goes back, and claims nothing.
    player.world.settlePending();
    expect([player.status('cl_1'), player.held()]).toEqual(['none', ['cl_2/2']]);
  });

  it('is free again where the payment was declined', () => {
    const player = new PlanPlayer();
    expect(player.buy('cl_1', gold, 'pm_decline_do_not_honor')).toBe('open');
    expect(player.held()).toEqual([]);
    expect(player.buy('cl_2', gold)).toBe('completed');
    expect(player.click('cl_1')).toBe(HELD);
  });

  it('goes to the attempt that replaces another one, whose late capture frees nothing', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', gold, 'pm_pending');
    expect(player.click('cl_1')).toBe('completed');
    expect(player.held()).toEqual(['cl_1/2']);
    player.world.settlePending();
    expect(player.held()).toEqual(['cl_1/2']);
    expect(player.buy('cl_2', gold)).toBe(HELD);
  });

  it.each([
    ['until its period ends, where it is canceled', true],
    ['until it is canceled at once', false],
  ])('is held %s', (_, cancelAtPeriodEnd) => {
    const player = new PlanPlayer();
    player.buy('cl_1', gold);
    player.cancel('cl_1', cancelAtPeriodEnd);
    player.open('cl_2', gold);
    expect(player.click('cl_2')).toBe(cancelAtPeriodEnd ? HELD : 'completed');
    if (!cancelAtPeriodEnd) return;
    player.advance('cl_1', PERIOD_END);
    expect(player.status('cl_1')).toBe('expired');
    expect(player.click('cl_2')).toBe('completed');
  });

  it('leaves other plans as they are', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', { planId: 'silver', onePerPlayer: true });
    expect(player.buy('cl_2', gold)).toBe('completed');
  });
});

describe('a group of plans of which a player has one', () => {
  it('is sold once, whichever of them', () => {
    const player = new PlanPlayer();
    expect(player.buy('cl_1', pass('gold'))).toBe('completed');
    expect(player.buy('cl_2', pass('silver'))).toBe(HELD);
    player.cancel('cl_1', false);
    expect(player.click('cl_2')).toBe('completed');
  });
});

describe('a trial that a player has once', () => {
  it('is refused ever after, and nothing is charged in its place', () => {
    const player = new PlanPlayer();
    expect(player.buy('cl_1', trial)).toBe('completed');
    player.cancel('cl_1', false);
    expect(player.held()).toEqual([]);
    player.world.sent.splice(0);
    expect(player.buy('cl_2', trial)).toBe(TAKEN);
    expect(player.status('cl_2')).toBe('none');
    expect(player.world.sent).toEqual([]);
  });

  it('is one of a group', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', { ...trial, exclusiveGroup: 'passes' });
    player.cancel('cl_1', false);
    const other = { ...trial, planId: 'silver', exclusiveGroup: 'passes' };
    expect(player.buy('cl_2', other)).toBe(TAKEN);
    expect(player.buy('cl_3', { ...other, exclusiveGroup: 'skins' })).toBe('completed');
  });
});
