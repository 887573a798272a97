import { ok } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { DAY_MS } from './model-dates.js';
import { accessEnd } from './model-due.js';
import { openMethod } from './model-open.js';
import type { ModelSubscription } from './model.js';
import { leaveOpenAt, methodAfter, type OpenMood, untilAsked } from './open-change-steps.js';
import {
  askForChange,
  MOMENT_MS,
  onSubscription,
  type RealSubscription,
  type Step,
  whereFits,
} from './step.js';

/**
 * Another payment method while a period is not paid: there is no outcome of its charge for up to a day, in which
 * nothing else is charged (rules/lifecycle 11).
 */
export const leaveCardOpen = (which: number, mood: OpenMood): Step => {
  const step = onSubscription(`open another card, ${mood}`, which, async (model, real) =>
    beginCard(model, real, mood),
  );
  return whereFits(step, which, ({ status, open }) => status === 'past_due' && open === null);
};

/** Has it open in both. */
export async function beginCard(
  model: ModelSubscription,
  real: RealSubscription,
  mood: OpenMood,
): Promise<void> {
  const link = requireOk(await askForChange(real)).body;
  const bankUrl = await leaveOpenAt(real.player, String(link['id']), mood);
  await untilAsked(model, real);
  const now = await findAgreement(model, real);
  openMethod(model, { wanted: null, now, method: methodAfter(mood) }, bankUrl);
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
