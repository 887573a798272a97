import { addPeriods, dayOfMonth, isOfDays, isSamePeriod } from './model-dates.js';
import {
  type Context,
  type ModelLine,
  type ModelPayment,
  periodLines,
  sumLines,
} from './model-payment.js';
import { rateAt } from './model-tax.js';
import type { ModelPlan, ModelSubscription } from './model.js';

/** Notes a payment, of the next period where nothing else is said. */
export function pay(
  subscription: ModelSubscription,
  {
    context,
    captured,
    lines = openLines(subscription),
  }: Pick<ModelPayment, 'context' | 'captured'> & { readonly lines?: readonly ModelLine[] },
): void {
  const { payments } = subscription;
  const given = { isPending: false, bankUrl: null, refunded: 0, lost: 0, disputes: [] };
  const payment = { context, lines, ...sumLines(lines), captured, ...given };
  payments.push(payment);
  if (captured) subscription.paidBy = payment;
}

/** The lines of the period that is not paid yet, at the rate of its due date. */
export function openLines(subscription: ModelSubscription): ModelLine[] {
  const { plan, region, rates, periodEnd: start } = subscription;
  const covers = { start, end: nextPeriodEnd(subscription) };
  return periodLines(rateAt(rates, region, start), { cents: plan.cents, covers, plan });
}

/** Periods of another length count from the end of the present one. */
export function keepPeriod(subscription: ModelSubscription, wanted: ModelPlan): void {
  const { plan, periodEnd } = subscription;
  if (!isSamePeriod(plan.period, wanted.period)) {
    Object.assign(subscription, { anchor: periodEnd, periodsPaid: 0 });
  }
  subscription.plan = wanted;
}

export function takePeriod(subscription: ModelSubscription): void {
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = nextPeriodEnd(subscription);
  subscription.periodsPaid += 1;
  if (isOfDays(subscription.plan.period))
    subscription.billingDay = dayOfMonth(subscription.periodEnd);
}

export function nextPeriodEnd(subscription: ModelSubscription): number {
  const { anchor, plan, periodsPaid, billingDay } = subscription;
  return addPeriods(anchor, plan.period, periodsPaid + 1, billingDay);
}

export function payOpenPeriod(subscription: ModelSubscription, context: Context): void {
  pay(subscription, { context, captured: true });
  subscription.sent.push('payment.succeeded', 'subscription.payment_succeeded');
  Object.assign(subscription, { status: 'active', dunning: null });
  takePeriod(subscription);
}

/** @param at null where the moment is the caller's. */
export function expire(subscription: ModelSubscription, at: number | null): void {
  subscription.status = 'expired';
  subscription.expiredAt = at;
  subscription.sent.push('subscription.expired');
}
