import { checkoutLinkAggregate } from '../checkout-link/index.js';
import { paymentAggregate } from '../payment/index.js';
import { subscriptionAggregate } from '../subscription/index.js';
import {
  chargeOnChangeRequest,
  completeLinkOnChange,
  isChange,
  isTimelyChange,
  reopenLinkOnChangeDecline,
  reopenLinkOnChangeRefusal,
  requestOnChangeAttempt,
  settleOnChangeOutcome,
} from './change.process.js';
import {
  acceptOnInitialCapture,
  chargeOnCheckoutAttempt,
  isInitial,
  noteChallengeOnChallengedPayment,
  refundOnUnappliedPayment,
  reopenLinkOnInitialDecline,
  subscribeOnPaidLink,
  unapplyOnLateCheckoutCapture,
} from './checkout.process.js';
import {
  isUnapplied,
  recordClosedDispute,
  recordOpenedDispute,
  returnLateOnClosedDispute,
  returnOnClosedDispute,
} from './dispute.process.js';
import { isOfOrder } from './order.process.js';
import { ORDER_ROUTES } from './order.routes.js';
import { PLAN_CLAIM_ROUTES } from './plan-claim.routes.js';
import { defineRoute, type ProcessRoute } from './process-route.js';
import {
  recordFailedCreditRefund,
  refundOnPlanChange,
  refundOnRefundRequest,
  returnAgainOnRefusedReturn,
} from './refund.process.js';
import {
  chargeOnRenewalRequest,
  isLateRenewal,
  isOfSubscription,
  isRenewal,
  isTimelyRenewal,
  recordLateCapture,
  recordRefundOnRefund,
  refundOnLateRenewalCapture,
  settleOnRenewalOutcome,
} from './renewal.process.js';

/**
 * Every process there is (rules/events 9): the event that sets it going, its needs, and the pure function that returns
 * its steps. The worker and the life-cycle tests run these rows.
 */
