import { addMonths, DAY_MS, HOUR_MS } from './model-dates.js';
import {
  type Context,
  type ModelLine,
  type ModelPayment,
  periodLines,
  type Region,
  sumLines,
} from './model-payment.js';
import {
  type AnsweredMethod,
  type Charges,
  chargeWith,
  type MethodName,
  UNANSWERED,
} from './model-gateway.js';

/** A plan of the model: its price in minor units, and for how long it runs. */
export interface ModelPlan {
  readonly code: string;
  readonly cents: number;
  readonly months: number;
  readonly trialDays: number;
}

export const PLANS = [
  { code: 'monthly', cents: 999, months: 1, trialDays: 0 },
  { code: 'quarterly', cents: 2501, months: 3, trialDays: 0 },
  { code: 'premium', cents: 1999, months: 1, trialDays: 0 },
  { code: 'trial', cents: 1337, months: 1, trialDays: 7 },
] as const satisfies readonly ModelPlan[];

/** Grace and retries of an app without settings (rules/lifecycle 4). */
const GRACE_MS = 48 * HOUR_MS;
const RETRIES_MS = [24 * HOUR_MS, 48 * HOUR_MS];

interface Dunning {
  readonly firstFailedAt: number;
  /** Null where the decline was final. */
  nextRetryAt: number | null;
}

/** One subscription, as the rules say that it is. */
export interface ModelSubscription {
  readonly region: Region;
  readonly charges: Charges;
  plan: ModelPlan;
  method: MethodName;
  anchor: number;
  /** The plan that begins when the period is over. */
  scheduled: ModelPlan | null;
  periodStart: number;
  readonly trialEnd: number | null;
  status: 'active' | 'past_due' | 'canceled' | 'expired';
  periodsPaid: number;
  periodEnd: number;
  dunning: Dunning | null;
  isCanceled: boolean;
  /** When something happened by itself last. */
  lastDueAt: number | null;
  /** When it ended; null at an end whose moment the caller's clock chose. */
  expiredAt: number | null;
  /** Oldest first. */
  readonly payments: ModelPayment[];
  /** What its webhooks tell, in their order. */
  readonly sent: string[];
}

/** What a player buys, and whether a bank that wants a confirmation gets it. */
interface Purchase {
  readonly plan: ModelPlan;
  readonly method: AnsweredMethod;
  readonly region: Region;
  readonly confirms: boolean;
}

/** A purchase at `now`. @returns undefined where its payment is declined, which leaves no subscription. */
export function purchase(
  { plan, method, region, confirms }: Purchase,
  now: number,
): ModelSubscription | undefined {
  const anchor = now + plan.trialDays * DAY_MS;
  const charges: Charges = {};
  const base = { plan, region, method, charges, anchor, dunning: null, expiredAt: null } as const;
  const trialEnd = plan.trialDays > 0 ? anchor : null;
  const first = { status: 'active', periodsPaid: 0, periodStart: now, periodEnd: anchor } as const;
  const past = { isCanceled: false, lastDueAt: null, payments: [], sent: [], scheduled: null };
  const subscription: ModelSubscription = { ...base, ...first, ...past, trialEnd };
  if (plan.trialDays === 0) {
    if (chargeWith(method, charges, { offSession: false }) !== 'captured') return undefined;
    if (method === 'pm_authentication_required' && !confirms) return undefined;
    pay(subscription, { context: 'INITIAL', captured: true });
    subscription.sent.push('payment.succeeded');
    takePeriod(subscription);
  }
  subscription.sent.push('subscription.created');
  return subscription;
}

/** Everything that falls due up to and with an instant, in its order. */
export function advance(subscription: ModelSubscription, to: number): void {
  for (let due = dueAt(subscription); due !== null && due <= to; due = dueAt(subscription)) {
    subscription.lastDueAt = due;
    happen(subscription, due);
  }
}

/** When something happens by itself next; null when never more. */
export function dueAt({ status, periodEnd, dunning }: ModelSubscription): number | null {
  if (status === 'expired') return null;
  if (dunning === null) return periodEnd;
  return dunning.nextRetryAt ?? dunning.firstFailedAt + GRACE_MS;
}

