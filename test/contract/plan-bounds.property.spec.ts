import { expect, it } from 'vitest';
import fc from 'fast-check';
import { addMilliseconds } from '#domain/calendar';
import { type BoundedPlan, PlanPlayer } from './stories/bounded-plans.js';

/** Any months of a player who buys, changes, moves and ends plans that are bounded (rules/lifecycle 15). */
const DAY_MS = 86_400_000;
const passes = { exclusiveGroup: 'passes' };
const PLANS: readonly BoundedPlan[] = [
  { planId: 'gold', ...passes },
  { planId: 'silver', ...passes, onePerPlayer: true },
  { planId: 'free' },
];
const DEARER: readonly BoundedPlan[] = [
  { planId: 'platinum', ...passes, cents: 1999 },
  { planId: 'dear', cents: 2999 },
];
const CHEAPER: readonly BoundedPlan[] = [
  { planId: 'bronze', ...passes, cents: 499 },
  { planId: 'cheap', cents: 399 },
];
const OF_GROUP = new Set(['gold', 'silver', 'platinum', 'bronze']);

const method = fc.constantFrom('pm_ok', 'pm_ok', 'pm_pending', 'pm_decline_do_not_honor');
const which = fc.nat(9);
type Act = (life: Life) => void;

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(fc.constantFrom(...PLANS), method).map(
    ([plan, by]): Act =>
      (life) =>
        life.buy(plan, by),
  ),
  fc.tuple(which, method).map(
    ([n, by]): Act =>
      (life) =>
        life.onLink(n, (link) => life.player.click(link, by)),
  ),
  fc.tuple(which, fc.constantFrom(...DEARER), method).map(
    ([n, plan, by]): Act =>
      (life) =>
        life.onSubscription(n, (link) => life.change(link, plan, by)),
  ),
  fc.tuple(which, fc.constantFrom(...CHEAPER)).map(
    ([n, plan]): Act =>
      (life) =>
        life.onSubscription(n, (link) => life.player.schedule(link, plan)),
  ),
  fc.tuple(which, fc.boolean()).map(
    ([n, atPeriodEnd]): Act =>
      (life) =>
        life.onSubscription(n, (link) => life.player.cancel(link, atPeriodEnd)),
  ),
  which.map(
    (n): Act =>
      (life) =>
        life.onSubscription(n, (link) => life.player.reactivate(link)),
  ),
  which.map(
    (n): Act =>
      (life) =>
        life.onSubscription(n, (link) => life.player.moveCurrency(link)),
  ),
  fc.constant((life: Life) => life.player.world.settlePending()),
  fc.constant((life: Life) => life.player.world.giveUpPending()),
  fc.integer({ min: 1, max: 40 }).map(
    (days): Act =>
      (life) =>
        life.advance(days),
  ),
);

class Life {
  readonly player = new PlanPlayer();
  /** The links of purchases, and all of them. */
  readonly bought: string[] = [];
  readonly links: string[] = [];

  buy(plan: BoundedPlan, by: string): void {
    const link = `cl_${this.links.length}`;
    this.bought.push(link);
    this.links.push(link);
    this.player.buy(link, plan, by);
  }

  change(of: string, plan: BoundedPlan, by: string): void {
    const link = `cl_${this.links.length}`;
    this.links.push(link);
    this.player.openChange(link, of, plan);
    this.player.click(link, by);
  }

  onLink(n: number, run: (link: string) => unknown): void {
    const link = this.links[n % Math.max(1, this.links.length)];
    if (link !== undefined) run(link);
  }

  onSubscription(n: number, run: (link: string) => unknown): void {
    const begun = this.bought.filter((link) => this.player.status(link) !== 'none');
    const link = begun[n % Math.max(1, begun.length)];
    if (link !== undefined) run(link);
  }

  advance(days: number): void {
    const to = addMilliseconds(this.player.world.now, days * DAY_MS);
    for (const link of this.bought) this.player.advance(link, to);
  }

  /** How many live subscriptions are of a plan of the group. */
  countLive(): number {
    const live = this.bought.filter(
      (link) => !['none', 'expired'].includes(this.player.status(link)),
    );
    return live.filter((link) => OF_GROUP.has(this.player.plans(link)[0] ?? '')).length;
  }

  /** Every charge has its outcome, and every subscription its end. */
  end(): void {
    this.player.world.giveUpPending();
    this.player.world.settlePending();
    this.onEach((link) => this.player.cancel(link, false));
  }

  private onEach(run: (link: string) => void): void {
    for (const link of this.bought) if (this.player.status(link) !== 'none') run(link);
  }
}

it('a player has one live subscription of a group at most, and no claim outlives what it is for', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const life = new Life();
      for (const one of acts) {
        one(life);
        expect(life.countLive()).toBeLessThanOrEqual(1);
      }
      life.end();
      expect(life.player.held()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
