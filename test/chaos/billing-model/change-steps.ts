import { strictEqual } from 'node:assert/strict';
import { findChangeTime } from './change-time.js';
import { changeAtOnce, changeMethod, downgradeAt, isBorne, judgeChange } from './model-change.js';
import { toInstant } from './model-dates.js';
import { type ChangeMethod, type MethodName, PENDING } from './model-gateway.js';
import { quoteChange } from './model-open.js';
import { statusName } from './model-payment.js';
import { openLines } from './model-period.js';
import type { ChangeAtOnce, ModelPlan, ModelSubscription, WantedPlan } from './model.js';
import { leavesTime } from './plan-steps.js';
import { compareCharge, comparePreview, type Preview, preview } from './preview.js';
import {
  askForChange,
  MOMENT_MS,
  onSubscription,
  type RealSubscription,
  type Step,
  untilStatus,
} from './step.js';

/** Of which subscription, and by which method the change is paid. */
interface Wish {
  readonly which?: number;
  readonly method?: ChangeMethod;
  /** The studio's amount for it, in the place of the difference. */
  readonly named?: number | null;
  /** The fate of unused time where nothing is named. */
  readonly unused?: WantedPlan['unused'];
  /** Whether the player agrees to the shown amount; else to the one of that moment. */
  readonly asShown?: boolean;
}

interface MethodWish {
  readonly which?: number;
  readonly method?: MethodName;
}

/** The studio's request. */
export const describeWish = ({ wanted, restarts, named, unused }: WantedPlan) => ({
  plan: { code: wanted.code },
  ...(restarts && { restartPeriod: true }),
  ...(named !== null && { amountCents: String(named) }),
  ...(named === null && unused !== 'forfeit' && { unusedCredit: unused }),
});

export const changePlan = (sold: ModelPlan, restarts: boolean, wish: Wish = {}): Step => {
  const { which = 0, method = 'pm_ok', named = null, asShown = true } = wish;
  const unused = named === null ? (wish.unused ?? 'forfeit') : 'forfeit';
  const cost = named === null ? `, ${unused}` : ` for ${named}`;
  const name = `change to ${sold.code}${restarts ? ' anew' : ''}${cost} by ${method}${asShown ? '' : ', unseen'}`;
  const step = onSubscription(name, which, async (model, real) => {
    const { market } = real;
    const wanted = market.offer(sold);
    const wish = { wanted, restarts, named, unused };
    const isRefused = market.isClosed(wanted) || model.open !== null;
    const kind = isRefused ? 'refused' : judgeNow(model, wish, real.player.clockAt);
    if (kind === undefined) return;
    const shown = await preview(real, describeWish(wish));
    const answer = await askForChange(real, describeWish(wish));
    strictEqual(answer.status, kind === 'refused' ? 400 : 200, 'change');
    strictEqual(shown === undefined, kind === 'refused', 'a preview is refused');
    if (shown === undefined) return;
    const { id, effectiveAt } = answer.body;
    if (kind === 'at_once') {
      const change = { ...wish, now: Date.parse(shown.effectiveAt), method };
      comparePreview(shown, quoteChange(model, change), real);
      await agree(model, real, change, { linkId: String(id), shown: asShown ? shown : undefined });
      return;
    }
    comparePreview(shown, { lines: [], refunded: null }, real);
    if (kind === 'scheduled') {
      strictEqual(effectiveAt, toInstant(downgradeAt(model)), 'effectiveAt');
      strictEqual(shown.effectiveAt, effectiveAt, 'effectiveAt of a preview');
    }
    model.scheduled = kind === 'scheduled' ? wanted : null;
  });
  return inTime(step, method);
};

/** The player pays for a change: the shown amount, or the one of its moment. */
async function agree(
  model: ModelSubscription,
  real: RealSubscription,
  change: ChangeAtOnce,
  { linkId, shown }: { readonly linkId: string; readonly shown: Preview | undefined },
): Promise<void> {
  const paid = await real.player.complete(linkId, { method: change.method, shown });
  const now = shown === undefined ? await findChangeTime(real, change.restarts) : change.now;
  const before = model.payments.length;
  changeAtOnce(model, { ...change, now });
  strictEqual(paid.status, isPaid(model, before) ? 200 : 400, 'change');
  if (shown !== undefined && model.payments.length > before) await compareCharge(real, shown);
  // A refund comes a moment later.
  for (const [at, payment] of model.payments.entries()) {
    const isOld = payment.refunded === 0 || change.unused !== 'refund';
    if (!isOld) await untilStatus(real, model.payments.length - 1 - at, statusName(payment));
  }
}

/** The clock ticks on by itself. @returns undefined where a moment decides whether there is anything to lose. */
function judgeNow(model: ModelSubscription, wish: WantedPlan, from: number) {
  const kind = judgeChange(model, wish);
  if (kind !== 'at_once') return kind;
  const [now, soon] = [from, from + MOMENT_MS].map((at) =>
    isBorne(model, { ...wish, now: at, method: 'pm_ok' }),
  );
  if (now !== soon) return undefined;
  return now === true ? kind : 'refused';
}

export const changeCard = ({ which = 0, method = 'pm_ok' }: MethodWish = {}): Step => {
  const step = onSubscription(`another card, ${method}`, which, async (model, real) => {
    const shown = await preview(real, {});
    const answer = await askForChange(real);
    const isRefused =
      model.status === 'canceled' || model.status === 'expired' || model.open !== null;
    strictEqual(answer.status, isRefused ? 400 : 200, 'another card');
    strictEqual(shown === undefined, isRefused, 'a preview is refused');
    if (shown === undefined) return;
    const isDue = model.status === 'past_due';
    comparePreview(shown, { lines: isDue ? openLines(model) : [], refunded: null }, real);
    const paid = await real.player.complete(String(answer.body['id']), { method, shown });
    const before = model.payments.length;
    changeMethod(model, method);
    strictEqual(paid.status, isPaid(model, before) ? 200 : 400, 'another card');
    if (model.payments.length > before) await compareCharge(real, shown);
  });
  return inTime(step, method);
};

/** Renewals by a method whose gateway takes its time are decided before they are given up. */
const inTime = (step: Step, method: MethodName): Step => ({
  ...step,
  check: (model) => step.check(model) && (method !== PENDING || leavesTime(model.market.dunning)),
});

/** Whether none of the payments that a step has added was declined. */
function isPaid({ payments }: ModelSubscription, before: number): boolean {
  return payments.slice(before).every(({ captured }) => captured);
}
