import { strictEqual } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { findChangeTime } from './change-time.js';
import { changeAtOnce, changeMethod, downgradeAt, judgeChange } from './model-change.js';
import { toInstant } from './model-dates.js';
import { type ChangeMethod, type MethodName, PENDING } from './model-gateway.js';
import type { ModelSubscription, PLANS, WantedPlan } from './model.js';
import { leavesTime } from './plan-steps.js';
import { onSubscription, type Step } from './step.js';

/** Of which subscription, and by which method the change is paid. */
interface Wish {
  readonly which?: number;
  readonly method?: ChangeMethod;
  /** What the studio wants for it, in the place of the difference. */
  readonly named?: number | null;
}

interface MethodWish {
  readonly which?: number;
  readonly method?: MethodName;
}

/** What the studio asks for. */
export const describeWish = ({ wanted, restarts, named }: WantedPlan) => ({
  plan: { code: wanted.code },
  ...(restarts && { restartPeriod: true }),
  ...(named !== null && { amountCents: String(named) }),
});

export const changePlan = (
  sold: (typeof PLANS)[number],
  restarts: boolean,
  { which = 0, method = 'pm_ok', named = null }: Wish = {},
): Step => {
  const step = onSubscription(
    `change to ${sold.code}${restarts ? ' anew' : ''}${named === null ? '' : ` for ${named}`} by ${method}`,
    which,
    async (model, real) => {
      const { player, subscriptionId, market } = real;
      const plan = market.offer(sold);
      const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
      const answer = await player.command(path, describeWish({ wanted: plan, restarts, named }));
      const kind =
        market.isClosed(plan) || model.open !== null
          ? 'refused'
          : judgeChange(model, { wanted: plan, restarts, named });
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
        strictEqual(effectiveAt, toInstant(downgradeAt(model)), 'effectiveAt');
        model.scheduled = plan;
        return;
      }
      const paid = await player.complete(String(id), { method });
      const now = await findChangeTime(real, restarts ? plan.months : null);
      const before = model.payments.length;
      changeAtOnce(model, { wanted: plan, restarts, named, now, method });
      strictEqual(paid.status, isPaid(model, before) ? 200 : 400, 'change');
    },
  );
  return inTime(step, method);
};

export const changeCard = ({ which = 0, method = 'pm_ok' }: MethodWish = {}): Step => {
  const step = onSubscription(
    `another card, ${method}`,
    which,
    async (model, { player, subscriptionId }) => {
      const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
      const answer = await player.command(path);
      if (model.status === 'canceled' || model.status === 'expired' || model.open !== null) {
        strictEqual(answer.status, 400, 'another card');
        return;
      }
      const paid = await player.complete(String(requireOk(answer).body['id']), { method });
      const before = model.payments.length;
      changeMethod(model, method);
      strictEqual(paid.status, isPaid(model, before) ? 200 : 400, 'another card');
    },
  );
  return inTime(step, method);
};

/** Renewals by a method whose gateway takes its time are decided before they are given up. */
const inTime = (step: Step, method: MethodName): Step => ({
  ...step,
  check: (model) => step.check(model) && (method !== PENDING || leavesTime(model.market.dunning)),
  toString: () => step.toString(),
});

/** Whether none of what a step has added to the payments was declined. */
function isPaid({ payments }: ModelSubscription, before: number): boolean {
  return payments.slice(before).every(({ captured }) => captured);
}
