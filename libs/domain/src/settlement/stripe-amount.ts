import { decimalsOf } from '../money/index.js';
import { decimalsAtStripe } from './stripe-decimals.js';

/**
 * A signed amount of a report of Stripe's, in minor units of ISO 4217: major units with exactly the decimals that Stripe
 * gives the currency, a point, no marks of thousands. Other forms have two meanings.
 *
 * @returns the form that is meant, for one that is not taken.
 */
export function readStripeAmount(
  text: string,
  currency: string,
): { readonly minor: string } | { readonly wanted: string } {
  const decimals = decimalsAtStripe(currency);
  const example = decimals === 0 ? '980' : `9.${'90'.padEnd(decimals, '0').slice(0, decimals)}`;
  const wanted = `must be an amount of ${currency} with ${decimals} decimals, such as ${example}`;
  const [, sign = '', whole = '', fraction = ''] = AMOUNT.exec(text) ?? [];
  if (whole === '' || fraction.length !== decimals) return { wanted };
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(decimalsOf(currency));
  const unit = 10n ** BigInt(decimals);
  // Of the krona, Stripe counts hundredths, which there are none of.
  if (scaled % unit !== 0n) return { wanted: `must be a whole amount of ${currency}` };
  const minor = (scaled / unit).toString();
  return { minor: minor === '0' ? minor : `${sign}${minor}` };
}

/** The amount as such a report prints it. */
export function printStripeAmount(minor: bigint, currency: string): string {
  const decimals = decimalsAtStripe(currency);
  const scaled = (minor * 10n ** BigInt(decimals)) / 10n ** BigInt(decimalsOf(currency));
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    digits.slice(digits.length - decimals),
  ];
  return `${scaled < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${fraction}`}`;
}

const AMOUNT = /^(-?)(0|[1-9]\d{0,17})(?:\.(\d{1,3}))?$/;
