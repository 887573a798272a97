import { addPeriods } from '../calendar/index.js';
import {
  attemptEndsAt,
  type CheckoutAttempted,
  type CheckoutLateOutcomeRecorded,
  type CheckoutPaid,
  type CreatedCheckoutLink,
  findClaim,
  lastAttempt,
} from '../checkout-link/index.js';
import type { Instant } from '../event/index.js';
import {
  type NotedPayment,
  type PaymentCaptured,
  type PaymentChallenged,
  type PaymentDeclined,
  type PaymentGivenUp,
  type PaymentUnapplied,
  periodLines,
  type RequestedPayment,
  startsSubscription,
} from '../payment/index.js';
import type { SubscriptionTerms } from '../subscription/index.js';
import { chargeStep } from './charge-step.js';
import { claimStep } from './claim-step.js';
import { returnLate } from './refund.process.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/** Whether a checkout asked for this payment: its outcome goes to the checkout link. */
export function isInitial({ purpose }: RequestedPayment): boolean {
  return startsSubscription(purpose);
}

/**
 * From the player's click to the subscription (rules/lifecycle 1): attempted, charged, paid, then created, then the
 * link is used up. A trial starts without a charge. The charge is the amount that the click has agreed to
 * (rules/payments 11). A plan that is bounded for a player is claimed first (rules/lifecycle 15).
 */
export function chargeOnCheckoutAttempt({
  data,
  state: link,
}: ProcessInput<CheckoutAttempted, CreatedCheckoutLink>): ProcessStep[] {
  const claim = findClaim(link, data);
  if (claim !== null) return [claimStep(link.player, claim, data.attemptedAt)];
  return chargeAttempt(link, data);
}

/** Nothing stands in the way of an attempt any more: its first period is charged, or its trial begins. */
export function chargeAttempt(
  link: CreatedCheckoutLink,
  data: CheckoutAttempted['data'],
): ProcessStep[] {
  const { paymentId, attemptedAt, subscriptionId, charge: agreed } = data;
  if (paymentId === null || agreed === null) {
    return startSubscription(link, { subscriptionId, initialPayment: null, now: attemptedAt });
  }
  const { price, period } = link.offer;
  const interval = { start: attemptedAt, end: addPeriods(attemptedAt, period, 1) };
  const charge = {
    paymentId,
    appId: link.appId,
    player: link.player,
    checkoutLinkId: link.linkId,
    purpose: {
      kind: 'subscription_period',
      subscriptionId,
      period: { number: 1, ...interval },
      length: period,
      attempt: data.attempt,
    } as const,
    lines: periodLines(agreed, interval, {
      planId: link.offer.planId,
      price,
      lockedAt: attemptedAt,
    }),
    paymentMethod: data.paymentMethod,
    personal: link.personal,
  };
  return [chargeStep(charge, { clock: 'wall', at: attemptEndsAt(data) })];
}

/** The bank wants the player to confirm the charge: the link has its page, and leads there. */
export function noteChallengeOnChallengedPayment({
  data: { sealedUrl, challengedAt: now },
  state: { paymentId, checkoutLinkId },
}: ProcessInput<PaymentChallenged, RequestedPayment>): ProcessStep[] {
  const command = { kind: 'ChallengeCheckout', paymentId, sealedUrl, now } as const;
  return [{ kind: 'checkout_link', id: checkoutLinkId, command }];
}

/** The first payment is captured: its link decides whether the payment buys, or comes too late. */
export function acceptOnInitialCapture({
  data: { capturedAt },
  state: { paymentId, checkoutLinkId },
  revision: paymentRevision,
}: ProcessInput<PaymentCaptured, RequestedPayment>): ProcessStep[] {
  const captured = { paymentId, paymentRevision, capturedAt };
  const command = { kind: 'AcceptPayment', ...captured, now: capturedAt } as const;
  return [{ kind: 'checkout_link', id: checkoutLinkId, command }];
}

/** The link keeps a payment: the subscription starts at the moment of its capture, as its lines do. */
export function subscribeOnPaidLink({
  data: { paymentId, paymentRevision, capturedAt: now },
  state: link,
}: ProcessInput<CheckoutPaid, CreatedCheckoutLink>): ProcessStep[] {
  const { subscriptionId = '' } = lastAttempt(link) ?? {};
  const initialPayment = { paymentId, paymentRevision };
  return startSubscription(link, { subscriptionId, initialPayment, now });
}

/** A replaced attempt was captured after all: it buys nothing. */
export function unapplyOnLateCheckoutCapture({
  data: { paymentId, captured, recordedAt: now },
}: ProcessInput<CheckoutLateOutcomeRecorded>): ProcessStep[] {
  if (!captured) return [];
  const command = { kind: 'LeavePaymentUnapplied', now } as const;
  return [{ kind: 'payment', id: paymentId, command }];
}

/** A payment buys nothing: the player gets the money back. */
export function refundOnUnappliedPayment({
  data: { unappliedAt: now },
  state: { paymentId },
}: ProcessInput<PaymentUnapplied, RequestedPayment>): ProcessStep[] {
  return [returnLate(paymentId, now)];
}

/** The first payment is declined or given up: the link is open again, and nothing was bought. */
export function reopenLinkOnInitialDecline({
  data: { reason, declineClass, rawDeclineCode },
  state: { paymentId, checkoutLinkId, updatedAt: now },
}: ProcessInput<PaymentDeclined | PaymentGivenUp, RequestedPayment>): ProcessStep[] {
  const decline = { reason, declineClass, rawDeclineCode };
  const command = { kind: 'DeclineCheckout', paymentId, decline, now } as const;
  return [{ kind: 'checkout_link', id: checkoutLinkId, command }];
}

function startSubscription(
  link: CreatedCheckoutLink,
  start: { subscriptionId: string; initialPayment: NotedPayment | null; now: Instant },
): ProcessStep[] {
  const { subscriptionId, initialPayment, now } = start;
  const attempt = lastAttempt(link);
  const claim = attempt === undefined ? null : findClaim(link, attempt);
  const terms: SubscriptionTerms = {
    subscriptionId,
    appId: link.appId,
    player: link.player,
    planId: link.offer.planId,
    price: link.offer.price,
    period: link.offer.period,
    trial: link.offer.trial,
    paymentMethod: attempt?.paymentMethod ?? '',
    checkoutLinkId: link.linkId,
    regionCode: link.regionCode,
    personal: link.personal,
    ...(claim !== null && { claimId: claim.claimId }),
  };
  return [
    {
      kind: 'subscription',
      id: subscriptionId,
      command: { kind: 'CreateSubscription', terms, initialPayment, now },
    },
    {
      kind: 'checkout_link',
      id: link.linkId,
      command: { kind: 'CompleteCheckout', subscriptionId, now },
    },
  ];
}
