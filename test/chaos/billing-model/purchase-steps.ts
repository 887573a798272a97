import { strictEqual, deepStrictEqual } from 'node:assert/strict';
import { eventually } from '../../support/eventually.js';
import { compare } from './compare.js';
import { compareLone } from './compare-lone.js';
import { type METHODS, PENDING } from './model-gateway.js';
import { decideLate, declinedPurchase, leaveBehind } from './model-lone.js';
import { statusName } from './model-payment.js';
import { rateAt, type Region } from './model-tax.js';
import { purchase } from './model-purchase.js';
import type { ModelPlan, PLANS } from './model.js';
import { leavesTime } from './plan-steps.js';
import type { Player } from './player.js';
import {
  findPaymentId,
  type Model,
  type OwnedSubscription,
  type Step,
  untilStatus,
} from './step.js';

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
    isFree(owned) && (order.method !== PENDING || leavesTime(market.dunning)),
  run: async (model, { player }) => {
    const { market, lone } = model;
    const plan = market.offer(order.plan);
    const linkId = await player.makeLink(plan.code, order.region);
    strictEqual(linkId === undefined, market.isClosed(plan), `${plan.code} is for sale`);
    if (linkId === undefined) return;
    const { status, body } = await player.complete(linkId, order);
    const isTaken = purchase({ ...order, plan, rates: market.rates }, 0) !== undefined;
    strictEqual(status, isTaken ? 200 : 400, 'a purchase');
    if (isTaken) {
      const one = await own(model, { ...order, plan }, String(body['subscriptionId']), player);
      await compare(one.id, one.state, player);
      await compareList(model.owned, player);
    } else {
      const rate = rateAt(market.rates, order.region, player.clockAt);
      lone.push(declinedPurchase({ ...order, plan, rate }));
    }
    await compareLone(lone, player);
  },
  toString: () =>
    `buy ${order.plan.code} in ${order.region} with ${order.method}${order.confirms ? '' : ', not confirmed'}`,
});

/** The bank waits for a player who pays by another card: a later confirmation buys nothing (rules/payments 2). */
export const buyByAnother = (order: Order, { confirms }: Pick<Order, 'confirms'>): Step => ({
  check: ({ owned, market }) => isFree(owned) && !market.isClosed(order.plan),
  run: async (model, { player }) => {
    const bought = { ...order, plan: model.market.offer(order.plan) };
    const linkId = await player.makeLink(bought.plan.code, order.region);
    const bankUrl = await player.beginAtBank(linkId ?? '', 'pm_authentication_required');
    const { status, body } = await player.complete(linkId ?? '', order);
    strictEqual(status, 200, 'a purchase by another card');
    const one = await own(model, bought, String(body['subscriptionId']), player);
    const late = leaveBehind(one.state);
    await compare(one.id, one.state, player);
    await player.decideAtBank(bankUrl, confirms);
    model.lone.push(decideLate(one.state, late, confirms));
    await compareLone(model.lone, player);
    const about = { player, market: model.market, subscriptionId: one.id };
    if (confirms) await untilStatus(about, one.state.payments.length - 1, statusName(late));
    else await untilGone(one, player);
    await compare(one.id, one.state, player);
  },
  toString: () =>
    `buy ${order.plan.code} in ${order.region} with ${order.method}, then ${confirms ? 'confirm' : 'decline'} at the bank`,
});

/** The list of the product is as long as the model's a moment later. */
async function untilGone({ id, state }: OwnedSubscription, player: Player): Promise<void> {
  const isGone = async () => {
    const beyond = await findPaymentId({ player, subscriptionId: id }, state.payments.length);
    return beyond === 'undefined';
  };
  await eventually(isGone, { what: `what is declined is not in the list of ${id}` });
}

const isFree = (owned: Model['owned']) =>
  owned.filter(({ state }) => state.status !== 'expired').length < SUBSCRIPTIONS_AT_MOST;

/** The subscription begins at the moment that it says. */
export async function own(
  { owned, market: { rates } }: Model,
  order: Omit<Order, 'plan'> & { readonly plan: ModelPlan },
  id: string,
  player: Player,
): Promise<OwnedSubscription> {
  const { created_at: at } = await player.read(`/sdk/subscriptions/${id}`);
  const state = purchase({ ...order, rates }, Date.parse(String(at)));
  if (state === undefined) throw new Error(`${order.method} was captured`);
  const one = { id, state };
  owned.push(one);
  return one;
}

/** The player's list shows each subscription once, the newest first. */
async function compareList(owned: Model['owned'], player: Player): Promise<void> {
  const { subscriptions } = await player.read(
    `/sdk/subscriptions?externalAccountId=${player.account}&limit=100`,
  );
  // The page is the API's own answer to this path.
  const ids = (subscriptions as Record<string, unknown>[]).map(({ id }) => id);
  deepStrictEqual(ids, owned.map(({ id }) => id).reverse(), 'list');
}
