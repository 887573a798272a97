import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { eventually } from '../../support/eventually.js';
import { requireOk } from '../../support/scenario.js';
import { compare } from './compare.js';
import { HOUR_MS } from './model-dates.js';
import { advance, dueAt, expire, type ModelSubscription, type PLANS, purchase } from './model.js';
import type { METHODS } from './model-gateway.js';
import type { Region } from './model-payment.js';
import type { Player } from './player.js';
import { type Model, onSubscription, type Step } from './step.js';

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
  check: ({ owned }) =>
    owned.filter(({ state }) => state.status !== 'expired').length < SUBSCRIPTIONS_AT_MOST,
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
      }
    },
  );

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

/** Goes on by so many hours. */
export const wait = (hours: number): Step => ({
  check: () => true,
  run: async ({ owned }, { player }) => {
    const to = findClearTime(owned, player.clockAt + hours * HOUR_MS);
    await letPass(owned, player, to);
    for (const { id, state } of owned) {
      advance(state, to);
      await compare(id, state, player);
    }
  },
  toString: () => `wait ${hours} h`,
});

/** The clock ticks on by itself: near to a due date it would be open whether it has come. */
function findClearTime(owned: Model['owned'], from: number): number {
  const ahead = owned.map(({ state }) => structuredClone(state));
  for (const state of ahead) advance(state, from);
  const isNear = (at: number | null) => at !== null && Math.abs(at - from) < HOUR_MS / 2;
  // What a gateway does not answer is given up at the end of grace: nothing is done in between.
  const isOpen = ({ lastDueAt }: ModelSubscription) => lastDueAt !== null && lastDueAt > from;
  const isClear = !ahead.some(
    (state) => isOpen(state) || isNear(dueAt(state)) || isNear(state.lastDueAt),
  );
  return isClear ? from : findClearTime(owned, from + HOUR_MS);
}

/** A charge that the gateway leaves open is waited for soon after it was due: its grace is a time of the clock. */
async function letPass(owned: Model['owned'], player: Player, to: number): Promise<void> {
  const ahead = owned.map(({ id, state }) => ({ id, state: structuredClone(state) }));
  for (;;) {
    const next = findNextPending(ahead, to);
    if (next === undefined) break;
    const soon = findClearTime(ahead, next.at + HOUR_MS);
    if (soon > to) break;
    for (const { state } of ahead) advance(state, soon);
    await player.advance(soon);
    await untilSettled(next.id, player);
  }
  await player.advance(to);
  for (const { id, state } of owned)
    if (state.method === 'pm_pending') await untilSettled(id, player);
}

function findNextPending(ahead: Model['owned'], to: number) {
  const due = ahead
    .filter(({ state }) => state.method === 'pm_pending' && state.status === 'active')
    .map(({ id, state }) => ({ id, at: dueAt(state) ?? Infinity }))
    .filter(({ at }) => at <= to);
  return due.sort((left, right) => left.at - right.at)[0];
}

async function untilSettled(subscriptionId: string, player: Player): Promise<void> {
  const path = `/sdk/subscriptions/${subscriptionId}/payments?limit=1`;
  const isSettled = async () => {
    const { payments } = await player.read(path);
    // The page is the API's own answer to this path.
    const [newest] = payments as { status: string }[];
    return newest === undefined || !newest.status.endsWith('_PENDING');
  };
  await eventually(isSettled, { what: `the outcome of ${subscriptionId}`, longestPollMs: 250 });
}
