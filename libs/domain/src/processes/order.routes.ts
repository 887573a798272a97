import { orderAggregate } from '../order/index.js';
import { paymentAggregate } from '../payment/index.js';
import { isBought, recordOrderOfPlayer } from './loyalty.process.js';
import {
  chargeOnOrderAttempt,
  isOfOrder,
  noteChallengeOnChallengedOrderPayment,
  recordOrderDispute,
  recordOrderRefund,
  refundOnLateOrderCapture,
  returnLateOnClosedOrderDispute,
  settleOnOrderOutcome,
} from './order.process.js';
import { defineRoute, type ProcessRoute } from './process-route.js';

/** The rows of the processes of orders. */
export const ORDER_ROUTES: readonly ProcessRoute[] = [
  defineRoute({
    on: 'order.attempted.v1',
    process: 'charge_on_order_attempt',
    stream: orderAggregate,
    decide: chargeOnOrderAttempt,
  }),
  defineRoute({
    on: 'payment.challenged.v2',
    process: 'note_challenge_on_challenged_order_payment',
    stream: paymentAggregate,
    when: isOfOrder,
    decide: noteChallengeOnChallengedOrderPayment,
  }),
  ...(['payment.captured.v1', 'payment.declined.v1', 'payment.given_up.v1'] as const).map((on) =>
    defineRoute({
      on,
      process: 'settle_on_order_outcome',
      stream: paymentAggregate,
      when: isOfOrder,
      decide: settleOnOrderOutcome,
    }),
  ),
  defineRoute({
    on: 'order.late_outcome_recorded.v1',
    process: 'refund_on_late_order_capture',
    decide: refundOnLateOrderCapture,
  }),
  ...(['payment.refunded.v1', 'payment.refund_failed.v1'] as const).map((on) =>
    defineRoute({
      on,
      process: 'record_refund_of_order',
      stream: paymentAggregate,
      when: isOfOrder,
      decide: recordOrderRefund,
    }),
  ),
  ...(['payment.dispute_opened.v1', 'payment.dispute_closed.v1'] as const).map((on) =>
    defineRoute({
      on,
      process: 'record_dispute_of_order',
      stream: paymentAggregate,
      when: isOfOrder,
      decide: recordOrderDispute,
    }),
  ),
  defineRoute({
    on: 'order.dispute_recorded.v1',
    process: 'return_late_on_closed_dispute_of_order',
    stream: orderAggregate,
    decide: returnLateOnClosedOrderDispute,
  }),
  ...(['order.paid.v1', 'order.refund_recorded.v1', 'order.dispute_recorded.v1'] as const).map(
    (on) =>
      defineRoute({
        on,
        process: 'record_order_of_player',
        stream: orderAggregate,
        when: isBought,
        decide: recordOrderOfPlayer,
      }),
  ),
];
