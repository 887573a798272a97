import { decimalsOf } from '../money/index.js';
import { localeOfCountry } from './country.js';

const formatters = new Map<string, Intl.NumberFormat>();

/**
 * The amount as the people of a country write it: CLDR's currency pattern of the likely locale, the
 * narrow symbol, and as many digits as ISO 4217 gives the currency (decisions 9). The text follows
 * the ICU release of the runtime and is for people, never for programs.
 */
export function displayPrice(amountMinor: bigint, currency: string, country: string): string {
  const amount = toMajorText(amountMinor, decimalsOf(currency));
  return formatterOf(country, currency).format(amount);
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

/** Formatters cost 40 times a formatting; there are at most as many as countries and currencies. */
function formatterOf(country: string, currency: string): Intl.NumberFormat {
  const key = `${country} ${currency}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const decimals = decimalsOf(currency);
  // Without the second locale, one that ICU has no data for would show as the machine's own locale.
  const formatter = new Intl.NumberFormat([localeOfCountry(country), `en-${country}`], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  formatters.set(key, formatter);
  return formatter;
}
