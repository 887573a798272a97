import {
  addPeriods,
  billingDayAt,
  dayOfMonth,
  type Interval,
  laterInstant,
  type Period,
} from '../calendar/index.js';
import { type AnyRejection, type FieldViolation, reject, rejectFields } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isPositive, type Money, money, zero } from '../money/index.js';
import { type BillingPeriod, type PaymentLine, sumLines } from '../payment/index.js';
import type { TaxRates } from '../pricing/index.js';
import type { ChangedPlan, PlanAfterChange } from './change.events.js';
import { findObstacle, findOtherCurrency } from './change.obstacles.js';
import type { WantedChange } from './change.wanted.js';
import {
  countFrom,
  countWithin,
  isDearer,
  namedLines,
  type PricedTime,
  prorationLines,
} from './proration.js';
import { renewalLines } from './renewal-lines.js';
import { nextPeriod, type StartedSubscription } from './subscription.state.js';
import { settleCredit } from './unused-credit.js';

/** The quote of a change at a moment: the same for a preview, the page and the charge. */
export interface ChangeQuote {
  readonly effectiveAt: Instant;
  /** Whether it waits for the period's end, or drops the waiting change: nothing is paid for it then. */
  readonly isScheduled: boolean;
  readonly lines: readonly PaymentLine[];
  /** The sum of the lines: nothing where there are none. */
  readonly amount: Money;
  readonly openPeriod: BillingPeriod | null;
  readonly period: BillingPeriod;
  readonly plan: PlanAfterChange | null;
}

export interface ChangeRejection extends AnyRejection {
  readonly code:
    | 'subscription/canceled'
    | 'subscription/charge_pending'
    | 'subscription/currency_changed'
    | 'subscription/currency_changing'
    | 'subscription/expired'
    | 'subscription/invalid_change'
    | 'subscription/plan_unchanged'
    | 'subscription/amount_changed'
    | 'subscription/unused_credit'
    | 'subscription/unused_credit_not_refundable';
  readonly violations?: readonly FieldViolation[];
  /** The credit that would be lost, as a plan's price is meant, or the refund that is impossible. */
  readonly amount?: Money;
}

/** A quote, or why there is none. */
export type QuotedChange =
  | { readonly accepted: true; readonly quote: ChangeQuote }
  | { readonly accepted: false; readonly rejection: ChangeRejection };

interface At {
  readonly taxRates: TaxRates;
  readonly now: Instant;
}

/**
 * The present quote of a change, or why it cannot be had (rules/lifecycle 11). An open period is paid first: the quote
 * is computed as if it were.
 */
export function quoteChange(
  state: StartedSubscription,
  wanted: WantedChange,
  at: At,
): QuotedChange {
  const obstacle = findObstacle(state, at.now);
  if (obstacle !== null) return reject(obstacle);
  const openPeriod = state.status === 'past_due' ? nextPeriod(state) : null;
  const paid = openPeriod === null ? state : withPaid(state, openPeriod);
  const open = openPeriod === null ? [] : renewalLines(state, openPeriod, at.taxRates);
  const { plan } = wanted;
  if (plan === null) return quoteMethod(paid, open, openPeriod, at.now);
  const otherCurrency = findOtherCurrency(state, plan.price);
  if (otherCurrency !== null) return { accepted: false, rejection: otherCurrency };
  if (plan.planId === state.planId) return reject('subscription/plan_unchanged');
  if (!isDearer(plan, state)) return quoteDowngrade(paid, wanted);
  return quoteUpgrade(paid, { ...wanted, plan }, { open, openPeriod }, at);
}

/** As `quoteChange`, for a call without a page: asking for the present plan drops the change that waits, at once. */
export function quoteWithoutPage(
  state: StartedSubscription,
  wanted: WantedChange,
  at: At,
): QuotedChange {
  const quoted = quoteChange(state, wanted, at);
  if (quoted.accepted || state.scheduledChange === null) return quoted;
  if (quoted.rejection.code !== 'subscription/plan_unchanged') return quoted;
  const description = 'the present plan goes on as it is';
  return quoteFree(state, wanted, { effectiveAt: at.now, description });
}

