import { ok } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { DAY_MS } from './model-dates.js';
import { accessEnd } from './model-due.js';
import { UNANSWERED } from './model-gateway.js';
import { openMethod } from './model-open.js';
import type { ModelSubscription } from './model.js';
import { leaveOpenAt, MOMENT_MS, type OpenMood, untilAsked } from './open-change-steps.js';
import { findOne, onSubscription, type RealSubscription, type Step } from './step.js';

/**
 * Another payment method while a period is not paid: there is no outcome of its charge for up to a day, in which
 * nothing else is charged (rules/lifecycle 11).
 */
export const leaveCardOpen = (which: number, mood: OpenMood): Step => {
  const step = onSubscription(`open another card, ${mood}`, which, async (model, real) =>
    beginCard(model, real, mood),
  );
  return {
    ...step,
    check: (model) => {
      const state = findOne(model, which)?.state;
      return state?.status === 'past_due' && state.open === null;
    },
    toString: () => step.toString(),
  };
};

/** Has it open in both. */
export async function beginCard(
  model: ModelSubscription,
  real: RealSubscription,
  mood: OpenMood,
): Promise<void> {
  const { player, subscriptionId } = real;
  const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
  const link = requireOk(await player.command(path)).body;
  const bankUrl = await leaveOpenAt(player, String(link['id']), mood);
  await untilAsked(model, real);
  const now = await findAgreement(model, real);
  // What no gateway answers is never taken.
  const method = mood === UNANSWERED ? 'pm_ok' : mood;
  openMethod(model, { wanted: null, now, method }, bankUrl);
}

/**
 * The clock ticks on by itself: access that lasts until the charge is given up says when that is. Where grace is longer,
 * nothing follows from the very moment.
 */
async function findAgreement(model: ModelSubscription, real: RealSubscription): Promise<number> {
  const { player, subscriptionId } = real;
  const shown = await player.read(`/sdk/subscriptions/${subscriptionId}`);
  const endsAt = Date.parse(String(shown['access_end_date']));
  if (endsAt === accessEnd(model)) return player.clockAt;
  const agreedAt = endsAt - DAY_MS;
  const late = agreedAt - player.clockAt;
  ok(late >= 0 && late < MOMENT_MS, `another card was agreed to ${late} ms later`);
  return agreedAt;
}
