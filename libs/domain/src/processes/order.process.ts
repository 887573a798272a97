import { deriveDisputeRecordingId, deriveRefundRecordingId } from '../ids/index.js';
import {
  type CreatedOrder,
  explainQuote,
  type OrderAttempted,
  orderAttemptEndsAt,
  type OrderDisputeRecorded,
  type OrderLateOutcomeRecorded,
} from '../order/index.js';
import {
  type DisputeClosed,
  type DisputeOpened,
  findOrderId,
  type PaymentCaptured,
  type PaymentChallenged,
  type PaymentDeclined,
  type PaymentGivenUp,
  type PaymentRefunded,
  type PaymentRefundFailed,
  paysOrder,
  type RequestedPayment,
} from '../payment/index.js';
import { chargeStep } from './charge-step.js';
import type { ProcessInput } from './process-route.js';
import { returnLate } from './refund.process.js';
import type { ProcessStep } from './steps.js';

/**
 * From the player's click on the page of an order to the paid order (rules/orders 2): attempted, charged, paid. The
 * order also notes the later fate of the money, and is the subject of all messages about it.
 */

/** Whether an order asked for this payment, so that the payment's events go to the order. */
export function isOfOrder({ purpose }: RequestedPayment): boolean {
  return paysOrder(purpose);
}

/** The player pays: charge the order's amount, as of the click. */
export function chargeOnOrderAttempt({
  data: attempted,
  state: { orderId, appId, player, checkoutLinkId, items, personal },
}: ProcessInput<OrderAttempted, CreatedOrder>): ProcessStep[] {
  const { paymentId, attempt, paymentMethod, quote } = attempted;
  const { metadata } = personal;
  const charge = {
    ...{ paymentId, appId, player, checkoutLinkId, paymentMethod },
    purpose: { kind: 'order', orderId, attempt } as const,
    lines: explainQuote(quote, items),
    personal: metadata === undefined ? {} : { metadata },
  };
  return [chargeStep(charge, { clock: 'app', at: orderAttemptEndsAt(attempted) })];
}

/** The bank wants the player to confirm the charge: the order has its page, and leads there. */
export function noteChallengeOnChallengedOrderPayment({
  data: { sealedUrl, challengedAt: now },
  state: { paymentId, purpose },
}: ProcessInput<PaymentChallenged, RequestedPayment>): ProcessStep[] {
  const command = { kind: 'ChallengeOrder', paymentId, sealedUrl, now } as const;
  return [{ kind: 'order', id: findOrderId(purpose), command }];
}

/** The gateway has answered for an attempt, or it was given up: the order is paid, or open again. */
export function settleOnOrderOutcome({
  state: { paymentId, purpose, decline, updatedAt: now },
  revision: paymentRevision,
}: ProcessInput<
  PaymentCaptured | PaymentDeclined | PaymentGivenUp,
  RequestedPayment
>): ProcessStep[] {
  const outcome = decline ?? 'captured';
  const command = { kind: 'SettleOrder', paymentId, paymentRevision, outcome, now } as const;
  return [{ kind: 'order', id: findOrderId(purpose), command }];
}

/** A payment was captured that the order did not wait for any more: the player gets the money back. */
export function refundOnLateOrderCapture({
  data: { paymentId, recordedAt: now },
}: ProcessInput<OrderLateOutcomeRecorded>): ProcessStep[] {
  return [returnLate(paymentId, now)];
}

/** A payment of an order was refunded, or a refund of it has failed: the order's stream notes it, once. */
export function recordOrderRefund({
  data,
  state: { paymentId, purpose, status: paymentStatus, totalRefunded },
  revision: paymentRevision,
}: ProcessInput<PaymentRefunded | PaymentRefundFailed, RequestedPayment>): ProcessStep[] {
  const isMade = 'refundedAt' in data;
  const noted = { paymentId, paymentRevision };
  const command = {
    kind: 'RecordOrderRefund',
    ...noted,
    ...{ paymentStatus, totalRefunded, amount: isMade ? data.amount : null },
    now: isMade ? data.refundedAt : data.failedAt,
  } as const;
  const commandId = deriveRefundRecordingId(noted);
  return [{ kind: 'order', id: findOrderId(purpose), command, commandId }];
}

/** A payment of an order is disputed, or no longer: the order's stream notes it, once. */
export function recordOrderDispute({
  data,
  state: { paymentId, purpose, status: paymentStatus, totalRefunded },
  revision: paymentRevision,
}: ProcessInput<DisputeOpened | DisputeClosed, RequestedPayment>): ProcessStep[] {
  const closed = 'closedAt' in data;
  const noted = { paymentId, paymentRevision };
  const command = {
    kind: 'RecordOrderDispute',
    ...noted,
    ...{ paymentStatus, totalRefunded, closed },
    now: closed ? data.closedAt : data.openedAt,
  } as const;
  const commandId = deriveDisputeRecordingId(noted);
  return [{ kind: 'order', id: findOrderId(purpose), command, commandId }];
}

/** A payment that came too late was not given back while it was disputed: it is, where the dispute left any of it. */
export function returnLateOnClosedOrderDispute({
  data: { paymentId, closed, recordedAt: now },
  state: { lateCaptures },
}: ProcessInput<OrderDisputeRecorded, CreatedOrder>): ProcessStep[] {
  return closed && lateCaptures.includes(paymentId) ? [returnLate(paymentId, now)] : [];
}
