import { decimalsOf, type Money, toMajor } from '#domain/money';

/**
 * A price as it is written in a locale: `$9.99`, `9,99 €`, with as many decimals as ISO 4217 gives the
 * currency; CLDR's numbers of decimals differ from those (rules/prices 6).
 */
export function formatPrice(price: Money, locale: string): string {
  const digits = decimalsOf(price.currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: price.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // The decimal string is formatted exactly; the type of format() does not know of strings yet.
  return format.format(toMajor(price) as unknown as number);
}
