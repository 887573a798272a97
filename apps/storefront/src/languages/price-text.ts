import { decimalsOf, type Money, toMajor } from '#domain/money';
import { keepUpTo } from './keep-up-to.js';

/** There are few currencies, and the locales are those of pages. */
const FORMATS_KEPT = 500;
const keep = keepUpTo<Intl.NumberFormat>(FORMATS_KEPT);

/**
 * A price as it is written in a locale: `$9.99`, `9,99 €`, with as many decimals as ISO 4217 gives the
 * currency; CLDR's numbers of decimals differ from those (rules/prices 6).
 */
export function formatPrice(price: Money, locale: string): string {
  const { currency } = price;
  const format = keep(`${currency} ${locale}`, () => createFormat(currency, locale));
  // The decimal string is formatted exactly; the type of format() does not know of strings yet.
  return format.format(toMajor(price) as unknown as number);
}

function createFormat(currency: string, locale: string): Intl.NumberFormat {
  const digits = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
