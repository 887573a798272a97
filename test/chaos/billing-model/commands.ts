import { strictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import type { Part } from '../../support/standalone.js';
import { requireOk } from '../../support/scenario.js';
import { compare } from './compare.js';
import { DAY_MS, HOUR_MS } from './model-dates.js';
import { METHODS } from './model-gateway.js';
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

function buy(plan: (typeof PLANS)[number], method: (typeof METHODS)[number]): Step {
  return {
    check: ({ current }) => current === undefined || current.status === 'expired',
    run: async (model, real) => {
      const id = await real.player.buy(plan.code, method);
      if (id === undefined) {
        strictEqual(purchase(plan, method, 0), undefined, 'declined');
        return;
      }
      const { created_at: at } = await real.player.read(`/sdk/subscriptions/${id}`);
      const bought = purchase(plan, method, Date.parse(String(at)));
      strictEqual(bought !== undefined, true, 'captured');
      Object.assign(real, { subscriptionId: id });
      model.current = bought;
      if (bought !== undefined) await compare(id, bought, real.player);
    },
    toString: () => `buy ${plan.code} with ${method}`,
  };
}

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
      Object.assign(model, { status: 'canceled', isCanceled: true });
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

const refund = (which: number, part: number): Step =>
  onSubscription(`refund ${part} % of payment ${which}`, async (model, real) => {
    const { payments } = model;
    const at = which % Math.max(payments.length, 1);
    const payment = payments[at];
    if (payment === undefined) return;
    const left = payment.cents - payment.refunded;
    const cents = Math.max(1, Math.floor((payment.cents * part) / 100));
    const id = await findPaymentId(real, payments.length - 1 - at);
    const path = `/sdk/server/payments/${id}/refunds`;
    const answer = await real.player.command(path, { amountCents: String(cents) });
    if (!payment.captured || cents > left) {
      strictEqual(answer.status, 400, 'refund');
      return;
    }
    requireOk(answer);
    payment.refunded += cents;
    model.sent.push('payment.refunded');
  });

/** @param at its place in the list, newest first. */
async function findPaymentId({ player, subscriptionId }: Real, at: number): Promise<string> {
  const { payments } = await player.read(`/sdk/subscriptions/${subscriptionId}/payments?limit=100`);
  // The page is the API's own answer to this path.
  const payment = (payments as Record<string, unknown>[])[at];
  return String(payment?.['paymentId']);
}

const crash = (part: Part): Step => ({
  check: () => true,
  run: async (_, { player }) => {
    player.killDuringNext(part);
    return Promise.resolve();
  },
  toString: () => `the ${part} dies during the next step`,
});

const PARTS: readonly Part[] = ['api', 'worker', 'projector', 'redis', 'event-store', 'storefront'];
/** With waits of up to ten weeks: a year or two. */
const MOST_STEPS = 40;

/** Random months of a player. */
export function playerLives({ crashes }: { readonly crashes: boolean }) {
  const bought = fc.tuple(fc.constantFrom(...PLANS), fc.constantFrom(...METHODS));
  const refunded = fc.tuple(fc.nat(8), fc.constantFrom(10, 33, 50, 100));
  const steps = [
    bought.map(([plan, method]) => buy(plan, method)),
    fc.integer({ min: 1, max: 70 * 24 }).map(wait),
    fc.constantFrom(1, 2, 7, 31).map((days) => wait((days * DAY_MS) / HOUR_MS)),
    fc.boolean().map(cancel),
    fc.constant(reactivate),
    refunded.map(([which, part]) => refund(which, part)),
    ...(crashes ? [fc.constantFrom(...PARTS).map(crash)] : []),
  ];
  return fc.array(fc.oneof(...steps), { maxLength: MOST_STEPS, size: 'max' });
}
