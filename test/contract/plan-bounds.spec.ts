import { describe, expect, it } from 'vitest';
import { type BoundedPlan, PlanPlayer } from './stories/bounded-plans.js';

/** Plans' bounds for a player (rules/lifecycle 15), from the click to the end, by the product's own processes. */
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
    // A payment that was given up is captured after all: it goes back, and claims nothing.
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

describe('a change of the plan', () => {
  const cheap = (planId: string) => ({ ...pass(planId), cents: 499 });
  const dear = (planId: string) => ({ ...pass(planId), cents: 1999 });

  /** One subscription that the player has without bounds, and another one of the group. */
  function withTwo(): PlanPlayer {
    const player = new PlanPlayer();
    player.buy('cl_1', { planId: 'silver' });
    player.buy('cl_2', pass('gold'));
    return player;
  }

  it('into a plan that another subscription has is refused, and nothing is charged', () => {
    const player = withTwo();
    player.world.sent.splice(0);
    player.openChange('cl_3', 'cl_1', dear('platinum'));
    expect(player.click('cl_3')).toBe(HELD);
    expect([player.world.sent, player.plans('cl_1')]).toEqual([[], ['silver', undefined]]);
    player.cancel('cl_2', false);
    expect(player.click('cl_3')).toBe('completed');
    expect([player.plans('cl_1'), player.held()]).toEqual([['platinum', undefined], ['cl_3/2']]);
  });

  it('out of a plan frees it when it is paid, and not before', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', gold);
    player.openChange('cl_2', 'cl_1', { planId: 'platinum', cents: 1999 });
    expect(player.click('cl_2', 'pm_pending')).toBe('attempting');
    expect(player.buy('cl_3', gold)).toBe(HELD);
    player.world.settlePending();
    expect([player.outcome('cl_2'), player.held()]).toEqual(['completed', []]);
    expect(player.click('cl_3')).toBe('completed');
  });

  it('within a group keeps the group, also while it is charged and when it is declined', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', pass('gold'));
    player.openChange('cl_2', 'cl_1', dear('platinum'));
    expect(player.click('cl_2', 'pm_decline_do_not_honor')).toBe('open');
    expect(player.held()).toEqual(['cl_1/1']);
    expect(player.click('cl_2', 'pm_pending')).toBe('attempting');
    expect(player.held()).toEqual(['cl_1/1', 'cl_2/2']);
    player.world.settlePending();
    expect([player.plans('cl_1'), player.held()]).toEqual([['platinum', undefined], ['cl_2/2']]);
    expect(player.buy('cl_3', pass('gold'))).toBe(HELD);
    player.cancel('cl_1', false);
    expect(player.held()).toEqual([]);
  });

  it('whose charge comes too late claims nothing', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', pass('gold'));
    player.openChange('cl_2', 'cl_1', dear('platinum'));
    player.click('cl_2', 'pm_pending');
    player.cancel('cl_1', false);
    expect(player.held()).toEqual(['cl_2/1']);
    player.world.settlePending();
    expect(player.held()).toEqual([]);
  });

  it('that waits for the end of the period claims the plan from then on', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', { planId: 'silver' });
    expect(player.schedule('cl_1', cheap('bronze'))).toBeUndefined();
    expect(player.buy('cl_2', pass('gold'))).toBe(HELD);
    player.advance('cl_1', PERIOD_END);
    expect([player.plans('cl_1'), player.held().length]).toEqual([['bronze', undefined], 1]);
    expect(player.click('cl_2')).toBe(HELD);
    player.cancel('cl_1', false);
    expect(player.held()).toEqual([]);
  });

  it('that cannot have its plan waits no more', () => {
    const player = withTwo();
    expect(player.schedule('cl_1', cheap('bronze'))).toBeUndefined();
    expect(player.plans('cl_1')).toEqual(['silver', undefined]);
    expect(player.held()).toEqual(['cl_2/1']);
  });

  it.each([
    ['another one takes its place', (p: PlanPlayer) => p.schedule('cl_1', { planId: 'iron' })],
    ['the player keeps the plan', (p: PlanPlayer) => p.schedule('cl_1', { planId: 'silver' })],
    ['the player cancels', (p: PlanPlayer) => p.cancel('cl_1', true)],
    ['the subscription ends', (p: PlanPlayer) => p.cancel('cl_1', false)],
  ])('that waits frees the plan when %s', (_, act) => {
    const player = new PlanPlayer();
    player.buy('cl_1', { planId: 'silver' });
    player.schedule('cl_1', cheap('bronze'));
    expect(player.held()).toHaveLength(1);
    act(player);
    expect(player.held()).toEqual([]);
    expect(player.buy('cl_2', pass('gold'))).toBe('completed');
  });

  it('that is asked for again in the same moment of a test clock claims its plan again', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', { planId: 'silver' });
    player.schedule('cl_1', cheap('bronze'));
    player.schedule('cl_1', { planId: 'silver' });
    player.schedule('cl_1', cheap('bronze'));
    expect([player.plans('cl_1'), player.held().length]).toEqual([['silver', 'bronze'], 1]);
    expect(player.buy('cl_2', pass('gold'))).toBe(HELD);
  });

  it('that moves to another currency meanwhile keeps its claim, also while it is canceled', () => {
    const player = new PlanPlayer();
    player.buy('cl_1', { planId: 'silver' });
    player.schedule('cl_1', cheap('bronze'));
    expect(player.moveCurrency('cl_1')).toBeUndefined();
    player.cancel('cl_1', true);
    expect(player.buy('cl_2', pass('gold'))).toBe(HELD);
    player.reactivate('cl_1');
    player.advance('cl_1', PERIOD_END);
    expect([player.plans('cl_1'), player.held().length]).toEqual([['bronze', undefined], 1]);
    expect(player.click('cl_2')).toBe(HELD);
    player.cancel('cl_1', false);
    expect(player.held()).toEqual([]);
  });
});
