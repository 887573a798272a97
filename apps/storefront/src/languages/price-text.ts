import { LRUCache } from 'lru-cache';
import { decimalsOf, type Money, toMajor } from '#domain/money';

/** To make one takes longer than all else of a price; there are few currencies, and the locales are those of pages. */
const FORMATS_KEPT = 500;
const formats = new LRUCache<string, Intl.NumberFormat>({ max: FORMATS_KEPT });

/**
 * A price as it is written in a locale: `$9.99`, `9,99 €`, with as many decimals as ISO 4217 gives the
 * currency; CLDR's numbers of decimals differ from those (rules/prices 6).
 */
export function formatPrice(price: Money, locale: string): string {
  const { currency } = price;
  const key = `${currency} ${locale}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = createFormat(currency, locale);
    formats.set(key, format);
  }
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
