import { deriveLateCaptureRecordingId, deriveRefundRecordingId } from '../ids/index.js';
import {
  changesSubscription,
  findSubscriptionId,
  isOwnSubject,
  type PaymentCaptured,
  type PaymentDeclined,
  type PaymentGivenUp,
  type PaymentRefunded,
  paysOrder,
  renewsSubscription,
  type RequestedPayment,
} from '../payment/index.js';
import {
  type LateOutcomeRecorded,
  renewalLines,
  type RenewalRequested,
  type StartedSubscription,
} from '../subscription/index.js';
import { chargeStep } from './charge-step.js';
import type { ProcessInput } from './process-route.js';
import { returnLate } from './refund.process.js';
import type { ProcessStep } from './steps.js';

/** Whether a running subscription asked for this payment: its outcome goes to the subscription. */
export function isRenewal(payment: RequestedPayment): boolean {
  return renewsSubscription(payment.purpose);
}

/**
 * A renewal or a retry is due and was asked for: charge it (rules/lifecycle 8), with the tax rate in
 * force on its due date (rules/payments 8).
 */
export function chargeOnRenewalRequest({
  data: requested,
  state: subscription,
  taxRates,
}: ProcessInput<RenewalRequested, StartedSubscription, 'taxRates'>): ProcessStep[] {
  const { paymentId, period, attempt } = requested;
  const { subscriptionId } = subscription;
  return [
    chargeStep(
      {
        paymentId,
        appId: subscription.appId,
        player: subscription.player,
        checkoutLinkId: subscription.checkoutLinkId,
        purpose: { kind: 'subscription_period', subscriptionId, period, attempt },
        lines: renewalLines(subscription, period, taxRates),
        paymentMethod: subscription.paymentMethod,
        personal: subscription.personal,
      },
      { clock: 'app', at: requested.graceEndsAt },
    ),
  ];
}

/**
 * Whether a renewal, or a change, that had been given up was captured after all: its subscription has ended, or
 * waits no more.
 */
export function isLateRenewal(payment: RequestedPayment): boolean {
  const isAsked = isRenewal(payment) || changesSubscription(payment.purpose);
  return isAsked && payment.givenUp !== null;
}

/** Whether a renewal has its outcome while its subscription waits for it. */
export function isTimelyRenewal(payment: RequestedPayment): boolean {
  return isRenewal(payment) && payment.givenUp === null;
}

/** A renewal that had been given up was captured after all: it is for no period, and goes back. */
export function recordLateCapture({
  data: { capturedAt: now },
  state: { paymentId, purpose },
  revision: paymentRevision,
}: ProcessInput<PaymentCaptured, RequestedPayment>): ProcessStep[] {
  const command = { kind: 'RecordLateCapture', paymentId, paymentRevision, now } as const;
  const commandId = deriveLateCaptureRecordingId(paymentId);
  return [{ kind: 'subscription', id: findSubscriptionId(purpose), command, commandId }];
}

/**
 * The gateway has answered for a renewal, or it was given up: the subscription moves on, becomes past due, or
 * ends.
 */
export function settleOnRenewalOutcome({
  state: { paymentId, purpose, decline, givenUp, updatedAt: now },
  revision: paymentRevision,
  dunning,
}: ProcessInput<
  PaymentCaptured | PaymentDeclined | PaymentGivenUp,
  RequestedPayment,
  'dunning'
>): ProcessStep[] {
  const outcome = givenUp === null ? (decline ?? 'captured') : 'given_up';
  const command = {
    kind: 'SettleRenewal',
    paymentId,
    paymentRevision,
    outcome,
    dunning,
    now,
  } as const;
  return [{ kind: 'subscription', id: findSubscriptionId(purpose), command }];
}

/** A charge was captured after the subscription had ended: the player gets the money back. */
export function refundOnLateRenewalCapture({
  data: { paymentId, captured, recordedAt: now },
}: ProcessInput<LateOutcomeRecorded>): ProcessStep[] {
  return captured ? [returnLate(paymentId, now)] : [];
}

/** Whether a payment is a subscription's, so that its stream notes the payment's events. */
export function isOfSubscription(payment: RequestedPayment): boolean {
  return !paysOrder(payment.purpose) && !isOwnSubject(payment);
}

/** A payment of a subscription was refunded: the subscription's stream notes it, once. */
export function recordRefundOnRefund({
  data: { refundedAt: now },
  state: { paymentId, purpose },
  revision: paymentRevision,
}: ProcessInput<PaymentRefunded, RequestedPayment>): ProcessStep[] {
  const command = { kind: 'RecordRefund', paymentId, paymentRevision, now } as const;
  const commandId = deriveRefundRecordingId({ paymentId, paymentRevision });
  return [{ kind: 'subscription', id: findSubscriptionId(purpose), command, commandId }];
}
