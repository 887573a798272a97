import type { Instant } from '#domain/event';
import { keepUpTo } from './keep-up-to.js';

const FORMATS_KEPT = 200;
const keep = keepUpTo<Intl.DateTimeFormat>(FORMATS_KEPT);

/** The wall clock of the player is not known: times are of UTC, and say so. */
const STYLES = {
  day: { dateStyle: 'long', timeZone: 'UTC' },
  minute: { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** A moment as it is written in a locale, by its day or to the minute. */
export function formatMoment(at: Instant, locale: string, style: keyof typeof STYLES): string {
  const make = () => new Intl.DateTimeFormat(locale, STYLES[style]);
  const format = keep(`${style} ${locale}`, make);
  return format.format(new Date(at));
}