/** The subscription as it is once its open period is paid. */
export function withPaid(
  state: StartedSubscription,
  { start, end }: BillingPeriod,
): StartedSubscription {
  const periodsPaid = state.periodsPaid + 1;
  const billingDay = billingDayAt(end, state.period, state.billingDay);
  return { ...state, currentPeriodStart: start, currentPeriodEnd: end, billingDay, periodsPaid };
}

function quoteMethod(
  paid: StartedSubscription,
  lines: readonly PaymentLine[],
  openPeriod: BillingPeriod | null,
  now: Instant,
): QuotedChange {
  const period = openPeriod ?? currentPeriod(paid);
  const amount = total(lines, paid);
  return quoted({
    ...{ effectiveAt: now, isScheduled: false, lines, amount },
    ...{ openPeriod, period, plan: null },
  });
}

/** It waits for the period's end; an open period stays open. */
function quoteDowngrade(paid: StartedSubscription, wanted: WantedChange): QuotedChange {
  const description = 'a plan that costs no more for a day begins when the period is over';
  return quoteFree(paid, wanted, { effectiveAt: paid.currentPeriodEnd, description });
}

/** Nothing is paid for it, and it needs no page. */
function quoteFree(
  paid: StartedSubscription,
  { amountMinor, restartsPeriod }: WantedChange,
  { effectiveAt, description }: { readonly effectiveAt: Instant; readonly description: string },
): QuotedChange {
  const violations: FieldViolation[] = [];
  if (amountMinor !== null) violations.push({ field: 'amountCents', description });
  if (restartsPeriod) violations.push({ field: 'restartPeriod', description });
  if (violations.length > 0) return rejectFields('subscription/invalid_change', violations);
  return quoted({
    effectiveAt,
    isScheduled: true,
    lines: [],
    amount: zero(paid.price.currency),
    openPeriod: null,
    period: currentPeriod(paid),
    plan: null,
  });
}

function quoteUpgrade(
  paid: StartedSubscription,
  wanted: WantedChange & { readonly plan: ChangedPlan },
  { open, openPeriod }: { open: readonly PaymentLine[]; openPeriod: BillingPeriod | null },
  { now, taxRates }: At,
): QuotedChange {
  const { plan, restartsPeriod, amountMinor } = wanted;
  const isTrial = isOnTrial(paid);
  if (isTrial && restartsPeriod) {
    const description = 'a trial does not begin anew';
    return rejectFields('subscription/invalid_change', [{ field: 'restartPeriod', description }]);
  }
  const after = restartsPeriod ? restarted(paid, plan, now) : keepPeriod(paid, plan, now);
  const start = laterInstant(now, paid.currentPeriodStart);
  const covers = { start, end: laterInstant(start, after.currentPeriodEnd) };
  const unused = { start, end: laterInstant(start, paid.currentPeriodEnd) };
  const { planId, price, priceLockedAt } = paid;
  const charged: PricedTime = {
    origin: { planId: plan.planId, price: plan.price, lockedAt: now },
    covers,
    periods: restartsPeriod ? WHOLE : countPeriods(covers, paid, plan.period),
  };
  const credited: PricedTime = {
    origin: { planId, price, lockedAt: priceLockedAt },
    covers: unused,
    periods: countPeriods(unused, paid, paid.period),
  };
  const taxedAt = { regionCode: paid.regionCode, taxRates, now };
  const named = amountMinor === null ? null : money(amountMinor, price.currency);
  const takenBack = wanted.unusedCredit === 'refund' ? 'credit_refunded' : 'credit_forfeited';
  const computed = isTrial ? [] : prorationLines(charged, credited, { ...taxedAt, takenBack });
  const change = named === null ? computed : namedLines(named, charged, taxedAt);
  const lines = [...open, ...change];
  const isComputed = !isTrial && named === null;
  const unusedCredit = isComputed ? settleCredit(charged, credited, wanted.unusedCredit) : null;
  if (unusedCredit !== null && wanted.unusedCredit === 'refuse') {
    const { forfeited: amount } = unusedCredit;
    return { accepted: false, rejection: { code: 'subscription/unused_credit', amount } };
  }
  return quoted({
    ...{ effectiveAt: now, isScheduled: false, lines, amount: total(lines, paid), openPeriod },
    period: openPeriod ?? currentPeriod({ ...paid, ...after }),
    plan: { ...after, unusedCredit },
  });
}

