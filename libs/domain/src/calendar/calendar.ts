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
  return printUpToLast(parse(anchor).plus({ [period.unit]: amount }));
}

/** Whether a period that begins at this instant ends with the year 9999 or before. */
export function fitsCalendar(start: Instant, period: Period): boolean {
  return addPeriods(start, period, 1) < LAST_INSTANT;
}

/** The instant that lies some milliseconds later. */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return printUpToLast(parse(instant).plus({ milliseconds }));
}

/** The instant that lies some hours later. */
export function addHours(instant: Instant, hours: number): Instant {
  return addMilliseconds(instant, hours * HOUR_MS);
}

/** The later one of two instants. */
export function laterInstant(left: Instant, right: Instant): Instant {
  return left > right ? left : right;
}

/** Milliseconds since the epoch. */
export function toMilliseconds(instant: Instant): number {
  return parse(instant).toMillis();
}

/** The instant of some milliseconds since the epoch. */
export function fromMilliseconds(milliseconds: number): Instant {
  return print(DateTime.fromMillis(milliseconds, { zone: 'utc' }));
}

/**
 * An RFC 3339 timestamp of any offset as an instant, or undefined where it is none: also for the hour
 * 24, which ISO 8601 has and RFC 3339 has not, and for years that are not of four digits in UTC.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const parsed = DateTime.fromISO(text, { zone: 'utc' });
  const isInCalendar = parsed.isValid && parsed.year >= 0 && parsed.year <= LAST_YEAR;
  return isInCalendar ? print(parsed) : undefined;
}

const HOUR_MS = 3_600_000;
const LAST_YEAR = 9999;
const RFC_3339 =
  /^\d{4}-\d\d-\d\d[Tt](?!24)\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function parse(instant: Instant): DateTime {
  return DateTime.fromISO(instant, { zone: 'utc' });
}

/** Sums beyond what luxon can count are beyond the last year all the more. */
function printUpToLast(sum: DateTime): Instant {
  return sum.isValid && sum.year <= LAST_YEAR ? print(sum) : LAST_INSTANT;
}

function print(time: DateTime): Instant {
  const text = time.toISO();
  if (text === null) throw new Error(`Not an instant: ${time.invalidExplanation ?? 'unknown'}`);
  return text;
}
