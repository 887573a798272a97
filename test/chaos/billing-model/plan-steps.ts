import { requireOk } from '../../support/scenario.js';
import { PENDING } from './model-gateway.js';
import { DEFAULT_DUNNING, type DunningSettings, type PLANS } from './model.js';
import type { Player } from './player.js';
import type { Step } from './step.js';

type Plan = (typeof PLANS)[number];

const planPath = (plan: Plan, { planIds }: Player) => `plans/${planIds.get(plan.code) ?? ''}`;

/** A later buyer pays this from now on, and present subscriptions go on as they are. */
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

/** Whether a charge that the gateway decides in seconds is sure to be decided before it is given up. */
export const leavesTime = ({ graceHours }: DunningSettings) => graceHours > 0;

/** Declined renewals are recovered in another way, from the next first decline on. */
export const recover = (settings: Partial<DunningSettings>): Step => {
  const dunning = { ...DEFAULT_DUNNING, ...settings };
  return {
    check: ({ owned }) =>
      leavesTime(dunning) || owned.every(({ state }) => state.method !== PENDING),
    run: async ({ market }, { player }) => {
      requireOk(await player.operate('', { dunning }, 'PATCH'));
      market.dunning = dunning;
    },
    toString: () => describeDunning(dunning),
  };
};

const describeDunning = ({ graceHours, retryAfterHours, retriedDeclineClasses }: DunningSettings) =>
  `${graceHours} h of grace, retries after ${retryAfterHours.join()} where the decline is ${retriedDeclineClasses.join()}`;