export function accessEnd({ status, periodEnd, dunning, expiredAt }: ModelSubscription) {
  if (status === 'expired') return expiredAt;
  return status === 'past_due' && dunning !== null ? dunning.firstFailedAt + GRACE_MS : periodEnd;
}

function happen(subscription: ModelSubscription, due: number): void {
  if (subscription.status === 'canceled' || subscription.dunning?.nextRetryAt === null) {
    expire(subscription, due);
    return;
  }
  // What was set while a period was open begins after it.
  if (subscription.scheduled !== null && subscription.dunning === null) {
    keepPeriod(subscription, subscription.scheduled);
    subscription.scheduled = null;
    subscription.sent.push('subscription.updated');
  }
  const { method, charges, dunning, sent } = subscription;
  const context = dunning === null ? 'RENEWAL' : 'RENEWAL_RETRY';
  const outcome =
    method === UNANSWERED ? 'none' : chargeWith(method, charges, { offSession: true });
  if (outcome === 'captured') {
    payOpenPeriod(subscription, context);
    return;
  }
  pay(subscription, { context, captured: false });
  sent.push('payment.failed', 'subscription.payment_failed');
  if (outcome === 'none') giveUp(subscription, due);
  else fail(subscription, due, outcome);
}

export function payOpenPeriod(subscription: ModelSubscription, context: Context): void {
  pay(subscription, { context, captured: true });
  subscription.sent.push('payment.succeeded', 'subscription.payment_succeeded');
  Object.assign(subscription, { status: 'active', dunning: null });
  takePeriod(subscription);
}

/** A charge is open to the end of its grace, and no retry is left then. No step comes in between: see `findClearTime`. */
function giveUp(subscription: ModelSubscription, due: number): void {
  subscription.lastDueAt = due + GRACE_MS;
  expire(subscription, due + GRACE_MS);
}

function fail(subscription: ModelSubscription, at: number, outcome: 'soft' | 'final'): void {
  const firstFailedAt = subscription.dunning?.firstFailedAt ?? at;
  const retries = RETRIES_MS.map((after) => firstFailedAt + after).filter((retry) => retry > at);
  const nextRetryAt = outcome === 'soft' ? (retries[0] ?? null) : null;
  Object.assign(subscription, { status: 'past_due', dunning: { firstFailedAt, nextRetryAt } });
  const graceEnd = firstFailedAt + GRACE_MS;
  if (nextRetryAt === null && graceEnd <= at) expire(subscription, graceEnd);
}

/** @param at null where the moment is the caller's. */
export function expire(subscription: ModelSubscription, at: number | null): void {
  subscription.status = 'expired';
  subscription.expiredAt = at;
  subscription.sent.push('subscription.expired');
}

/** Notes a payment, of the next period where nothing else is said. */
export function pay(
  subscription: ModelSubscription,
  {
    context,
    captured,
    lines = openLines(subscription),
  }: Pick<ModelPayment, 'context' | 'captured'> & { readonly lines?: readonly ModelLine[] },
): void {
  const { region, payments } = subscription;
  const given = { refunded: 0, lost: 0, disputes: [] };
  payments.push({ context, region, lines, ...sumLines(lines), captured, ...given });
}

/** What the period costs that is not paid yet. */
export function openLines(subscription: ModelSubscription): ModelLine[] {
  const { plan, region, periodEnd: start } = subscription;
  const covers = { start, end: nextPeriodEnd(subscription) };
  return periodLines(region, { cents: plan.cents, covers, plan });
}

/** Periods of another length count from the end of the present one. */
export function keepPeriod(subscription: ModelSubscription, wanted: ModelPlan): void {
  const { plan, periodEnd } = subscription;
  if (plan.months !== wanted.months) {
    Object.assign(subscription, { anchor: periodEnd, periodsPaid: 0 });
  }
  subscription.plan = wanted;
}

export function takePeriod(subscription: ModelSubscription): void {
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = nextPeriodEnd(subscription);
  subscription.periodsPaid += 1;
}

export function nextPeriodEnd({ anchor, plan, periodsPaid }: ModelSubscription): number {
  return addMonths(anchor, plan.months * (periodsPaid + 1));
}
