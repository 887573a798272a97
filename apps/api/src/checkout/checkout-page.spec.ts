import { describe, expect, it } from '@jest/globals';
import type { CreatedCheckoutLink, Offer } from '#domain/checkout-link';
import { checkoutPage, missingPage, unavailablePage } from './checkout-page.js';
import { lengthText, perPeriodText, priceText } from './offer-texts.js';

const EVIL = `"><script>alert('1')</script>&`;
const BEFORE = '2026-01-31T10:00:00.000Z';
const EXPIRES = '2026-02-01T10:00:00.000Z';
const offer: Offer = {
  planId: 'plan_1',
  planName: 'Gold',
  planDescription: '',
  price: { amountMinor: '999', currency: 'USD' },
  period: { value: 1, unit: 'month' },
  trial: null,
};
const UNTAXED = { amount: offer.price, tax: null, taxInclusive: false };
const link: CreatedCheckoutLink = {
  status: 'open',
  linkId: 'cl_1',
  appId: 'app_1',
  externalAccountId: 'player-1',
  offer,
  regionCode: '',
  language: '',
  returnUrl: '',
  referenceId: '',
  metadata: {},
  createdAt: BEFORE,
  expiresAt: EXPIRES,
  attempts: [],
  paidBy: null,
  latePaymentIds: [],
};
const attempt = {
  attempt: 1,
  paymentMethod: 'pm_ok',
  subscriptionId: 'sub_1',
  paymentId: 'pay_1',
  attemptedAt: BEFORE,
  wallAttemptedAt: BEFORE,
  decline: null,
};
const decline = {
  attempt: 1,
  reason: 'fraud_suspected',
  declineClass: 'fraud',
  declinedAt: BEFORE,
} as const;

const declined = { ...attempt, decline };
const manyDeclines = (count: number) => Array.from({ length: count }, () => declined);
const later = (seconds: number) => new Date(Date.parse(BEFORE) + seconds * 1000).toISOString();

const stateOf = (changes: Partial<CreatedCheckoutLink>, now = BEFORE) =>
  /data-state="(\w+)"/.exec(
    checkoutPage({ ...link, ...changes }, UNTAXED, 'Studio', now).html,
  )?.[1];

