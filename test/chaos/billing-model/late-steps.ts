import { eventually } from '../../support/eventually.js';
import { requireOk } from '../../support/scenario.js';
import { compare } from './compare.js';
import { DAY_MS, HOUR_MS } from './model-dates.js';
import { nextBilling } from './model-due.js';
import { PENDING, UNANSWERED } from './model-gateway.js';
import { decideAtBank } from './model-open.js';
import { statusName } from './model-payment.js';
import { expire } from './model-period.js';
import type { ModelSubscription, PLANS } from './model.js';
import { beginCard } from './open-card-steps.js';
import { beginChange } from './open-change-steps.js';
import { leavesTime } from './plan-steps.js';
import {
  findOne,
  type Model,
  type OwnedSubscription,
  type Real,
  type Step,
  untilStatus,
} from './step.js';
import { advanceAll, findClearTime } from './wait-steps.js';

/**
 * A charge that the gateway decides within seconds is given up before that: the clock runs faster (rules/payments 17).
 * Captured after that it buys nothing and goes back by itself. A busy machine may take those seconds: messages tell
 * which it was.
 */
function outrun(
  name: string,
  which: number,
  { fits, run }: { fits: (state: ModelSubscription) => boolean; run: Outrun },
): Step {
  return {
    check: (model) => {
      const one = findOne(model, which);
      if (one === undefined || !leavesTime(model.market.dunning)) return false;
      const others = model.owned.filter(({ state }) => state !== one.state);
      return isQuiet(others) && one.state.open === null && fits(one.state);
    },
    run: async (model, real) => {
      const one = findOne(model, which);
      if (one === undefined) return;
      await run(model, one, real);
      const { player } = real;
      const about = { player, market: model.market, subscriptionId: one.id };
      const [newest] = one.state.payments.slice(-1);
      if (newest !== undefined) await untilStatus(about, 0, statusName(newest));
      for (const { id, state } of model.owned) await compare(id, state, player);
    },
    toString: () => `${name}${which === 0 ? '' : ` (subscription ${which})`}`,
  };
}
type Outrun = (model: Model, one: OwnedSubscription, real: Real) => Promise<void>;

/** Whether no other charge is decided meanwhile. */
const isQuiet = (others: Model['owned']) =>
  others.every(({ state }) => state.method !== PENDING || state.status !== 'active');

/** A renewal is charged, and its grace is over at once. */
export const outrunRenewal = (which: number): Step =>
  outrun('the clock outruns a renewal', which, {
    fits: ({ status, method }) => status === 'active' && method === PENDING,
    run: async (model, one, { player }) => {
      const { state } = one;
      const before = state.sent.length;
      const graceMs = Math.max(1, model.market.dunning.graceHours) * HOUR_MS;
      state.method = UNANSWERED;
      const to = findClearTime(model, nextBilling(state) + graceMs + HOUR_MS);
      await player.advance(to);
      if (await isCaptured(one, before, { player })) state.method = PENDING;
      advanceAll(model, to);
      state.method = PENDING;
      captureLate(state);
    },
  });

/** The player ends the subscription while its renewal is decided (rules/payments 6). */
export const cancelPendingRenewal = (which: number): Step =>
  outrun('a cancel overtakes a renewal', which, {
    fits: ({ status, method }) => status === 'active' && method === PENDING,
    run: async (model, one, { player }) => {
      const { state, id } = one;
      const before = state.sent.length;
      state.method = UNANSWERED;
      const to = findClearTime(model, nextBilling(state) + HOUR_MS);
      await player.advance(to);
      const path = `/sdk/subscriptions/${id}/cancel`;
      requireOk(await player.command(path, { cancel_at_period_end: false }));
      if (!(await isFirst(one, before, { player }, 'subscription.expired'))) state.method = PENDING;
      advanceAll(model, to);
      state.open = null;
      expire(state, null);
      captureLate(state);
    },
  });

/** A change, or another card where no plan is named, has no outcome within its day. */
export const outrunChange = (sold: (typeof PLANS)[number] | null, which: number): Step =>
  outrun(
    `the clock outruns ${sold === null ? 'another card' : `a change to ${sold.code}`}`,
    which,
    {
      fits: ({ status }) => status === 'past_due' || (status === 'active' && sold !== null),
      run: async (model, one, { player }) => {
        const { state } = one;
        // The next charge after it comes at a moment that only the clock knows.
        if (nextBilling(state) < player.clockAt + 2 * DAY_MS) return;
        const before = state.sent.length;
        const real = { player, market: model.market, subscriptionId: one.id };
        if (sold === null) await beginCard(state, real, PENDING);
        else await beginChange(state, real, sold, { mood: PENDING });
        const { open } = state;
        if (open === null) return;
        const to = findClearTime(model, open.endsAt + HOUR_MS);
        await player.advance(to);
        if (await isCaptured(one, before, { player })) decideAtBank(state, open.payment, true);
        advanceAll(model, to);
        captureLate(state);
      },
    },
  );

/** A charge that was given up is captured after all. */
function captureLate(state: ModelSubscription): void {
  const [payment] = state.payments.slice(-1);
  if (payment?.captured === false) decideAtBank(state, payment, true);
}

/** Whether the gateway's decision was there before it was given up. */
const isCaptured = async (one: OwnedSubscription, before: number, real: Real) =>
  !(await isFirst(one, before, real, 'payment.failed'));

/** Whether this came before a capture: the first message about either tells. */
async function isFirst(
  { id }: OwnedSubscription,
  before: number,
  { player }: Real,
  wanted: string,
): Promise<boolean> {
  const tells = () =>
    player
      .messages(id)
      .slice(before)
      .find(({ type }) => type === wanted || type === 'payment.succeeded');
  await eventually(() => tells() !== undefined, { what: `a message of ${id}` });
  return tells()?.type === wanted;
}
