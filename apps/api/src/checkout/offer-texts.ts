import type { Period } from '#domain/calendar';
import { decimalsOf, type Money, toMajor } from '#domain/money';

/** `$9.99`, with as many decimals as the currency has (decisions 1). */
export function priceText(price: Money): string {
  const digits = decimalsOf(price.currency);
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: price.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // The decimal string is formatted exactly; the type of format() does not know of strings yet.
  return format.format(toMajor(price) as unknown as number);
}

/** `every month`, `every 3 months` */
export function perPeriodText({ value, unit }: Period): string {
  return value === 1 ? `every ${unit}` : `every ${value} ${unit}s`;
}

/** `one week`, `14 days` */
export function lengthText({ value, unit }: Period): string {
  return value === 1 ? `one ${unit}` : `${value} ${unit}s`;
}
