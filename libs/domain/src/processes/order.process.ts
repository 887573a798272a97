import { deriveDisputeRecordingId, deriveRefundRecordingId } from '../ids/index.js';
import { isPositive, type Money, subtract, zero } from '../money/index.js';
import {
  type CreatedOrder,
  explainQuote,
  orderAggregate,
  orderAttemptEndsAt,
} from '../order/index.js';
import {
  findOrderId,
  paymentAggregate,
  paysOrder,
  type RequestedPayment,
} from '../payment/index.js';
import { defineRoutes, type ProcessRoute } from './process-route.js';
import { chargeStep, onOrder, returnLate, returnLateUndisputed } from './steps.js';

/** Whether an order asked for this payment, so that the payment's events go to the order. */
function isOfOrder({ purpose }: RequestedPayment): boolean {
  return paysOrder(purpose);
}

/**
 * From the player's click on the page of an order to the paid order (rules/orders 2): attempted, charged, paid. The
 * order also notes the later fate of the money, and is the subject of all messages about it.
 */
export const ORDER_ROUTES: readonly ProcessRoute[] = [
  // The player pays: the order's amount is charged, as of the click.
  ...defineRoutes({
    on: ['order.attempted.v1'],
    process: 'charge_on_order_attempt',
    stream: orderAggregate,
    decide: ({ data: attempted, state: order }) => {
      const { paymentId, attempt, paymentMethod, quote } = attempted;
      const { orderId, appId, player, checkoutLinkId, items } = order;
      const { metadata } = order.personal;
      const { regionCode } = quote;
      const charge = {
        ...{ paymentId, appId, player, checkoutLinkId, regionCode, paymentMethod },
        purpose: { kind: 'order', orderId, attempt } as const,
        lines: explainQuote(quote, items),
        personal: metadata === undefined ? {} : { metadata },
      };
      return [chargeStep(charge, { clock: 'app', at: orderAttemptEndsAt(attempted) })];
    },
  }),
  // The bank wants the player to confirm the charge: the order has its page, and leads there.
  ...defineRoutes({
    on: ['payment.challenged.v2'],
    process: 'note_challenge_on_challenged_order_payment',
    stream: paymentAggregate,
    when: isOfOrder,
    decide: ({ data: { sealedUrl, challengedAt: now }, state: { paymentId, purpose } }) => [
      onOrder(findOrderId(purpose), { kind: 'ChallengeOrder', paymentId, sealedUrl, now }),
    ],
  }),
  // The gateway has answered for an attempt, or it was given up: the order is paid, or open again.
  ...defineRoutes({
    on: ['payment.captured.v1', 'payment.declined.v1', 'payment.given_up.v1'],
    process: 'settle_on_order_outcome',
    stream: paymentAggregate,
    when: isOfOrder,
    decide: ({ state, revision: paymentRevision }) => {
      const { paymentId, purpose, decline, updatedAt: now } = state;
      const settled = { paymentId, paymentRevision, outcome: decline ?? 'captured', now } as const;
      return [onOrder(findOrderId(purpose), { kind: 'SettleOrder', ...settled })];
    },
  }),
  // A payment was captured that the order did not wait for any more: the player gets the money back.
  ...defineRoutes({
    on: ['order.late_outcome_recorded.v1'],
    process: 'refund_on_late_order_capture',
    decide: ({ data: { paymentId, recordedAt } }) => [returnLate(paymentId, recordedAt)],
  }),
  // A payment of an order was refunded, or a refund of it has failed: the order's stream notes it, once.
  ...defineRoutes({
    on: ['payment.refunded.v1', 'payment.refund_failed.v1'],
    process: 'record_refund_of_order',
    stream: paymentAggregate,
    when: isOfOrder,
    decide: ({ data, state, revision: paymentRevision }) => {
      const { paymentId, purpose, status: paymentStatus, totalRefunded } = state;
      const noted = { paymentId, paymentRevision };
      const refund =
        'refundedAt' in data
          ? { amount: data.amount, now: data.refundedAt }
          : { amount: null, now: data.failedAt };
      const recorded = { ...noted, paymentStatus, totalRefunded, ...refund };
      const command = { kind: 'RecordOrderRefund', ...recorded } as const;
      return [onOrder(findOrderId(purpose), command, deriveRefundRecordingId(noted))];
    },
  }),
  // A payment of an order is disputed, or no longer: the order's stream notes it, once.
  ...defineRoutes({
    on: ['payment.dispute_opened.v1', 'payment.dispute_closed.v1'],
    process: 'record_dispute_of_order',
    stream: paymentAggregate,
    when: isOfOrder,
    decide: ({ data, state, revision: paymentRevision }) => {
      const { paymentId, purpose, status: paymentStatus, totalRefunded } = state;
      const noted = { paymentId, paymentRevision };
      const closed = 'closedAt' in data;
      const now = closed ? data.closedAt : data.openedAt;
      const recorded = { ...noted, paymentStatus, totalRefunded, closed, now };
      const command = { kind: 'RecordOrderDispute', ...recorded } as const;
      return [onOrder(findOrderId(purpose), command, deriveDisputeRecordingId(noted))];
    },
  }),
  // A payment that came too late was not given back while it was disputed: it is, where the dispute left any of it.
  ...defineRoutes({
    on: ['order.dispute_recorded.v1'],
    process: 'return_late_on_closed_dispute_of_order',
    stream: orderAggregate,
    decide: ({ data, state }) => returnLateUndisputed(data, state.lateCaptures),
  }),
  // An order was paid, or its money went back in whole or in part, by a refund or by a dispute that was lost: the player's
  // own stream records its amount, so that a claim is decided by that stream alone (rules/loyalty 2).
  ...defineRoutes({
    on: ['order.paid.v1', 'order.refund_recorded.v1', 'order.dispute_recorded.v1'],
    process: 'record_order_of_player',
    stream: orderAggregate,
    // Points are for orders that a payment has bought.
    when: ({ paidBy }) => paidBy !== null,
    decide: ({ data, state: order, revision: orderRevision }) => {
      const { orderId, player, paidAt } = order;
      if (paidAt === null) return [];
      const now = 'recordedAt' in data ? data.recordedAt : data.paidAt;
      const recorded = { orderId, orderRevision, spent: countSpent(order), paidAt };
      return [
        { kind: 'loyalty', id: player, command: { kind: 'RecordOrder', order: recorded, now } },
      ];
    },
  }),
];

/** The amount paid without tax, less all refunds without their tax; never below 0. */
function countSpent({ quote: { amount, tax }, totalRefunded }: CreatedOrder): Money {
  const net = tax === null ? amount : subtract(amount, tax.amount);
  const spent = subtract(net, totalRefunded);
  return isPositive(spent) ? spent : zero(spent.currency);
}
