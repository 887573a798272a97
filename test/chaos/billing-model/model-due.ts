import { HOUR_MS } from './model-dates.js';
import { chargeWith, UNANSWERED } from './model-gateway.js';
import { keepPeriod, leaveOpen, pay, payOpenPeriod } from './model-period.js';
import { GRACE_MS, type ModelSubscription, type OpenCharge, RETRIES_MS } from './model.js';

/** Everything that falls due up to and with an instant, in its order. */
export function advance(subscription: ModelSubscription, to: number): void {
  for (let due = dueAt(subscription); due !== null && due <= to; due = dueAt(subscription)) {
    // A renewal waits for a change that is open, and is charged after it.
    const at = Math.max(due, subscription.lastDueAt ?? due);
    subscription.lastDueAt = at;
    happen(subscription, at);
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
  return dunning.nextRetryAt ?? dunning.firstFailedAt + GRACE_MS;
}

export function accessEnd({ status, periodEnd, dunning, open, expiredAt }: ModelSubscription) {
  if (status === 'expired') return expiredAt;
  if (status === 'past_due' && dunning !== null) return dunning.firstFailedAt + GRACE_MS;
  // Nothing is cut while a charge is open.
  return status === 'active' && open !== null ? Math.max(periodEnd, open.endsAt) : periodEnd;
}

function happen(subscription: ModelSubscription, due: number): void {
  if (subscription.open?.endsAt === due) {
    giveUp(subscription, subscription.open);
    return;
  }
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
  if (method === UNANSWERED) {
    // Grace counts from the charge where that was late.
    const from = due - subscription.periodEnd > HOUR_MS ? due : subscription.periodEnd;
    leaveOpen(subscription, { context, isOfChange: false, endsAt: from + GRACE_MS });
    return;
  }
  const outcome = chargeWith(method, charges, { offSession: true });
  if (outcome === 'captured') {
    payOpenPeriod(subscription, context);
    return;
  }
  pay(subscription, { context, captured: false });
  sent.push('payment.failed', 'subscription.payment_failed');
  fail(subscription, due, outcome);
}

/** A renewal has had its grace then, and no retry is left; a change leaves all as it was. */
function giveUp(
  subscription: ModelSubscription,
  { payment, isOfChange, endsAt }: OpenCharge,
): void {
  payment.isPending = false;
  subscription.open = null;
  subscription.sent.push('payment.failed');
  if (isOfChange || subscription.status !== 'active') return;
  subscription.sent.push('subscription.payment_failed');
  expire(subscription, endsAt);
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
