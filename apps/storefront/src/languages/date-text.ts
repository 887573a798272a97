import { LRUCache } from 'lru-cache';
import type { Instant } from '#domain/event';

/** As for prices: to make one takes far longer than to use it. */
const FORMATS_KEPT = 200;
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: FORMATS_KEPT });

/** The wall clock of the player is not known: times are of UTC, and say so. */
const STYLES = {
  day: { dateStyle: 'long', timeZone: 'UTC' },
  minute: { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** A moment as it is written in a locale, by its day or to the minute. */
export function formatMoment(at: Instant, locale: string, style: keyof typeof STYLES): string {
  const key = `${style} ${locale}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, STYLES[style]);
    formats.set(key, format);
  }
  return format.format(new Date(at));
}
