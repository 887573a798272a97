import { chargeWith, type MethodName, UNANSWERED } from './model-gateway.js';
import { addPeriods, dayOfMonth, IN_CYCLE, isOfDays, isSamePeriod } from './model-dates.js';
import {
  changeLines,
  type ModelLine,
  type ModelPayment,
  remaining,
  sumLines,
  withAddedTax,
} from './model-payment.js';
import {
  keepPeriod,
  nextPeriodEnd,
  openLines,
  pay,
  payOpenPeriod,
  takePeriod,
} from './model-period.js';
import { costFrom, share } from './model-share.js';
import { rateAt } from './model-tax.js';
import type { ChangeAtOnce, ModelPlan, ModelSubscription, WantedPlan } from './model.js';

/** The result of a wish for another plan (rules/lifecycle 11). */
type ChangeKind = 'refused' | 'dropped' | 'scheduled' | 'at_once';

export function judgeChange(
  { plan, status, scheduled, trialEnd, periodEnd }: ModelSubscription,
  { wanted, restarts, named }: WantedPlan,
): ChangeKind {
  if (status !== 'active' && status !== 'past_due') return 'refused';
  // A player who wants to keep the plan drops the change that waits.
  const isPlain = !restarts && named === null;
  if (plan.code === wanted.code) return scheduled !== null && isPlain ? 'dropped' : 'refused';
  const inCycle = ({ cents, period }: ModelPlan) => cents * IN_CYCLE[period.unit];
  const isDearer = inCycle(wanted) * plan.period.value > inCycle(plan) * wanted.period.value;
  // Neither does a trial begin anew.
  const isTrial = status === 'active' && trialEnd === periodEnd;
  if (!isDearer) return isPlain ? 'scheduled' : 'refused';
  return restarts && isTrial ? 'refused' : 'at_once';
}

/** When a cheaper plan begins: after the period that is open, too. */
export function downgradeAt(subscription: ModelSubscription): number {
  return subscription.status === 'past_due' ? nextPeriodEnd(subscription) : subscription.periodEnd;
}

/** The plan is another one from `now` on, where the method pays the price. */
export function changeAtOnce(subscription: ModelSubscription, change: ChangeAtOnce): void {
  const changed = structuredClone(subscription);
  takeChange(changed, change);
  const payment = changed.payments[subscription.payments.length];
  if (payment?.captured === false) {
    Object.assign(subscription.charges, changed.charges);
    subscription.payments.push(payment);
    subscription.sent.push('payment.failed');
    return;
  }
  if (payment !== undefined) subscription.payments.push(payment);
  become(subscription, changed);
}

/**
 * The subscription takes the state of a copy of it. Payments stay the same objects: whether they were compared is
 * theirs; rates are the app's.
 *
 * @param made the payment that the copy has made anew, where it is there already.
 */
export function become(
  subscription: ModelSubscription,
  changed: ModelSubscription,
  made: ModelPayment | null = null,
): void {
  const { payments, rates } = subscription;
  for (const [at, payment] of payments.entries()) {
    payment.refunded = changed.payments[at]?.refunded ?? payment.refunded;
  }
  const paidBy = payments[changed.payments.findIndex((one) => one === changed.paidBy)] ?? made;
  Object.assign(subscription, changed, { payments, rates, paidBy });
}

/** Whether a change can treat unused time so (rules/payments 20). */
export function isBorne(subscription: ModelSubscription, change: ChangeAtOnce): boolean {
  const copy = structuredClone(subscription);
  const { rest, refunded } = takeChange(copy, change);
  if (change.unused === 'refuse') return rest === 0;
  if (refunded === null) return change.unused === 'forfeit' || rest === 0;
  const { payment } = refunded;
  return payment.disputes.length === 0 && remaining(payment) >= 0;
}

/** The result of a change. */
export interface TakenChange {
  /** Also where they add up to nothing. */
  readonly lines: readonly ModelLine[];
  /** The part of the unused time that it does not use up. */
  readonly rest: number;
  /** The refunded part of that, and its payment. */
  readonly refunded: { readonly payment: ModelPayment; readonly cents: number } | null;
}