export const PROCESS_ROUTES: readonly ProcessRoute[] = [
  defineRoute({
    on: 'checkout_link.attempted.v1',
    process: 'charge_on_checkout_attempt',
    stream: checkoutLinkAggregate,
    decide: chargeOnCheckoutAttempt,
  }),
  defineRoute({
    on: 'payment.challenged.v2',
    process: 'note_challenge_on_challenged_payment',
    stream: paymentAggregate,
    when: (payment) => !isOfOrder(payment),
    decide: noteChallengeOnChallengedPayment,
  }),
  defineRoute({
    on: 'payment.captured.v1',
    process: 'accept_on_initial_capture',
    stream: paymentAggregate,
    when: isInitial,
    decide: acceptOnInitialCapture,
  }),
  defineRoute({
    on: 'payment.declined.v1',
    process: 'reopen_link_on_initial_decline',
    stream: paymentAggregate,
    when: isInitial,
    decide: reopenLinkOnInitialDecline,
  }),
  defineRoute({
    on: 'payment.given_up.v1',
    process: 'reopen_link_on_initial_decline',
    stream: paymentAggregate,
    when: isInitial,
    decide: reopenLinkOnInitialDecline,
  }),
  defineRoute({
    on: 'checkout_link.paid.v1',
    process: 'subscribe_on_paid_link',
    stream: checkoutLinkAggregate,
    decide: subscribeOnPaidLink,
  }),
  defineRoute({
    on: 'checkout_link.late_outcome_recorded.v1',
    process: 'unapply_on_late_checkout_capture',
    decide: unapplyOnLateCheckoutCapture,
  }),
  defineRoute({
    on: 'payment.unapplied.v1',
    process: 'refund_on_unapplied_payment',
    stream: paymentAggregate,
    decide: refundOnUnappliedPayment,
  }),
  defineRoute({
    on: 'subscription.renewal_requested.v1',
    process: 'charge_on_renewal_request',
    stream: subscriptionAggregate,
    needs: ['taxRates'],
    decide: chargeOnRenewalRequest,
  }),
  defineRoute({
    on: 'payment.captured.v1',
    process: 'settle_on_renewal_outcome',
    stream: paymentAggregate,
    needs: ['dunning'],
    when: isTimelyRenewal,
    decide: settleOnRenewalOutcome,
  }),
  defineRoute({
    on: 'payment.declined.v1',
    process: 'settle_on_renewal_outcome',
    stream: paymentAggregate,
    needs: ['dunning'],
    when: isRenewal,
    decide: settleOnRenewalOutcome,
  }),
  defineRoute({
    on: 'payment.given_up.v1',
    process: 'settle_on_renewal_outcome',
    stream: paymentAggregate,
    needs: ['dunning'],
    when: isRenewal,
    decide: settleOnRenewalOutcome,
  }),
  defineRoute({
    on: 'payment.captured.v1',
    process: 'record_late_capture_of_renewal',
    stream: paymentAggregate,
    when: isLateRenewal,
    decide: recordLateCapture,
  }),
  defineRoute({
    on: 'subscription.late_outcome_recorded.v1',
    process: 'refund_on_late_renewal_capture',
    decide: refundOnLateRenewalCapture,
  }),
  defineRoute({
    on: 'checkout_link.change_attempted.v1',
    process: 'request_on_change_attempt',
    stream: checkoutLinkAggregate,
    needs: ['taxRates'],
    decide: requestOnChangeAttempt,
  }),
  defineRoute({
    on: 'subscription.change_requested.v1',
    process: 'charge_on_change_request',
    stream: subscriptionAggregate,
    decide: chargeOnChangeRequest,
  }),
  ...(['payment.captured.v1', 'payment.declined.v1', 'payment.given_up.v1'] as const).map((on) =>
    defineRoute({
      on,
      process: 'settle_on_change_outcome',
      stream: paymentAggregate,
      when: on === 'payment.captured.v1' ? isTimelyChange : isChange,
      decide: settleOnChangeOutcome,
    }),
  ),
  ...(['subscription.plan_changed.v1', 'subscription.payment_method_changed.v1'] as const).map(
    (on) =>
      defineRoute({
        on,
        process: 'complete_link_on_change',
        stream: subscriptionAggregate,
        decide: completeLinkOnChange,
      }),
  ),
  defineRoute({
    on: 'subscription.plan_changed.v1',
    process: 'refund_on_plan_change',
    decide: refundOnPlanChange,
  }),
  defineRoute({
    on: 'subscription.change_declined.v1',
    process: 'reopen_link_on_change_decline',
    decide: reopenLinkOnChangeDecline,
  }),
  defineRoute({
    on: 'subscription.change_refused.v1',
    process: 'reopen_link_on_change_refusal',
    decide: reopenLinkOnChangeRefusal,
  }),
  defineRoute({
    on: 'payment.refund_requested.v1',
    process: 'refund_on_refund_request',
    stream: paymentAggregate,
    decide: refundOnRefundRequest,
  }),
  defineRoute({
    on: 'payment.refund_failed.v1',
    process: 'return_again_on_refused_return',
    stream: paymentAggregate,
    decide: returnAgainOnRefusedReturn,
  }),
  defineRoute({
    on: 'payment.refund_failed.v1',
    process: 'record_failed_credit_refund',
    stream: paymentAggregate,
    when: isOfSubscription,
    decide: recordFailedCreditRefund,
  }),
  defineRoute({
    on: 'payment.refunded.v1',
    process: 'record_refund_on_refund',
    stream: paymentAggregate,
    when: isOfSubscription,
    decide: recordRefundOnRefund,
  }),
  defineRoute({
    on: 'payment.dispute_opened.v1',
    process: 'record_dispute_on_dispute',
    stream: paymentAggregate,
    when: isOfSubscription,
    decide: recordOpenedDispute,
  }),
  defineRoute({
    on: 'payment.dispute_closed.v1',
    process: 'return_on_closed_dispute',
    stream: paymentAggregate,
    when: isUnapplied,
    decide: returnOnClosedDispute,
  }),
  defineRoute({
    on: 'payment.dispute_closed.v1',
    process: 'record_dispute_on_dispute',
    stream: paymentAggregate,
    needs: ['onLostDispute'],
    when: isOfSubscription,
    decide: recordClosedDispute,
  }),
  defineRoute({
    on: 'subscription.dispute_recorded.v1',
    process: 'return_late_on_closed_dispute',
    stream: subscriptionAggregate,
    decide: returnLateOnClosedDispute,
  }),
  ...ORDER_ROUTES,
  ...PLAN_CLAIM_ROUTES,
];

/** The rows for an event; none for an event that sets nothing going. */
export function routesFor(type: string): readonly ProcessRoute[] {
  return PROCESS_ROUTES.filter(({ on }) => on === type);
}
