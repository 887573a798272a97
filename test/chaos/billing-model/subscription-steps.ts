import { strictEqual } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { compare } from './compare.js';
import { HOUR_MS, toInstant } from './model-dates.js';
import { changeAtOnce, changeMethod, judgeChange } from './model-change.js';
import type { METHODS } from './model-gateway.js';
import type { Region } from './model-payment.js';
import { advance, dueAt, expire, type ModelSubscription, type PLANS, purchase } from './model.js';
import { findPaymentId, onSubscription, type Real, type Step } from './step.js';

export interface Order {
  readonly plan: (typeof PLANS)[number];
  readonly method: (typeof METHODS)[number];
  readonly region: Region;
}

export const buy = (order: Order): Step => ({
  check: ({ current }) => current === undefined || current.status === 'expired',
  run: async (model, real) => {
    const id = await real.player.buy(order.plan.code, order.region, order.method);
    if (id === undefined) {
      strictEqual(purchase(order, 0), undefined, 'declined');
      return;
    }
    const { created_at: at } = await real.player.read(`/sdk/subscriptions/${id}`);
    const bought = purchase(order, Date.parse(String(at)));
    strictEqual(bought !== undefined, true, 'captured');
    Object.assign(real, { subscriptionId: id });
    model.current = bought;
    if (bought !== undefined) await compare(id, bought, real.player);
  },
  toString: () => `buy ${order.plan.code} in ${order.region} with ${order.method}`,
});

export const cancel = (atPeriodEnd: boolean): Step =>
  onSubscription(`cancel ${atPeriodEnd ? 'at the period end' : 'at once'}`, async (model, real) => {
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
    }
  });

export const reactivate: Step = onSubscription('reactivate', async (model, real) => {
  const answer = await real.player.command(`/sdk/subscriptions/${real.subscriptionId}/reactivate`);
  if (model.status !== 'canceled') {
    strictEqual(answer.status, 400, 'reactivate');
    return;
  }
  requireOk(answer);
  Object.assign(model, { status: 'active', isCanceled: false });
  model.sent.push('subscription.reactivated');
});

export const changePlan = (plan: (typeof PLANS)[number], restarts: boolean): Step =>
  onSubscription(`change to ${plan.code}${restarts ? ' anew' : ''}`, async (model, real) => {
    const { player, subscriptionId } = real;
    // What is open is paid with it then: that is left to the product's own tests.
    if (model.status === 'past_due') return;
    // The credit may be all that a shorter period costs: then no payment says when the period began anew.
    if (restarts && plan.months < model.plan.months) return;
    const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
    const wish = { plan: { code: plan.code }, ...(restarts && { restartPeriod: true }) };
    const answer = await player.command(path, wish);
    const kind = judgeChange(model, plan, restarts);
    if (kind === 'refused') {
      strictEqual(answer.status, 400, 'change');
      return;
    }
    const { id, effectiveAt } = requireOk(answer).body;
    if (kind === 'dropped') {
      model.scheduled = null;
      return;
    }
    if (kind === 'scheduled') {
      strictEqual(effectiveAt, toInstant(model.periodEnd), 'effectiveAt');
      model.scheduled = plan;
      return;
    }
    requireOk(await player.complete(String(id), 'pm_ok'));
    const now = await findChangeTime(real, model);
    changeAtOnce(model, { wanted: plan, restarts, now });
  });

export const changeCard: Step = onSubscription(
  'another card',
  async (model, { player, subscriptionId }) => {
    const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
    const answer = await player.command(path);
    if (model.status === 'canceled' || model.status === 'expired') {
      strictEqual(answer.status, 400, 'another card');
      return;
    }
    requireOk(await player.complete(String(requireOk(answer).body['id']), 'pm_ok'));
    changeMethod(model);
  },
);

/** The clock ticks on by itself: the lines of a change say when it was. */
async function findChangeTime(real: Real, { payments }: ModelSubscription): Promise<number> {
  // On trial nothing is paid for it, and nothing follows from when it was.
  if (payments.length === 0) return real.player.clockAt;
  const { lines } = await real.player.read(`/sdk/server/payments/${await findPaymentId(real, 0)}`);
  // The answer is the API's own to this path.
  const all = lines as { kind: string; covers: { start: string } }[];
  const change = all.find(({ kind }) => kind === 'proration_charge');
  return change === undefined ? real.player.clockAt : Date.parse(change.covers.start);
}

/** Goes on by so many hours. */
export const wait = (hours: number): Step => ({
  check: () => true,
  run: async ({ current }, { player, subscriptionId }) => {
    const to = findClearTime(current, player.clockAt + hours * HOUR_MS);
    await player.advance(to);
    if (current === undefined) return;
    advance(current, to);
    await compare(subscriptionId, current, player);
  },
  toString: () => `wait ${hours} h`,
});

/** The clock ticks on by itself: near to a due date it would be open whether it has come. */
function findClearTime(subscription: ModelSubscription | undefined, from: number): number {
  if (subscription === undefined) return from;
  const ahead = structuredClone(subscription);
  advance(ahead, from);
  const isNear = (at: number | null) => at !== null && Math.abs(at - from) < HOUR_MS / 2;
  const isClear = !isNear(dueAt(ahead)) && !isNear(ahead.lastDueAt);
  return isClear ? from : findClearTime(subscription, from + HOUR_MS);
}