/** The result of the change where it is paid. */
export function takeChange(
  subscription: ModelSubscription,
  { wanted, restarts, named, unused: policy, now, method }: ChangeAtOnce,
): TakenChange {
  const { plan: before, region, rates } = subscription;
  const open = subscription.status === 'past_due' ? openLines(subscription) : [];
  if (subscription.status === 'past_due') {
    Object.assign(subscription, { status: 'active', dunning: null });
    takePeriod(subscription);
  }
  const { periodStart, periodEnd, trialEnd } = subscription;
  subscription.scheduled = null;
  subscription.method = method;
  const left = { start: now, end: periodEnd };
  // A period that was begun for another plan holds several of this one's, or a part of one.
  const isOwn = subscription.periodsPaid > 0;
  const cost = (plan: ModelPlan) =>
    isOwn && isSamePeriod(plan.period, before.period)
      ? share(plan.cents, left, { start: periodStart, end: periodEnd })
      : costFrom(subscription, plan, left);
  const credit = cost(before);
  const charge = restarts ? wanted.cents : cost(wanted);
  if (restarts) {
    const periodEnd = addPeriods(now, wanted.period, 1);
    const billingDay = dayOfMonth(isOfDays(wanted.period) ? periodEnd : now);
    const dates = { anchor: now, billingDay, periodsPaid: 1, periodStart: now, periodEnd };
    Object.assign(subscription, dates, { plan: wanted });
  } else {
    keepPeriod(subscription, wanted);
  }
  const covers = { start: now, end: Math.max(now, subscription.periodEnd) };
  const charged = { cents: charge, covers, plan: wanted };
  const unused = { start: now, end: Math.max(now, periodEnd) };
  const credited = { cents: credit, covers: unused, plan: before };
  // The studio's amount is in the place of the difference.
  const isFree = named === null && trialEnd === periodEnd;
  const [charges, credits] =
    named === null
      ? [charged, credited]
      : [
          { ...charged, cents: named },
          { ...credited, cents: 0 },
        ];
  const rest = isFree ? 0 : Math.max(0, credits.cents - charges.cents);
  const isRefunded = policy === 'refund';
  const rate = rateAt(rates, region, now);
  const change = isFree ? [] : changeLines(rate, charges, { ...credits, isRefunded });
  const lines = [...open, ...change];
  if (sumLines(lines).cents > 0) {
    const outcome = chargeWith(method, subscription.charges, { offSession: false });
    pay(subscription, { context: 'PLAN_CHANGE', captured: outcome === 'captured', lines });
    subscription.sent.push('payment.succeeded');
    if (open.length > 0) subscription.sent.push('subscription.payment_succeeded');
  }
  subscription.sent.push('subscription.updated');
  return { lines, rest, refunded: isRefunded && rest > 0 ? giveBack(subscription, rest) : null };
}

/** Unused time goes back to the payment that paid last for its period. */
function giveBack({ paidBy: payment, sent }: ModelSubscription, rest: number) {
  if (payment === null) return null;
  const cents = withAddedTax(rest, payment.lines);
  payment.refunded += cents;
  sent.push('payment.refunded');
  return { payment, cents };
}

/** Another payment method: it pays an open period at once. */
export function changeMethod(subscription: ModelSubscription, method: MethodName): void {
  // The one that is not answered is chosen where nothing is due alone.
  if (subscription.status !== 'past_due' || method === UNANSWERED) {
    subscription.method = method;
    return;
  }
  const outcome = chargeWith(method, subscription.charges, { offSession: false });
  if (outcome === 'captured') {
    subscription.method = method;
    payOpenPeriod(subscription, 'PAYMENT_METHOD_UPDATE');
  } else {
    pay(subscription, { context: 'PAYMENT_METHOD_UPDATE', captured: false });
    subscription.sent.push('payment.failed');
  }
}
