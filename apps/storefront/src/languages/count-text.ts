import { keepUpTo } from './keep-up-to.js';

/** One for each locale of pages. */
const FORMATS_KEPT = 200;
const keep = keepUpTo<Intl.NumberFormat>(FORMATS_KEPT);

/** A whole number as it is written in a locale. */
export function formatCount(count: number, locale: string): string {
  return keep(locale, () => new Intl.NumberFormat(locale)).format(count);
}
