import { requireOk } from '../../support/scenario.js';
import type { PLANS } from './model.js';
import type { Player } from './player.js';
import type { Step } from './step.js';

type Plan = (typeof PLANS)[number];

const planPath = (plan: Plan, { planIds }: Player) => `plans/${planIds.get(plan.code) ?? ''}`;

/** Who buys or changes to it pays this from now on, and those who have it go on as they are. */
export const reprice = (plan: Plan, cents: number): Step => ({
  check: () => true,
  run: async ({ market }, { player }) => {
    const prices = [{ currency: 'USD', amountCents: String(cents) }];
    requireOk(await player.operate(planPath(plan, player), { prices }, 'PATCH'));
    market.reprice(plan, cents);
  },
  toString: () => `${plan.code} costs ${cents}`,
});

/** It is for sale no more, or again. */
export const sell = (plan: Plan, call: 'archive' | 'deprecate' | 'activate'): Step => ({
  check: () => true,
  run: async ({ market }, { player }) => {
    requireOk(await player.operate(`${planPath(plan, player)}/${call}`, {}));
    if (call === 'activate') market.open(plan);
    else market.close(plan);
  },
  toString: () => `${call} ${plan.code}`,
});
