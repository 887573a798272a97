import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { eventually } from '../../support/eventually.js';
import { requireOk } from '../../support/scenario.js';
import { compare } from './compare.js';
import { expire } from './model-period.js';
import { purchase } from './model-purchase.js';
import type { PLANS } from './model.js';
import type { METHODS } from './model-gateway.js';
import type { Region } from './model-payment.js';
import { leavesTime } from './plan-steps.js';
import type { Player } from './player.js';
import { type Model, onSubscription, type RealSubscription, type Step } from './step.js';

/** A player holds so many at a time. */
const SUBSCRIPTIONS_AT_MOST = 3;

export interface Order {
  readonly plan: (typeof PLANS)[number];
  readonly method: (typeof METHODS)[number];
  readonly region: Region;
  /** Whether the player confirms at the bank, where that is wanted, or declines. */
  readonly confirms: boolean;
}

export const buy = (order: Order): Step => ({
  check: ({ owned, market }) =>
    owned.filter(({ state }) => state.status !== 'expired').length < SUBSCRIPTIONS_AT_MOST &&
    (order.method !== 'pm_pending' || leavesTime(market.dunning)),
  run: async ({ owned, market }, { player }) => {
    const { region, method, confirms } = order;
    const plan = market.offer(order.plan);
    const id = await player.buy(plan.code, region, { method, confirms });
    if (id === undefined) {
      const isTaken = !market.isClosed(plan) && purchase({ ...order, plan }, 0) !== undefined;
      strictEqual(isTaken, false, 'declined');
      return;
    }
    strictEqual(market.isClosed(plan), false, `${plan.code} is for sale no more`);
    const { created_at: at } = await player.read(`/sdk/subscriptions/${id}`);
    const state = purchase({ ...order, plan }, Date.parse(String(at)));
    if (state === undefined) throw new Error(`${order.method} was captured`);
    owned.push({ id, state });
    await compare(id, state, player);
    await compareList(owned, player);
  },
  toString: () =>
    `buy ${order.plan.code} in ${order.region} with ${order.method}${order.confirms ? '' : ', not confirmed'}`,
});

/** The player's list shows each subscription once, the newest first. */
async function compareList(owned: Model['owned'], player: Player): Promise<void> {
  const { subscriptions } = await player.read(
    '/sdk/subscriptions?externalAccountId=player&limit=100',
  );
  // The page is the API's own answer to this path.
  const ids = (subscriptions as Record<string, unknown>[]).map(({ id }) => id);
  deepStrictEqual(ids, owned.map(({ id }) => id).reverse(), 'list');
}

export const cancel = (atPeriodEnd: boolean, which = 0): Step =>
  onSubscription(
    `cancel ${atPeriodEnd ? 'at the period end' : 'at once'}`,
    which,
    async (model, real) => {
      const path = `/sdk/subscriptions/${real.subscriptionId}/cancel`;
      const answer = await real.player.command(path, { cancel_at_period_end: atPeriodEnd });
      if (model.status === 'expired') {
        strictEqual(answer.status, 400, 'cancel of an expired one');
        return;
      }
      requireOk(answer);
      if (model.status === 'past_due' || !atPeriodEnd) {
        expire(model, null);
      } else if (model.status === 'active') {
        Object.assign(model, { status: 'canceled', isCanceled: true, scheduled: null });
        model.sent.push('subscription.canceled');
        // Its renewal is open at the gateway: the period is over.
        if (model.periodEnd <= real.player.clockAt) {
          expire(model, null);
          await untilStatus(real, 'expired');
        }
      }
    },
  );

/** What is due already happens by itself within a moment. */
async function untilStatus({ player, subscriptionId }: RealSubscription, wanted: string) {
  const isThere = async () => {
    const { status } = await player.read(`/sdk/subscriptions/${subscriptionId}`);
    return status === wanted;
  };
  await eventually(isThere, { what: `${subscriptionId} is ${wanted}` });
}

export const reactivate = (which = 0): Step =>
  onSubscription('reactivate', which, async (model, real) => {
    const answer = await real.player.command(
      `/sdk/subscriptions/${real.subscriptionId}/reactivate`,
    );
    if (model.status !== 'canceled') {
      strictEqual(answer.status, 400, 'reactivate');
      return;
    }
    requireOk(answer);
    Object.assign(model, { status: 'active', isCanceled: false });
    model.sent.push('subscription.reactivated');
  });
