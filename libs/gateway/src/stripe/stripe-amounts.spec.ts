import { describe, expect, it } from 'vitest';
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.js';

/** Amounts as Stripe counts them (rules/stripe 3). */
describe('an amount at Stripe', () => {
  it.each([
    ['USD', '999', 999],
    ['JPY', '980', 980],
    ['KRW', '9900', 9900],
    // Stripe has two decimals for these, ISO 4217 none.
    ['ISK', '500', 50_000],
    ['UGX', '37000', 3_700_000],
    // Stripe has none for it, ISO 4217 two.
    ['MGA', '450000', 4500],
    ['KWD', '9990', 9990],
    ['TND', '10', 10],
  ])('%s %s is %i, and back', (currency, amountMinor, stripeAmount) => {
    expect(toStripeAmount({ amountMinor, currency })).toBe(stripeAmount);
    expect(fromStripeAmount(stripeAmount, currency.toLowerCase())).toEqual({
      amountMinor,
      currency,
    });
  });

  it.each([
    ['three decimals whose last is not 0', { amountMinor: '9999', currency: 'KWD' }],
    ['a part of what cannot be divided', { amountMinor: '450050', currency: 'MGA' }],
    ['more than a number holds', { amountMinor: '9007199254740993', currency: 'USD' }],
    ['nothing', { amountMinor: '0', currency: 'USD' }],
  ])('cannot be %s', (_what, amount) => {
    expect(toStripeAmount(amount)).toBeUndefined();
  });
});
