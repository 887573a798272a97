import type { Instant } from '../event/index.js';
import {
  deriveCreditRefundId,
  deriveRefundRecordingId,
  isCreditRefundId,
  isLateRefundId,
} from '../ids/index.js';
import {
  findSubscriptionId,
  type PaymentRefundFailed,
  type PaymentRefundRequested,
  type RequestedPayment,
} from '../payment/index.js';
import type { PlanChanged } from '../subscription/index.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/** All of a payment that came too late is to be given back; the payment names the refund. */
export function returnLate(paymentId: string, now: Instant): ProcessStep {
  return { kind: 'payment', id: paymentId, command: { kind: 'ReturnPayment', now } };
}

/**
 * A payment that goes back by itself could not be given back. Where that was for a dispute that is closed by now, the
 * end of the dispute found this refund still on its way: so it is decided again (rules/payments 14).
 */
export function returnAgainOnRefusedReturn({
  data: { refundId, failedAt: now },
  state: { paymentId },
}: ProcessInput<PaymentRefundFailed, RequestedPayment>): ProcessStep[] {
  return isLateRefundId(refundId, paymentId) ? [returnLate(paymentId, now)] : [];
}

/**
 * A refund was asked for, by the studio or by a process: its amount is kept from the remaining amount, and the gateway
 * is asked (rules/payments 13).
 */
export function refundOnRefundRequest({
  data: { refundId },
  state: { paymentId },
}: ProcessInput<PaymentRefundRequested, RequestedPayment>): ProcessStep[] {
  return [{ kind: 'refund', paymentId, refundId }];
}

/** A change of the plan did not use up the paid time that was left: the rest goes back to the card that paid for it. */
export function refundOnPlanChange({
  data: { refundedPaymentId: id, unusedCredit, changedAt: now },
  revision,
}: ProcessInput<PlanChanged>): ProcessStep[] {
  if (id === null || unusedCredit === null) return [];
  const refundId = deriveCreditRefundId(id, revision);
  const { refunded: price } = unusedCredit;
  return [{ kind: 'payment', id, command: { kind: 'RefundUnusedCredit', refundId, price, now } }];
}

/** A change's refund failed: the subscription's stream notes it, once, and it is not tried again. */
export function recordFailedCreditRefund({
  data: { refundId, amount, failedAt: now },
  state: { paymentId, purpose },
  revision: paymentRevision,
}: ProcessInput<PaymentRefundFailed, RequestedPayment>): ProcessStep[] {
  if (!isCreditRefundId(refundId, paymentId)) return [];
  const noted = { paymentId, paymentRevision };
  const command = { kind: 'RecordFailedRefund', ...noted, amount, now } as const;
  const commandId = deriveRefundRecordingId(noted);
  return [{ kind: 'subscription', id: findSubscriptionId(purpose), command, commandId }];
}
