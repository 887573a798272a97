import { deriveRefundRecordingId } from '../ids/index.js';
import {
  isOwnSubject,
  type PaymentCaptured,
  type PaymentDeclined,
  type PaymentRefunded,
  periodLines,
  renewsSubscription,
  type RequestedPayment,
} from '../payment/index.js';
import { withoutReference } from '../personal-data/index.js';
import { taxedCharge } from '../pricing/index.js';
import type {
  LateOutcomeRecorded,
  RenewalRequested,
  StartedSubscription,
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
  const { paymentId, period, attempt, amount: price } = requested;
  const { subscriptionId, regionCode, planId, createdAt: lockedAt } = subscription;
  const charge = taxedCharge(price, regionCode, taxRates, period.start);
  return [
    chargeStep({
      paymentId,
      appId: subscription.appId,
      player: subscription.player,
      checkoutLinkId: subscription.checkoutLinkId,
      purpose: { kind: 'subscription_period', subscriptionId, period, attempt },
      lines: periodLines(charge, period, { planId, price, lockedAt }),
      paymentMethod: subscription.paymentMethod,
      personal: withoutReference(subscription.personal),
    }),
  ];
}

/** The gateway has answered for a renewal: the subscription moves on, or becomes past due. */
export function settleOnRenewalOutcome({
  state: { paymentId, purpose, decline, updatedAt: now },
  revision: paymentRevision,
  dunning,
}: ProcessInput<PaymentCaptured | PaymentDeclined, RequestedPayment, 'dunning'>): ProcessStep[] {
  const outcome = decline ?? 'captured';
  const command = {
    kind: 'SettleRenewal',
    paymentId,
    paymentRevision,
    outcome,
    dunning,
    now,
  } as const;
  return [{ kind: 'subscription', id: purpose.subscriptionId, command }];
}

/** A charge was captured after the subscription had ended: the player gets the money back. */
export function refundOnLateRenewalCapture({
  data: { paymentId, captured, recordedAt: now },
}: ProcessInput<LateOutcomeRecorded>): ProcessStep[] {
  return captured ? [returnLate(paymentId, now)] : [];
}

/** Whether a payment is a subscription's: what becomes of it is noted there. */
export function isOfSubscription(payment: RequestedPayment): boolean {
  return !isOwnSubject(payment);
}

/** A payment of a subscription was refunded: the subscription's stream notes it, once. */
export function recordRefundOnRefund({
  data: { refundedAt: now },
  state: { paymentId, purpose },
  revision: paymentRevision,
}: ProcessInput<PaymentRefunded, RequestedPayment>): ProcessStep[] {
  const command = { kind: 'RecordRefund', paymentId, paymentRevision, now } as const;
  const commandId = deriveRefundRecordingId({ paymentId, paymentRevision });
  return [{ kind: 'subscription', id: purpose.subscriptionId, command, commandId }];
}
