import { addPeriods } from '../calendar/index.js';
import {
  attemptEndsAt,
  type CheckoutAttempted,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  findClaim,
  lastAttempt,
} from '../checkout-link/index.js';
import type { Instant } from '../event/index.js';
import {
  type NotedPayment,
  paymentAggregate,
  paysOrder,
  periodLines,
  startsSubscription,
} from '../payment/index.js';
import { defineRoutes, type ProcessRoute } from './process-route.js';
import {
  chargeStep,
  claimStep,
  onLink,
  onPayment,
  onSubscription,
  type ProcessStep,
  returnLate,
} from './steps.js';

/**
 * From the player's click to the subscription (rules/lifecycle 1): attempted, charged, paid, then created, then the
 * link is used up. A trial starts without a charge. The charge is the amount that the click has agreed to
 * (rules/payments 11). A plan that is bounded for a player is claimed first (rules/lifecycle 15).
 */
export const CHECKOUT_ROUTES: readonly ProcessRoute[] = [
  ...defineRoutes({
    on: ['checkout_link.attempted.v1'],
    process: 'charge_on_checkout_attempt',
    stream: checkoutLinkAggregate,
    decide: ({ data, state: link }) => {
      const claim = findClaim(link, data);
      if (claim !== null) return [claimStep(link.player, claim, data.attemptedAt)];
      return chargeAttempt(link, data);
    },
  }),
  // The bank wants the player to confirm the charge: the link has its page, and leads there.
  ...defineRoutes({
    on: ['payment.challenged.v2'],
    process: 'note_challenge_on_challenged_payment',
    stream: paymentAggregate,
    when: ({ purpose }) => !paysOrder(purpose),
    decide: ({ data: { sealedUrl, challengedAt: now }, state: { paymentId, checkoutLinkId } }) => [
      onLink(checkoutLinkId, { kind: 'ChallengeCheckout', paymentId, sealedUrl, now }),
    ],
  }),
  // The first payment is captured: its link decides whether the payment buys, or comes too late.
  ...defineRoutes({
    on: ['payment.captured.v1'],
    process: 'accept_on_initial_capture',
    stream: paymentAggregate,
    when: ({ purpose }) => startsSubscription(purpose),
    decide: ({ data: { capturedAt }, state: { paymentId, checkoutLinkId }, revision }) => {
      const captured = { paymentId, paymentRevision: revision, capturedAt };
      return [onLink(checkoutLinkId, { kind: 'AcceptPayment', ...captured, now: capturedAt })];
    },
  }),
  // The first payment is declined or given up: the link is open again, and nothing was bought.
  ...defineRoutes({
    on: ['payment.declined.v1', 'payment.given_up.v1'],
    process: 'reopen_link_on_initial_decline',
    stream: paymentAggregate,
    when: ({ purpose }) => startsSubscription(purpose),
    decide: ({ data, state: { paymentId, checkoutLinkId, updatedAt: now } }) => {
      const { reason, declineClass, rawDeclineCode } = data;
      const decline = { reason, declineClass, rawDeclineCode };
      return [onLink(checkoutLinkId, { kind: 'DeclineCheckout', paymentId, decline, now })];
    },
  }),
  // The link keeps a payment: the subscription starts at the moment of its capture, as its lines do.
  ...defineRoutes({
    on: ['checkout_link.paid.v1'],
    process: 'subscribe_on_paid_link',
    stream: checkoutLinkAggregate,
    decide: ({ data: { paymentId, paymentRevision, capturedAt: now }, state: link }) => {
      const { subscriptionId = '' } = lastAttempt(link) ?? {};
      const initialPayment = { paymentId, paymentRevision };
      return startSubscription(link, { subscriptionId, initialPayment, now });
    },
  }),
  // A replaced attempt was captured after all: it buys nothing.
  ...defineRoutes({
    on: ['checkout_link.late_outcome_recorded.v1'],
    process: 'unapply_on_late_checkout_capture',
    decide: ({ data: { paymentId, captured, recordedAt: now } }) =>
      captured ? [onPayment(paymentId, { kind: 'LeavePaymentUnapplied', now })] : [],
  }),
  // A payment buys nothing: the player gets the money back.
  ...defineRoutes({
    on: ['payment.unapplied.v1'],
    process: 'refund_on_unapplied_payment',
    stream: paymentAggregate,
    decide: ({ data, state: { paymentId } }) => [returnLate(paymentId, data.unappliedAt)],
  }),
];

/** Nothing stands in the way of an attempt any more: its first period is charged, or its trial begins. */
export function chargeAttempt(
  link: CreatedCheckoutLink,
  data: CheckoutAttempted['data'],
): ProcessStep[] {
  const { paymentId, attempt, attemptedAt, subscriptionId, paymentMethod, charge: agreed } = data;
  if (paymentId === null || agreed === null) {
    return startSubscription(link, { subscriptionId, initialPayment: null, now: attemptedAt });
  }
  const { linkId: checkoutLinkId, appId, player, regionCode, personal } = link;
  const { planId, price, period: length } = link.offer;
  const interval = { start: attemptedAt, end: addPeriods(attemptedAt, length, 1) };
  const period = { number: 1, ...interval };
  const charge = {
    ...{ paymentId, appId, player, checkoutLinkId, regionCode },
    purpose: { kind: 'subscription_period', subscriptionId, period, length, attempt } as const,
    lines: periodLines(agreed, interval, { planId, price, lockedAt: attemptedAt }),
    ...{ paymentMethod, personal },
  };
  return [chargeStep(charge, { clock: 'wall', at: attemptEndsAt(data) })];
}

function startSubscription(
  link: CreatedCheckoutLink,
  start: { subscriptionId: string; initialPayment: NotedPayment | null; now: Instant },
): ProcessStep[] {
  const { subscriptionId, initialPayment, now } = start;
  const attempt = lastAttempt(link);
  const claim = attempt === undefined ? null : findClaim(link, attempt);
  const { linkId: checkoutLinkId, appId, player, regionCode, personal } = link;
  const { planId, price, period, trial } = link.offer;
  const terms = {
    ...{ subscriptionId, appId, player, planId, price, period, trial },
    ...{ paymentMethod: attempt?.paymentMethod ?? '', checkoutLinkId, regionCode, personal },
    ...(claim !== null && { claimId: claim.claimId }),
  };
  return [
    onSubscription(subscriptionId, { kind: 'CreateSubscription', terms, initialPayment, now }),
    onLink(checkoutLinkId, { kind: 'CompleteCheckout', subscriptionId, now }),
  ];
}