describe('the checkout page', () => {
  it('shows the state that its link is in', () => {
    expect(stateOf({})).toBe('open');
    expect(stateOf({ attempts: [declined] })).toBe('declined');
    expect(stateOf({ status: 'attempting', attempts: [attempt] })).toBe('pending');
    expect(stateOf({ status: 'completed', attempts: [attempt] })).toBe('completed');
    expect(stateOf({}, EXPIRES)).toBe('expired');
  });

  it('of a payment on its way, or made, does not expire', () => {
    expect(stateOf({ status: 'attempting', attempts: [attempt] }, EXPIRES)).toBe('pending');
    expect(stateOf({ status: 'completed', attempts: [attempt] }, EXPIRES)).toBe('completed');
  });

  it('can only be paid while it is open', () => {
    const hasForm = (changes: Partial<CreatedCheckoutLink>, now = BEFORE) =>
      checkoutPage({ ...link, ...changes }, UNTAXED, 'Studio', now).html.includes('<form');
    expect(hasForm({})).toBe(true);
    expect(hasForm({ attempts: [declined] })).toBe(true);
    expect(hasForm({ status: 'attempting', attempts: [attempt] })).toBe(false);
    expect(hasForm({ status: 'completed', attempts: [attempt] })).toBe(false);
    expect(hasForm({}, EXPIRES)).toBe(false);
  });

  it('of a payment without an answer can be paid another way, until the link expires', () => {
    const waiting = { status: 'attempting', attempts: [attempt] } as const;
    expect(stateOf(waiting, later(9))).toBe('pending');
    expect(stateOf(waiting, later(10))).toBe('unanswered');
    const { html } = checkoutPage({ ...link, ...waiting }, UNTAXED, 'Studio', later(10));
    expect(html).toContain('<form');
    expect(html).toContain('you get it back by itself');
    expect(stateOf(waiting, EXPIRES)).toBe('pending');
  });

  it('tells how long to wait after several declines, and locks after ten, without a form', () => {
    const after = (count: number, seconds = 0) =>
      checkoutPage({ ...link, attempts: manyDeclines(count) }, UNTAXED, 'Studio', later(seconds))
        .html;
    expect(after(2)).not.toContain('please wait');
    expect(after(9)).toContain('please wait 21 s');
    expect(after(9, 20.5)).toContain('please wait 1 s');
    expect(after(9, 21)).not.toContain('please wait');
    expect(stateOf({ attempts: manyDeclines(10) })).toBe('locked');
    expect(after(10)).not.toContain('<form');
    expect(after(10)).toContain('ask for a new link');
    // The tenth may still be captured: the page keeps looking.
    const attempts = [...manyDeclines(9), attempt];
    expect(stateOf({ status: 'attempting', attempts }, later(11))).toBe('pending');
  });

  it('tells that a payment was declined, and not why: that is for the studio', () => {
    const { html } = checkoutPage({ ...link, attempts: [declined] }, UNTAXED, 'Studio', BEFORE);
    expect(html).toContain('The payment was declined');
    expect(html).not.toMatch(/fraud/i);
  });

  it('escapes whatever a studio or a link says', () => {
    const evil = { ...offer, planName: EVIL, planDescription: EVIL };
    for (const status of ['open', 'attempting', 'completed'] as const) {
      const { html } = checkoutPage(
        { ...link, status, linkId: EVIL, offer: evil },
        UNTAXED,
        EVIL,
        BEFORE,
      );
      expect(html).not.toContain('<script>');
      expect(html).not.toContain(`alert('1')`);
      expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;');
    }
  });

  it('tells a trial before the price', () => {
    const trial = { value: 1, unit: 'week' } as const;
    const { html } = checkoutPage(
      { ...link, offer: { ...offer, trial } },
      UNTAXED,
      'Studio',
      BEFORE,
    );
    expect(html).toContain('<dt>Due today</dt><dd>$0.00</dd>');
    expect(html).toContain('<dt>Free trial</dt><dd>one week</dd>');
    expect(html).toContain('Start the free trial');
    expect(html).toContain('Cancel during');
  });

  it('tells the tax that is in the price, or comes on top of it', () => {
    const tax = { amountMinor: '80', currency: 'USD' };
    const added = { amount: { amountMinor: '1079', currency: 'USD' }, tax, taxInclusive: false };
    const onTop = checkoutPage(link, added, 'Studio', BEFORE).html;
    expect(onTop).toContain('<dt>Tax</dt><dd>$0.80</dd><dt>Due today</dt><dd>$10.79</dd>');
    expect(onTop).toContain('Pay $10.79');
    expect(onTop).toContain('renews at $9.99 plus tax every month');
    const within = checkoutPage(link, { ...UNTAXED, tax, taxInclusive: true }, 'Studio', BEFORE);
    expect(within.html).toContain('<dt>Tax included</dt><dd>$0.80</dd>');
    expect(within.html).toContain('renews at $9.99 every month');
  });

  it('has a status of HTTP where there is nothing to show', () => {
    expect(missingPage().status).toBe(404);
    expect(unavailablePage().status).toBe(503);
  });
});

describe('texts of an offer', () => {
  it.each([
    ['999', 'USD', '$9.99'],
    ['0', 'EUR', '€0.00'],
    ['98000', 'JPY', '¥98,000'],
    ['9990', 'KWD', 'KWD 9.990'],
    ['123456789012345', 'USD', '$1,234,567,890,123.45'],
    ['150', 'HUF', 'HUF 1.50'],
  ])('%s %s is %s', (amountMinor, currency, text) => {
    expect(priceText({ amountMinor, currency })).toBe(text.replace(' ', '\u00a0'));
  });

  it('count periods', () => {
    expect(perPeriodText({ value: 1, unit: 'year' })).toBe('every year');
    expect(perPeriodText({ value: 3, unit: 'month' })).toBe('every 3 months');
    expect(lengthText({ value: 1, unit: 'week' })).toBe('one week');
    expect(lengthText({ value: 14, unit: 'day' })).toBe('14 days');
  });
});
