import { HOUR_MS } from './model-dates.js';
import { chargeWith, type DeclineClass, UNANSWERED } from './model-gateway.js';
import { giveUp, leaveOpen } from './model-open.js';
import { expire, keepPeriod, pay, payOpenPeriod } from './model-period.js';
import type { DunningSettings, ModelSubscription } from './model.js';

/** Everything that falls due up to and with an instant, in its order. */
export function advance(
  subscription: ModelSubscription,
  to: number,
  settings: DunningSettings,
): void {
  for (let due = dueAt(subscription); due !== null && due <= to; due = dueAt(subscription)) {
    // A renewal waits for a change that is open, and is charged after it.
    const at = Math.max(due, subscription.lastDueAt ?? due);
    subscription.lastDueAt = at;
    happen(subscription, at, settings);
  }
}

/** When something happens by itself next; null when never more. */
export function dueAt(subscription: ModelSubscription): number | null {
  const { status, open, periodEnd } = subscription;
  const ends = open === null ? [] : [open.endsAt];
  if (status === 'canceled') ends.push(periodEnd);
  else if (status !== 'expired' && open === null) ends.push(nextBilling(subscription));
  return ends.length === 0 ? null : Math.min(...ends);
}

export function nextBilling({ periodEnd, dunning }: ModelSubscription): number {
  if (dunning === null) return periodEnd;
  return dunning.nextRetryAt ?? dunning.graceEndsAt;
}

export function accessEnd({ status, periodEnd, dunning, open, expiredAt }: ModelSubscription) {
  if (status === 'expired') return expiredAt;
  if (status === 'canceled') return periodEnd;
  const endsAt = dunning === null ? periodEnd : dunning.graceEndsAt;
  // Nothing is cut while a charge is open.
  return Math.max(endsAt, open?.endsAt ?? endsAt);
}

function happen(subscription: ModelSubscription, due: number, settings: DunningSettings): void {
  if (subscription.open?.endsAt === due) {
    giveUp(subscription, subscription.open);
    return;
  }
  if (subscription.status === 'canceled' || subscription.dunning?.nextRetryAt === null) {
    expire(subscription, due);
    return;
  }
  // A change that was set while a period was open begins after it.
  if (subscription.scheduled !== null && subscription.dunning === null) {
    keepPeriod(subscription, subscription.scheduled);
    subscription.scheduled = null;
    subscription.sent.push('subscription.updated');
  }
  const { method, charges, dunning, sent } = subscription;
  const context = dunning === null ? 'RENEWAL' : 'RENEWAL_RETRY';
  if (method === UNANSWERED) {
    // Grace counts from the charge where that was late, and is an hour of it at least.
    const from = due - subscription.periodEnd > HOUR_MS ? due : subscription.periodEnd;
    const endsAt = Math.max(from + settings.graceHours * HOUR_MS, due + HOUR_MS);
    leaveOpen(subscription, { context, change: null, endsAt });
    return;
  }
  const outcome = chargeWith(method, charges, { offSession: true });
  if (outcome === 'captured') {
    payOpenPeriod(subscription, context);
    return;
  }
  pay(subscription, { context, captured: false });
  sent.push('payment.failed', 'subscription.payment_failed');
  fail(subscription, due, { declineClass: outcome, settings });
}

function fail(
  subscription: ModelSubscription,
  at: number,
  { declineClass, settings }: { declineClass: DeclineClass; settings: DunningSettings },
): void {
  const { graceEndsAt, retriesAt, retriedDeclineClasses } = subscription.dunning ?? {
    ...settings,
    graceEndsAt: at + settings.graceHours * HOUR_MS,
    retriesAt: settings.retryAfterHours.map((hours) => at + hours * HOUR_MS),
  };
  const isRetried = retriedDeclineClasses.includes(declineClass);
  const nextRetryAt = isRetried ? (retriesAt.find((retryAt) => retryAt > at) ?? null) : null;
  const dunning = { graceEndsAt, retriesAt, retriedDeclineClasses, nextRetryAt };
  Object.assign(subscription, { status: 'past_due', dunning });
  // Later than the end of grace where the retry had to wait for a change.
  if (nextRetryAt === null && graceEndsAt <= at) expire(subscription, at);
}
