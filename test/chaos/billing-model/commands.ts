import { strictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import type { Part } from '../../support/standalone.js';
import { requireOk } from '../../support/scenario.js';
import { compare } from './compare.js';
import { DAY_MS, HOUR_MS, toInstant } from './model-dates.js';
import { changeAtOnce, changeMethod, judgeChange } from './model-change.js';
import { METHODS } from './model-gateway.js';
import { type ModelPayment, remaining, type Region, REGIONS } from './model-payment.js';
import { advance, dueAt, expire, type ModelSubscription, PLANS, purchase } from './model.js';
import type { Player } from './player.js';

/** What the model remembers of its player: one subscription after the other. */
export interface Model {
  current: ModelSubscription | undefined;
}

/** The player on the product's routes, and which subscription is the current one. */
export interface Real {
  readonly player: Player;
  subscriptionId: string;
}

type Step = fc.AsyncCommand<Model, Real>;

/** A step that needs a subscription, which is compared after it. */
function onSubscription(
  name: string,
  run: (model: ModelSubscription, real: Real) => Promise<void>,
): Step {
  return {
    check: ({ current }) => current !== undefined,
    run: async ({ current }, real) => {
      if (current === undefined) return;
      await run(current, real);
      await compare(real.subscriptionId, current, real.player);
    },
    toString: () => name,
  };
}

interface Order {
  readonly plan: (typeof PLANS)[number];
  readonly method: (typeof METHODS)[number];
  readonly region: Region;
}

const buy = (order: Order): Step => ({
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

const cancel = (atPeriodEnd: boolean): Step =>
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

const reactivate: Step = onSubscription('reactivate', async (model, real) => {
  const answer = await real.player.command(`/sdk/subscriptions/${real.subscriptionId}/reactivate`);
  if (model.status !== 'canceled') {
    strictEqual(answer.status, 400, 'reactivate');
    return;
  }
  requireOk(answer);
  Object.assign(model, { status: 'active', isCanceled: false });
  model.sent.push('subscription.reactivated');
});

const changePlan = (plan: (typeof PLANS)[number], restarts: boolean): Step =>
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

const changeCard: Step = onSubscription(
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
const wait = (hours: number): Step => ({
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

/** A step on one of the payments, if there is any. */
function onPayment(
  name: string,
  which: number,
  run: (payment: ModelPayment, id: string, model: ModelSubscription, real: Real) => Promise<void>,
): Step {
  return onSubscription(`${name} payment ${which}`, async (model, real) => {
    const at = which % Math.max(model.payments.length, 1);
    const payment = model.payments[at];
    if (payment === undefined) return;
    await run(payment, await findPaymentId(real, model.payments.length - 1 - at), model, real);
  });
}

const cents = (payment: ModelPayment, part: number) =>
  Math.max(1, Math.floor((payment.cents * part) / 100));

const refund = (which: number, part: number): Step =>
  onPayment(`refund ${part} % of`, which, async (payment, id, model, { player }) => {
    const amount = cents(payment, part);
    const path = `/sdk/server/payments/${id}/refunds`;
    const answer = await player.command(path, { amountCents: String(amount) });
    if (payment.disputes.length > 0 || amount > remaining(payment)) {
      strictEqual(answer.status, 400, 'refund');
      return;
    }
    requireOk(answer);
    payment.refunded += amount;
    model.sent.push('payment.refunded');
  });

const dispute = (which: number, part: number): Step =>
  onPayment(`dispute ${part} % of`, which, async (payment, paymentId, model, { player }) => {
    const amount = cents(payment, part);
    const body = { paymentId, amountCents: String(amount) };
    const answer = await player.operate('sandbox/disputes', body);
    if (amount > remaining(payment)) {
      strictEqual(answer.status, 400, 'dispute');
      return;
    }
    payment.disputes.push({ id: String(requireOk(answer).body['disputeId']), cents: amount });
    model.sent.push('dispute.opened');
  });

const closeDispute = (which: number, won: boolean): Step =>
  onPayment(`${won ? 'win' : 'lose'} a dispute of`, which, async (payment, _id, model, real) => {
    const [closed] = payment.disputes.splice(0, 1);
    if (closed === undefined) return;
    requireOk(await real.player.operate(`sandbox/disputes/${closed.id}/close`, { won }));
    if (!won) payment.lost += closed.cents;
    model.sent.push('dispute.closed');
  });

/** @param at its place in the list, newest first. */
async function findPaymentId({ player, subscriptionId }: Real, at: number): Promise<string> {
  const { payments } = await player.read(`/sdk/subscriptions/${subscriptionId}/payments?limit=100`);
  // The page is the API's own answer to this path.
  const payment = (payments as Record<string, unknown>[])[at];
  return String(payment?.['paymentId']);
}

const crash = (part: Part, afterMs: number): Step => ({
  check: () => true,
  run: async (_, { player }) => {
    player.killDuringNext(part, afterMs);
    return Promise.resolve();
  },
  toString: () => `the ${part} dies ${afterMs} ms into the next step`,
});

const PARTS: readonly Part[] = ['api', 'worker', 'projector', 'redis', 'event-store', 'storefront'];
/** Most steps have ended by then. */
const LONGEST_STEP_MS = 200;
/** With waits of up to ten weeks: a year or two. */
const MOST_STEPS = 40;

/** Random months of a player. */
export function playerLives({ crashes }: { readonly crashes: boolean }) {
  const regions = Object.keys(REGIONS) as Region[];
  const order = fc.record({
    plan: fc.constantFrom(...PLANS),
    method: fc.constantFrom(...METHODS),
    region: fc.constantFrom(...regions),
  });
  const part = fc.tuple(fc.nat(8), fc.constantFrom(10, 33, 50, 100));
  const change = fc.tuple(fc.constantFrom(...PLANS), fc.boolean());
  const closing = fc.tuple(fc.nat(8), fc.boolean());
  const kill = fc.tuple(fc.constantFrom(...PARTS), fc.nat(LONGEST_STEP_MS));
  const steps = [
    order.map(buy),
    fc.integer({ min: 1, max: 70 * 24 }).map(wait),
    fc.constantFrom(1, 2, 7, 31).map((days) => wait((days * DAY_MS) / HOUR_MS)),
    fc.boolean().map(cancel),
    fc.constant(reactivate),
    change.map(([plan, restarts]) => changePlan(plan, restarts)),
    fc.constant(changeCard),
    part.map(([which, of]) => refund(which, of)),
    part.map(([which, of]) => dispute(which, of)),
    closing.map(([which, won]) => closeDispute(which, won)),
    ...(crashes ? [kill.map(([dying, afterMs]) => crash(dying, afterMs))] : []),
  ];
  const further = fc.array(fc.oneof(...steps), { maxLength: MOST_STEPS, size: 'max' });
  return fc.tuple(order.map(buy), further).map(([first, rest]) => [first, ...rest]);
}
