import { decimalsOf } from '../money/index.js';
import { localeOfCountry } from './country.js';

/** Writes an amount in minor units for people. */
export type PriceFormat = (amountMinor: bigint) => string;

/**
 * How the people of a country write amounts of a currency: CLDR's currency pattern of the likely
 * locale, the narrow symbol, and as many digits as ISO 4217 gives the currency (rules/prices 6). The
 * text follows the ICU release of the runtime and is for people, never for programs. Making a format
 * costs forty times as much as using it.
 */
export function createPriceFormat(country: string, currency: string): PriceFormat {
  const decimals = decimalsOf(currency);
  // Without the second locale, one that ICU has no data for would show as the machine's own locale.
  const format = new Intl.NumberFormat([localeOfCountry(country), `en-${country}`], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (amountMinor) => format.format(toMajorText(amountMinor, decimals));
}

/**
 * Minor units as a decimal text of major ones: 999 with two decimals is "9.99". As text, since
 * `Intl.NumberFormat` formats a text exactly and a number only as far as floating point reaches.
 */
export function toMajorText(amountMinor: bigint, decimals: number): `${number}` {
  const digits = amountMinor.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  // Digits, perhaps around a point, are a number's text; the compiler cannot see that.
  return text as `${number}`;
}
