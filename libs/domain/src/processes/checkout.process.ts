import {
  type CheckoutAttempted,
  type CheckoutLateOutcomeRecorded,
  type CheckoutPaid,
  type CreatedCheckoutLink,
  lastAttemptOf,
} from '../checkout-link/index.js';
import type { Instant } from '../event/index.js';
import type { RequestedPayment } from '../payment/index.js';
import { taxedCharge, type TaxRates } from '../pricing/index.js';
import type { SubscriptionTerms } from '../subscription/index.js';
import type { ProcessStep } from './steps.js';

/**
 * From the player's click to the subscription (decisions 6): attempted, charged, paid, then created,
 * then the link is used up. A trial starts without a charge. Tax follows the link's region (decisions 7).
 */
export function chargeOnCheckoutAttempt(
  link: CreatedCheckoutLink,
  attempted: CheckoutAttempted['data'],
  taxRates: TaxRates,
): ProcessStep[] {
  const { paymentId, attemptedAt, subscriptionId } = attempted;
  if (paymentId === null) {
    return startSubscription(link, { subscriptionId, initialPaymentId: null, now: attemptedAt });
  }
  return [
    {
      kind: 'charge',
      charge: {
        paymentId,
        appId: link.appId,
        externalAccountId: link.externalAccountId,
        subscriptionId,
        checkoutLinkId: link.linkId,
        ...taxedCharge(link.offer.price, link.regionCode, taxRates, attemptedAt),
        context: 'INITIAL',
        paymentMethod: attempted.paymentMethod,
        dueAt: attemptedAt,
        attempt: attempted.attempt,
        metadata: link.metadata,
      },
    },
  ];
}

/** The first payment is captured: its link decides whether it buys, or comes too late. */
export function acceptOnInitialCapture(payment: RequestedPayment): ProcessStep[] {
  const { capturedAt: now, paymentId, checkoutLinkId } = payment;
  if (now === null) return [];
  const command = { kind: 'AcceptPayment', paymentId, now } as const;
  return [{ kind: 'checkout_link', id: checkoutLinkId, command }];
}

/**
 * The link keeps a payment: the subscription starts at that moment.
 *
 * @param link as it was when it was paid.
 */
export function subscribeOnPaidLink(
  link: CreatedCheckoutLink,
  { paymentId, paidAt }: CheckoutPaid['data'],
): ProcessStep[] {
  const { subscriptionId = '' } = lastAttemptOf(link) ?? {};
  return startSubscription(link, { subscriptionId, initialPaymentId: paymentId, now: paidAt });
}

/** A replaced attempt was captured after all: the player gets the money back. */
export function refundOnLateCheckoutCapture({
  paymentId,
  captured,
}: CheckoutLateOutcomeRecorded['data']): ProcessStep[] {
  return captured ? [{ kind: 'refund', paymentId, refundId: `${paymentId}.late` }] : [];
}

/** The first payment is declined: the link is open again, and nothing was bought. */
export function reopenLinkOnInitialDecline(payment: RequestedPayment): ProcessStep[] {
  const { decline, paymentId, failedAt: now, checkoutLinkId } = payment;
  if (decline === null || now === null) return [];
  const command = { kind: 'DeclineCheckout', paymentId, decline, now } as const;
  return [{ kind: 'checkout_link', id: checkoutLinkId, command }];
}

function startSubscription(
  link: CreatedCheckoutLink,
  start: { subscriptionId: string; initialPaymentId: string | null; now: Instant },
): ProcessStep[] {
  const { subscriptionId, initialPaymentId, now } = start;
  const terms: SubscriptionTerms = {
    subscriptionId,
    appId: link.appId,
    externalAccountId: link.externalAccountId,
    planId: link.offer.planId,
    price: link.offer.price,
    period: link.offer.period,
    trial: link.offer.trial,
    paymentMethod: lastAttemptOf(link)?.paymentMethod ?? '',
    checkoutLinkId: link.linkId,
    regionCode: link.regionCode,
    referenceId: link.referenceId,
    metadata: link.metadata,
  };
  return [
    {
      kind: 'subscription',
      id: subscriptionId,
      command: { kind: 'CreateSubscription', terms, initialPaymentId, now },
    },
    {
      kind: 'checkout_link',
      id: link.linkId,
      command: { kind: 'CompleteCheckout', subscriptionId, now },
    },
  ];
}
