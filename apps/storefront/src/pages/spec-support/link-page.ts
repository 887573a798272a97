import { type CreatedCheckoutLink, type Offer, quoteOffer } from '#domain/checkout-link';
import { noTaxRates } from '#domain/pricing';
import { choosePageLocale } from '../../languages/page-locale.js';
import type { CheckoutPageProps } from '../checkout-page.js';
import { renderCheckoutPage } from '../render-page.js';

/** When the link was made, and looked at. */
export const BEFORE = '2026-01-31T10:00:00.000Z';
export const EXPIRES = '2026-02-01T10:00:00.000Z';
export const offer: Offer = {
  planId: 'plan_1',
  planName: 'Gold',
  planDescription: '',
  bounds: null,
  price: { amountMinor: '999', currency: 'USD' },
  period: { value: 1, unit: 'month' },
  trial: null,
};
const link: CreatedCheckoutLink = {
  status: 'open',
  linkId: 'cl_1',
  appId: 'app_1',
  player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
  offer,
  regionCode: '',
  language: '',
  returnUrl: '',
  personal: {},
  createdAt: BEFORE,
  expiresAt: EXPIRES,
  attempts: [],
  paidBy: null,
  latePaymentIds: [],
  change: null,
};
export const attempt = {
  attempt: 1,
  paymentMethod: 'pm_ok',
  subscriptionId: 'sub_1',
  paymentId: 'pay_1',
  charge: { amount: offer.price, tax: null },
  attemptedAt: BEFORE,
  wallAttemptedAt: BEFORE,
  ...{ challenge: null, decline: null, isGranted: false, refusal: null },
};
const BRAND = { name: 'Studio', isTest: true };

export type LinkChanges = Partial<CreatedCheckoutLink>;
export const inEnglish = choosePageLocale({
  linkLanguage: '',
  acceptLanguage: '',
  regionCode: 'US',
});

/** The page of the link with some changes, in English where no language is asked for. */
export function renderLink(
  changes: LinkChanges = {},
  more: Partial<CheckoutPageProps> = {},
): string {
  const changed = { ...link, ...changes };
  const quote = quoteOffer(changed, noTaxRates, BEFORE);
  return renderCheckoutPage({
    ...{ locale: inEnglish, link: changed, quote, brand: BRAND },
    ...{ wallNow: BEFORE, attemptKey: 'form-1', ...more },
  }).html;
}

/** The wishes that make a page speak a language. */
export const speaking = (language: string, regionCode: string) => ({
  locale: choosePageLocale({ linkLanguage: language, acceptLanguage: '', regionCode }),
});
