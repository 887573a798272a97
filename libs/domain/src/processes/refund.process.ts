import {
  deriveCreditRefundId,
  deriveRefundRecordingId,
  isCreditRefundId,
  isLateRefundId,
} from '../ids/index.js';
import { findSubscriptionId, isOfSubscription, paymentAggregate } from '../payment/index.js';
import { defineRoutes, type ProcessRoute } from './process-route.js';
import { onPayment, onSubscription, returnLate } from './steps.js';

/** The ways of money back to its player, and the notes of subscriptions about them (rules/payments 13). */
export const REFUND_ROUTES: readonly ProcessRoute[] = [
  // A change of the plan did not use up the paid time that was left: the rest goes back to the card that paid for it.
  ...defineRoutes({
    on: ['subscription.plan_changed.v1'],
    process: 'refund_on_plan_change',
    decide: ({ data: { refundedPaymentId: id, unusedCredit, changedAt: now }, revision }) => {
      if (id === null || unusedCredit === null) return [];
      const refundId = deriveCreditRefundId(id, revision);
      const { refunded: price } = unusedCredit;
      return [onPayment(id, { kind: 'RefundUnusedCredit', refundId, price, now })];
    },
  }),
  // A refund was asked for, by the studio or by a process: its amount is kept from the rest, and the gateway is asked.
  ...defineRoutes({
    on: ['payment.refund_requested.v1'],
    process: 'refund_on_refund_request',
    stream: paymentAggregate,
    decide: ({ data: { refundId }, state: { paymentId } }) => [
      { kind: 'refund', paymentId, refundId },
    ],
  }),
  // A payment that goes back by itself could not be given back. Where that was for a dispute that is closed by now, the
  // end of the dispute found this refund still on its way: so it is decided again (rules/payments 14).
  ...defineRoutes({
    on: ['payment.refund_failed.v1'],
    process: 'return_again_on_refused_return',
    stream: paymentAggregate,
    decide: ({ data: { refundId, failedAt }, state: { paymentId } }) =>
      isLateRefundId(refundId, paymentId) ? [returnLate(paymentId, failedAt)] : [],
  }),
  // A change's refund failed: the subscription's stream notes it, once, and it is not tried again.
  ...defineRoutes({
    on: ['payment.refund_failed.v1'],
    process: 'record_failed_credit_refund',
    stream: paymentAggregate,
    when: isOfSubscription,
    decide: ({ data: { refundId, amount, failedAt: now }, state, revision: paymentRevision }) => {
      const { paymentId, purpose } = state;
      if (!isCreditRefundId(refundId, paymentId)) return [];
      const noted = { paymentId, paymentRevision };
      const command = { kind: 'RecordFailedRefund', ...noted, amount, now } as const;
      return [onSubscription(findSubscriptionId(purpose), command, deriveRefundRecordingId(noted))];
    },
  }),
  // A payment of a subscription was refunded: the subscription's stream notes it, once.
  ...defineRoutes({
    on: ['payment.refunded.v1'],
    process: 'record_refund_on_refund',
    stream: paymentAggregate,
    when: isOfSubscription,
    decide: ({ data: { refundedAt: now }, state, revision: paymentRevision }) => {
      const { paymentId, purpose } = state;
      const noted = { paymentId, paymentRevision };
      const command = { kind: 'RecordRefund', ...noted, now } as const;
      return [onSubscription(findSubscriptionId(purpose), command, deriveRefundRecordingId(noted))];
    },
  }),
];
