import { DateTime } from 'luxon';
import type { Instant } from '../event/index.js';

/** A billing or trial period as plans name it (rules/lifecycle 10). */
export interface Period {
  readonly value: number;
  readonly unit: PeriodUnit;
}

/** A stretch of time: from its start on, up to its end and without it. */
export interface Interval {
  readonly start: Instant;
  readonly end: Instant;
}

export const PERIOD_UNITS = ['day', 'week', 'month', 'year'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/**
 * Dates end with the year 9999 (rules/api 7): instants are compared as texts, and a year of five digits
 * would come before all others. What is computed beyond it is this instant.
 */
export const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999Z';

/**
 * The instant that lies `count` periods after the anchor. Always counted from the anchor, never from
 * the last date, so that the day of month is kept: 31 Jan, 28 Feb, 31 Mar (rules/lifecycle 2).
 */
export function addPeriods(anchor: Instant, period: Period, count: number): Instant {
  const amount = period.value * count;
  const start = DateTime.fromMillis(toMilliseconds(anchor), { zone: 'utc' });
  return printUpToLast(start.plus({ [period.unit]: amount }).toMillis());
}

/** Whether a period that begins at this instant ends with the year 9999 or before. */
export function fitsCalendar(start: Instant, period: Period): boolean {
  return addPeriods(start, period, 1) < LAST_INSTANT;
}

/** The instant that lies some milliseconds later. */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return printUpToLast(toMilliseconds(instant) + milliseconds);
}

/** The instant that lies some hours later. */
export function addHours(instant: Instant, hours: number): Instant {
  return addMilliseconds(instant, hours * HOUR_MS);
}

/** The later one of two instants. */
export function laterInstant(left: Instant, right: Instant): Instant {
  return left > right ? left : right;
}

/** Milliseconds since the epoch. Plain instants need no library, and a replay reads millions of them. */
export function toMilliseconds(instant: Instant): number {
  return Date.parse(instant);
}

/** The instant of some milliseconds since the epoch. @throws RangeError for what is none. */
export function fromMilliseconds(milliseconds: number): Instant {
  return new Date(milliseconds).toISOString();
}

/**
 * An RFC 3339 timestamp of any offset as an instant, or undefined where it is none: also for the hour
 * 24, which ISO 8601 has and RFC 3339 has not, and for years that are not of four digits in UTC.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const parsed = DateTime.fromISO(text, { zone: 'utc' });
  const isInCalendar = parsed.isValid && parsed.year >= 0 && parsed.year <= LAST_YEAR;
  return isInCalendar ? fromMilliseconds(parsed.toMillis()) : undefined;
}

const HOUR_MS = 3_600_000;
const LAST_YEAR = 9999;
const LAST_MS = Date.parse(LAST_INSTANT);
const RFC_3339 =
  /^\d{4}-\d\d-\d\d[Tt](?!24)\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Sums beyond what can be counted, which are no number, are beyond the last year all the more. */
function printUpToLast(milliseconds: number): Instant {
  return milliseconds <= LAST_MS ? fromMilliseconds(milliseconds) : LAST_INSTANT;
}
