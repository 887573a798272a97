import { eventually } from '../../support/eventually.js';
import { requireOk } from '../../support/scenario.js';
import { changeCard } from './change-steps.js';
import { findChangeTime } from './change-time.js';
import { judgeChange, openChange } from './model-change.js';
import { DAY_MS } from './model-dates.js';
import { UNANSWERED } from './model-gateway.js';
import type { PLANS } from './model.js';
import {
  findOne,
  findPaymentId,
  onSubscription,
  type RealSubscription,
  type Step,
} from './step.js';

/** Where nothing is due, the method is not tried: what the gateway does not answer is the next renewal. */
export const loseGateway = (which: number): Step => {
  const step = changeCard({ which, method: UNANSWERED });
  return {
    ...step,
    check: (model) => {
      const state = findOne(model, which)?.state;
      return state?.status === 'active' && state.open === null;
    },
    toString: () => step.toString(),
  };
};

/** The gateway does not answer for a change, which is open for a day. */
export const leaveChangeOpen = (sold: (typeof PLANS)[number], which: number): Step => {
  const step = onSubscription(`open change to ${sold.code}`, which, async (model, real) => {
    const { player, subscriptionId, market } = real;
    const wanted = market.offer(sold);
    const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
    const wish = { wanted, restarts: false, named: null };
    if (market.isClosed(wanted) || judgeChange(model, wish) !== 'at_once') return;
    // It costs something for certain.
    const isTrial = model.trialEnd === model.periodEnd;
    if (isTrial || model.periodEnd - player.clockAt < DAY_MS) return;
    const answer = await player.command(path, { plan: { code: wanted.code } });
    await player.beginPayment(String(requireOk(answer).body['id']), UNANSWERED);
    await untilPending(real);
    const now = await findChangeTime(real, null);
    openChange(model, { ...wish, now, method: 'pm_ok' });
  });
  return {
    ...step,
    check: (model) => {
      const state = findOne(model, which)?.state;
      return state?.status === 'active' && state.open === null;
    },
    toString: () => step.toString(),
  };
};

async function untilPending(real: RealSubscription): Promise<void> {
  const { player } = real;
  const isThere = async () => {
    const newest = await findPaymentId(real, 0);
    if (newest === 'undefined') return false;
    const { status } = await player.read(`/sdk/server/payments/${newest}`);
    return String(status).endsWith('_PENDING');
  };
  await eventually(isThere, { what: 'the open payment of a change' });
}