/** Whether the trial has not been followed by a period yet: nothing was paid that could be credited. */
function isOnTrial({ trialEnd, currentPeriodEnd }: StartedSubscription): boolean {
  return trialEnd === currentPeriodEnd;
}

/** The period that the subscription is in. */
function currentPeriod(state: StartedSubscription): BillingPeriod {
  const { currentPeriodStart: start, currentPeriodEnd: end } = state;
  return { number: state.periodsBeforeAnchor + state.periodsPaid, start, end };
}

const WHOLE = { part: 1n, whole: 1n };

/**
 * How many periods some time of the present period is: a part of it, for periods of its own length; else
 * counted in periods of that length, from its start.
 */
function countPeriods(covers: Interval, state: StartedSubscription, period: Period) {
  const { currentPeriodStart: start, currentPeriodEnd: end, periodsPaid, billingDay } = state;
  const isOwn = isSamePeriod(period, state.period) && periodsPaid > 0;
  return isOwn
    ? countWithin(covers, { start, end })
    : countFrom(covers, { start, period, billingDay });
}

/**
 * The plan in the dates of the present period. One with periods of another length counts them from the
 * period's end, on the day of month that it stands for.
 */
export function keepPeriod(
  state: StartedSubscription,
  plan: ChangedPlan,
  priceLockedAt: Instant,
): PlanAfterChange {
  const { currentPeriodStart, currentPeriodEnd, periodsBeforeAnchor, periodsPaid } = state;
  const { planId, price, period } = plan;
  const { billingDay } = state;
  const locked = { planId, price, period, priceLockedAt, unusedCredit: null };
  const dates = { ...locked, billingDay, currentPeriodStart, currentPeriodEnd };
  if (isSamePeriod(period, state.period)) {
    return { ...dates, billingAnchor: state.billingAnchor, periodsBeforeAnchor, periodsPaid };
  }
  const before = periodsBeforeAnchor + periodsPaid;
  return {
    ...dates,
    billingAnchor: currentPeriodEnd,
    ...{ periodsBeforeAnchor: before, periodsPaid: 0 },
  };
}

/** The period begins anew with the change, and all dates with it. */
function restarted(state: StartedSubscription, plan: ChangedPlan, now: Instant): PlanAfterChange {
  const { planId, price, period } = plan;
  const currentPeriodEnd = addPeriods(now, period, 1);
  return {
    ...{ planId, price, period, billingAnchor: now },
    billingDay: billingDayAt(currentPeriodEnd, period, dayOfMonth(now)),
    periodsBeforeAnchor: state.periodsBeforeAnchor + state.periodsPaid,
    periodsPaid: 1,
    currentPeriodStart: now,
    currentPeriodEnd,
    priceLockedAt: now,
    unusedCredit: null,
  };
}

export function isSamePeriod(left: Period, right: Period): boolean {
  return left.unit === right.unit && left.value === right.value;
}

/** An open period is paid by a charge, and where nothing is charged, nothing would ever pay it. */
function quoted(quote: ChangeQuote): QuotedChange {
  if (quote.openPeriod !== null && !isPositive(quote.amount)) {
    const description = 'an open period that costs nothing is not paid by a change';
    return rejectFields('subscription/invalid_change', [{ field: 'amountCents', description }]);
  }
  return { accepted: true, quote };
}

function total(lines: readonly PaymentLine[], { price }: StartedSubscription): Money {
  return lines.length === 0 ? zero(price.currency) : sumLines(lines);
}
