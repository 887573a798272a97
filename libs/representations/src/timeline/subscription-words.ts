import type { RecordedEvent } from '#domain/event';
import { sumLines } from '#domain/payment';
import {
  accessEndsAt,
  awaitedCharge,
  nextDueAt,
  type PlanChanged,
  type StartedSubscription,
  type SubscriptionEvent,
} from '#domain/subscription';
import { describeWith, sayMoney, type Words } from './timeline.js';

/** Every event of a subscription in plain words. */
const WORDS: Words<SubscriptionEvent> = {
  'subscription.created.v2': ({ price, planId, trialEnd, currentPeriodEnd }) =>
    trialEnd === null
      ? `bought plan ${planId} for ${sayMoney(price)}, paid until ${currentPeriodEnd}`
      : `began plan ${planId} (${sayMoney(price)}) with a trial until ${trialEnd}`,
  'subscription.renewal_requested.v1': ({ paymentId, period, attempt, amount }) =>
    `asked for ${sayMoney(amount)} for period ${period.number} (${period.start} to ${period.end}), ` +
    `attempt ${attempt}, as ${paymentId}`,
  'subscription.renewed.v1': ({ paymentId, currentPeriodEnd }) =>
    `renewed by ${paymentId}, paid until ${currentPeriodEnd}`,
  'subscription.renewal_failed.v2': ({
    paymentId,
    reason,
    declineClass,
    nextRetryAt,
    graceEndsAt,
  }) =>
    `${paymentId} was declined (${reason}, ${declineClass}); ` +
    (nextRetryAt === null ? 'no retry is left' : `tried again at ${nextRetryAt}`) +
    `, access until ${graceEndsAt}`,
  'subscription.late_outcome_recorded.v1': ({ paymentId, captured }) =>
    captured
      ? `${paymentId} was captured after the end, and goes back`
      : `${paymentId} was declined after the end`,
  'subscription.refund_recorded.v1': ({ paymentId }) => `money of ${paymentId} was given back`,
  'subscription.dispute_recorded.v1': ({ paymentId, closed }) =>
    closed ? `a dispute of ${paymentId} was closed` : `${paymentId} is disputed`,
  'subscription.change_requested.v1': ({ paymentId, plan, lines, linkId }) =>
    `asked for ${sayMoney(sumLines(lines))} as ${paymentId}, to ` +
    `${plan === null ? 'pay by another method' : `change to plan ${plan.planId}`}, on link ${linkId}`,
  'subscription.change_declined.v1': ({ paymentId, reason, declineClass }) =>
    `${paymentId} was declined (${reason}, ${declineClass}): nothing changed`,
  'subscription.change_refused.v1': ({ linkId, refusal }) =>
    `the offer of link ${linkId} cannot be had any more (${refusal})`,
  'subscription.plan_change_scheduled.v1': ({ plan, effectiveAt }) =>
    `changes to plan ${plan.planId} for ${sayMoney(plan.price)} at ${effectiveAt}`,
  'subscription.plan_change_dropped.v1': () => 'keeps its plan: the change that waited was dropped',
  'subscription.currency_change_scheduled.v1': ({ plan, effectiveAt, lines }) =>
    `moves to ${plan.price.currency} at ${effectiveAt}, and is charged ${sayMoney(sumLines(lines))} then`,
  'subscription.plan_changed.v1': ({ planId, price, currentPeriodEnd, ...change }) =>
    `changed to plan ${planId} for ${sayMoney(price)}, paid until ${currentPeriodEnd}` +
    sayUnused(change),
  'subscription.credit_refund_failed.v1': ({ paymentId, amount }) =>
    `${sayMoney(amount)} of ${paymentId} that the change was to give back was not given back`,
  'subscription.region_changed.v1': ({ regionCode }) =>
    regionCode === ''
      ? 'is in no known region from its next charge on'
      : `is in region ${regionCode} from its next charge on`,
  'subscription.payment_method_changed.v1': ({ paymentMethod }) => `pays by ${paymentMethod}`,
  'subscription.canceled.v1': ({ accessEndsAt: until }) => `canceled, access until ${until}`,
  'subscription.reactivated.v1': () => 'the cancellation was taken back',
  'subscription.expired.v1': ({ cause, expiredAt }) => `ended at ${expiredAt}: ${CAUSES[cause]}`,
};

const CAUSES: Readonly<
  Record<Extract<SubscriptionEvent, { type: 'subscription.expired.v1' }>['data']['cause'], string>
> = {
  canceled_at_once: 'canceled at once',
  canceled_while_past_due: 'canceled while it was past due',
  period_ended: 'the paid period was over after a cancel',
  grace_ended: 'it was not paid by the end of grace',
  dispute_lost: 'a dispute of one of its payments was lost',
};

/** The fate of the former plan's time that the change does not use up; nothing where all of it is used. */
function sayUnused({
  unusedCredit: credit,
  refundedPaymentId,
}: Pick<PlanChanged['data'], 'unusedCredit' | 'refundedPaymentId'>): string {
  if (credit === null) return '';
  return refundedPaymentId === null
    ? `; ${sayMoney(credit.forfeited)} of unused time are lost`
    : `; ${sayMoney(credit.refunded)} of unused time go back from ${refundedPaymentId}`;
}

/** An event of a subscription's stream in plain words. */
export function describeSubscriptionEvent(event: RecordedEvent): string {
  return describeWith(WORDS, event);
}

/** The next step that comes by itself, its time, and why (rules/lifecycle 4 and 5). */
export function describeNext(state: StartedSubscription): {
  readonly at: string | null;
  readonly why: string;
} {
  const at = nextDueAt(state);
  const { status, dunning, scheduledChange } = state;
  const awaited = awaitedCharge(state);
  if (awaited?.givenUpAt === at) {
    const { paymentId } = awaited;
    const until = status === 'active' ? `; access until ${accessEndsAt(state)}` : '';
    return { at, why: `the gateway has not answered for ${paymentId}, which is given up${until}` };
  }
  if (status === 'expired') return { at, why: 'nothing: it has ended' };
  if (status === 'canceled') return { at, why: 'it ends with the paid period' };
  if (dunning === null) {
    const price = scheduledChange?.plan.price ?? state.price;
    return { at, why: `the next period is charged: ${sayMoney(price)}` };
  }
  const attempts = `attempt ${dunning.failedAttempts} failed`;
  if (dunning.nextRetryAt === null)
    return { at, why: `grace ends; ${attempts}, and no retry is left` };
  return { at, why: `a retry; ${attempts}, and grace ends at ${dunning.graceEndsAt}` };
}
