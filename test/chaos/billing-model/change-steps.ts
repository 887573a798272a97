import { strictEqual } from 'node:assert/strict';
import { findChangeTime } from './change-time.js';
import { changeAtOnce, changeMethod, downgradeAt, judgeChange } from './model-change.js';
import { toInstant } from './model-dates.js';
import { type ChangeMethod, type MethodName, PENDING } from './model-gateway.js';
import { quoteLines } from './model-open.js';
import { openLines } from './model-period.js';
import type { ChangeAtOnce, ModelSubscription, PLANS, WantedPlan } from './model.js';
import { leavesTime } from './plan-steps.js';
import { compareCharge, comparePreview, type Preview, preview } from './preview.js';
import { askForChange, onSubscription, type RealSubscription, type Step } from './step.js';

type Plan = (typeof PLANS)[number];

/** Of which subscription, and by which method the change is paid. */
interface Wish {
  readonly which?: number;
  readonly method?: ChangeMethod;
  /** What the studio wants for it, in the place of the difference. */
  readonly named?: number | null;
  /** Whether the player agrees to what was shown; else to what it comes to at that moment. */
  readonly asShown?: boolean;
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

export const changePlan = (sold: Plan, restarts: boolean, wish: Wish = {}): Step => {
  const { which = 0, method = 'pm_ok', named = null, asShown = true } = wish;
  const cost = named === null ? '' : ` for ${named}`;
  const name = `change to ${sold.code}${restarts ? ' anew' : ''}${cost} by ${method}${asShown ? '' : ', unseen'}`;
  const step = onSubscription(name, which, async (model, real) => {
    const { market } = real;
    const wanted = market.offer(sold);
    const wish = { wanted, restarts, named };
    const isRefused = market.isClosed(wanted) || model.open !== null;
    const kind = isRefused ? 'refused' : judgeChange(model, wish);
    const shown = await preview(real, describeWish(wish));
    const answer = await askForChange(real, describeWish(wish));
    strictEqual(answer.status, kind === 'refused' ? 400 : 200, 'change');
    strictEqual(shown === undefined, kind === 'refused', 'a preview is refused');
    if (shown === undefined) return;
    const { id, effectiveAt } = answer.body;
    if (kind === 'at_once') {
      const change = { ...wish, now: Date.parse(shown.effectiveAt), method };
      comparePreview(shown, quoteLines(model, change), real);
      await agree(model, real, change, { linkId: String(id), shown: asShown ? shown : undefined });
      return;
    }
    comparePreview(shown, [], real);
    if (kind === 'scheduled') {
      strictEqual(effectiveAt, toInstant(downgradeAt(model)), 'effectiveAt');
      strictEqual(shown.effectiveAt, effectiveAt, 'effectiveAt of a preview');
    }
    model.scheduled = kind === 'scheduled' ? wanted : null;
  });
  return inTime(step, method);
};

/** The player pays for a change: what was shown, or what it comes to at its moment. */
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
    comparePreview(shown, isDue ? openLines(model) : [], real);
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

/** Whether none of what a step has added to the payments was declined. */
function isPaid({ payments }: ModelSubscription, before: number): boolean {
  return payments.slice(before).every(({ captured }) => captured);
}
