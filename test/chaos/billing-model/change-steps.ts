import { strictEqual } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { DAY_MS, toInstant } from './model-dates.js';
import { changeAtOnce, changeMethod, downgradeAt, judgeChange } from './model-change.js';
import { type ChangeMethod, type MethodName, UNANSWERED } from './model-gateway.js';
import type { ModelSubscription, PLANS } from './model.js';
import {
  findOne,
  findPaymentId,
  onSubscription,
  type RealSubscription,
  type Step,
} from './step.js';

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

export const changePlan = (
  sold: (typeof PLANS)[number],
  restarts: boolean,
  { which = 0, method = 'pm_ok', named = null }: Wish = {},
): Step =>
  onSubscription(
    `change to ${sold.code}${restarts ? ' anew' : ''}${named === null ? '' : ` for ${named}`} by ${method}`,
    which,
    async (model, real) => {
      const { player, subscriptionId, market } = real;
      const plan = market.offer(sold);
      const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
      const wish = {
        plan: { code: plan.code },
        ...(restarts && { restartPeriod: true }),
        ...(named !== null && { amountCents: String(named) }),
      };
      const answer = await player.command(path, wish);
      const kind = market.isClosed(plan)
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

export const changeCard = ({ which = 0, method = 'pm_ok' }: MethodWish = {}): Step =>
  onSubscription(`another card, ${method}`, which, async (model, { player, subscriptionId }) => {
    const path = `/sdk/subscriptions/${subscriptionId}/change-checkout-links`;
    const answer = await player.command(path);
    if (model.status === 'canceled' || model.status === 'expired') {
      strictEqual(answer.status, 400, 'another card');
      return;
    }
    const paid = await player.complete(String(requireOk(answer).body['id']), { method });
    const before = model.payments.length;
    changeMethod(model, method);
    strictEqual(paid.status, isPaid(model, before) ? 200 : 400, 'another card');
  });

/** Where nothing is due, the method is not tried: what the gateway does not answer is the next renewal. */
export const loseGateway = (which: number): Step => {
  const step = changeCard({ which, method: UNANSWERED });
  return {
    ...step,
    check: (model) => findOne(model, which)?.state.status === 'active',
    toString: () => step.toString(),
  };
};

/** Whether none of what a step has added to the payments was declined. */
function isPaid({ payments }: ModelSubscription, before: number): boolean {
  return payments.slice(before).every(({ captured }) => captured);
}

/** The clock ticks on by itself: the lines of a change say when it was, or the end of a period that began with it. */
async function findChangeTime(
  { player, subscriptionId }: Omit<RealSubscription, 'market'>,
  begunMonths: number | null,
): Promise<number> {
  const newest = await findPaymentId({ player, subscriptionId }, 0);
  // On trial nothing is paid for it, and nothing follows from when it was.
  if (newest !== 'undefined') {
    const { lines } = await player.read(`/sdk/server/payments/${newest}`);
    // The answer is the API's own to this path.
    const all = lines as { kind: string; covers: { start: string } }[];
    const change = all.find(({ kind }) => kind === 'proration_charge');
    const at = change === undefined ? 0 : Date.parse(change.covers.start);
    if (at >= player.clockAt) return at;
  }
  if (begunMonths === null) return player.clockAt;
  const { current_period_end: end } = await player.read(`/sdk/subscriptions/${subscriptionId}`);
  return monthsBefore(Date.parse(String(end)), player.clockAt);
}

/** The moment soon after another one from which some months end at an instant: at the same time of the day. */
function monthsBefore(end: number, soonAfter: number): number {
  const at = soonAfter - (soonAfter % DAY_MS) + (end % DAY_MS);
  return at < soonAfter ? at + DAY_MS : at;
}
