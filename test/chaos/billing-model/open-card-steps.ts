import { requireOk } from '../../support/scenario.js';
import { UNANSWERED } from './model-gateway.js';
import { openMethod } from './model-open.js';
import type { ModelSubscription } from './model.js';
import { leaveOpenAt, type OpenMood, untilAsked } from './open-change-steps.js';
import {
  findOne,
  findPaymentId,
  onSubscription,
  type RealSubscription,
  type Step,
} from './step.js';

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
  const now = await findCreation(real);
  // What no gateway answers is never taken.
  const method = mood === UNANSWERED ? 'pm_ok' : mood;
  openMethod(model, { wanted: null, now, method }, bankUrl);
}

/** The clock ticks on by itself: the newest payment says when it was asked for. */
async function findCreation(real: RealSubscription): Promise<number> {
  const id = await findPaymentId(real, 0);
  const { createdAt } = await real.player.read(`/sdk/server/payments/${id}`);
  return Date.parse(String(createdAt));
}
