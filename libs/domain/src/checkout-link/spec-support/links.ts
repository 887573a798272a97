import { noTaxRates } from '../../pricing/index.js';
import type { CheckoutLinkCommand } from '../checkout-link.decide.js';
import type {
  CheckoutAttempted,
  CheckoutLinkCreated,
  CheckoutLinkEvent,
  Offer,
} from '../checkout-link.events.js';

type AttemptCheckout = Extract<CheckoutLinkCommand, { kind: 'AttemptCheckout' }>;

/** One link for the specs, which sells a month at 9.99, and its attempts. */
export const T0 = '2027-01-31T10:00:00.000Z';
export const T1 = '2027-01-31T10:05:00.000Z';
export const EXPIRES = '2027-02-01T10:00:00.000Z';

export function usd(amountMinor: string) {
  return { amountMinor, currency: 'USD' };
}

export const offer: Offer = {
  ...{ planId: 'plan_1', planName: 'Gold', planDescription: '', trial: null, bounds: null },
  ...{ price: usd('999'), period: { value: 1, unit: 'month' } },
};

export function link(more: Partial<CheckoutLinkCreated['data']> = {}): CheckoutLinkCreated['data'] {
  return {
    ...{ linkId: 'link_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601', offer },
    ...{ regionCode: 'US', language: '', returnUrl: '', personal: {} },
    ...{ createdAt: T0, expiresAt: EXPIRES, ...more },
  };
}

export function createdLink(more: Partial<CheckoutLinkCreated['data']> = {}): CheckoutLinkCreated {
  return { type: 'checkout_link.created.v2', data: link(more) };
}

/** The player's click, by the wall clock at the same moment. */
export function attemptAt(wallNow: string, more: Partial<AttemptCheckout> = {}): AttemptCheckout {
  return {
    ...{ kind: 'AttemptCheckout', paymentMethod: 'pm_ok', planIsAvailable: true },
    ...{ playerIsErased: false, taxRates: noTaxRates, now: wallNow, wallNow, ...more },
  };
}

export function attemptedNo(
  attempt: number,
  more: Partial<CheckoutAttempted['data']> = {},
): CheckoutAttempted {
  return {
    type: 'checkout_link.attempted.v1',
    data: {
      ...{ attempt, paymentMethod: 'pm_ok', subscriptionId: 'sub_1', paymentId: `pay_${attempt}` },
      charge: { amount: offer.price, tax: null },
      ...{ attemptedAt: T1, wallAttemptedAt: T1, ...more },
    },
  };
}

export function declinedNo(attempt: number) {
  return {
    type: 'checkout_link.declined.v1',
    data: { attempt, reason: 'do_not_honor', declineClass: 'soft', declinedAt: T1 },
  } as const satisfies CheckoutLinkEvent;
}

export function paidBy(paymentId: string): CheckoutLinkEvent {
  const data = { paymentId, paymentRevision: 1, capturedAt: T1, paidAt: T1 };
  return { type: 'checkout_link.paid.v1', data };
}
