import { decimalsOf } from '../money/index.js';

/**
 * Where the decimals of an amount at Stripe are not ISO 4217's (https://docs.stripe.com/currencies, "Special
 * cases" and "Zero-decimal currencies"; rules/stripe 3).
 */
const DECIMALS_AT_STRIPE: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

/** The number of decimals that Stripe gives a currency. */
export function decimalsAtStripe(currency: string): number {
  return DECIMALS_AT_STRIPE.get(currency) ?? decimalsOf(currency);
}
