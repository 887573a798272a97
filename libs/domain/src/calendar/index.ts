import { DateTime, Settings } from 'luxon';
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
 * Dates end with the year 9999 (rules/api 7): instants are compared as texts, and a year of five digits would come
 * before all others. Later results are clamped to this instant.
 */
export const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999Z';

/** Nothing here is written in a language. Luxon asks ICU for the machine's else, which loads it (decision 0002). */
Settings.defaultLocale = 'en';

const UTC = { zone: 'utc' };

/**
 * The instant that lies `count` periods after the anchor. Always counted from the anchor, never from
 * the last date, so that the day of month is kept: 31 Jan, 28 Feb, 31 Mar (rules/lifecycle 2).
 *
 * @param billingDay the day of month that is meant where the anchor is the last day of a month that is too short for
 *   it: 31 of an anchor on 28 February.
 */
export function addPeriods(
  anchor: Instant,
  period: Period,
  count: number,
  billingDay = 0,
): Instant {
  const amount = period.value * count;
  const start = DateTime.fromMillis(toMilliseconds(anchor), UTC);
  const end = start.plus({ [period.unit]: amount });
  const isMeant = start.day === start.daysInMonth && billingDay > start.day;
  if (!isMeant || !hasBillingDay(period)) return printUpToLast(end.toMillis());
  return printUpToLast(end.set({ day: Math.min(billingDay, end.daysInMonth ?? 0) }).toMillis());
}

/** Whether periods of this length begin on one day of the month, as those of days and weeks do not. */
function hasBillingDay({ unit }: Period): boolean {
  return unit === 'month' || unit === 'year';
}

/**
 * The day of month that a period's end stands for. Months and years keep that of the first anchor; days and weeks have
 * none, and the next period is counted from their end (rules/lifecycle 2).
 */
export function billingDayAt(end: Instant, period: Period, before: number): number {
  return hasBillingDay(period) ? before : dayOfMonth(end);
}

/** The day of month of an instant, counted from 1. */
export function dayOfMonth(instant: Instant): number {
  return Number(instant.slice(DAY_START, DAY_END));
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

/** The earlier of the two. */
export function earlierInstant(left: Instant, right: Instant): Instant {
  return left < right ? left : right;
}

/** Milliseconds since the epoch. Plain instants need no library, and a replay reads millions of them. */
export function toMilliseconds(instant: Instant): number {
  return Date.parse(instant);
}

/**
 * The instant of some milliseconds since the epoch. A page of payments has a hundred instants, so this remembers days
 * and looks up the rest, five times as fast as `toISOString`.
 *
 * @throws RangeError for an invalid instant.
 */
export function fromMilliseconds(milliseconds: number): Instant {
  if (!Number.isInteger(milliseconds)) return new Date(milliseconds).toISOString();
  const day = Math.floor(milliseconds / DAY_MS);
  const ofDay = milliseconds - day * DAY_MS;
  const minute = Math.floor(ofDay / MINUTE_MS);
  const ofMinute = ofDay - minute * MINUTE_MS;
  const second = Math.floor(ofMinute / SECOND_MS);
  return `${printDay(day)}${MINUTES[minute]}${SECONDS[second]}${FRACTIONS[ofMinute - second * SECOND_MS]}`;
}

/** The date with the T behind it. @throws RangeError for a day that no instant has. */
function printDay(day: number): string {
  const known = printedDays.get(day);
  if (known !== undefined) return known;
  const printed = new Date(day * DAY_MS).toISOString().slice(0, -TIME_LENGTH);
  if (printedDays.size >= REMEMBERED_DAYS) printedDays.clear();
  printedDays.set(day, printed);
  return printed;
}

/**
 * An RFC 3339 timestamp of any offset as an instant, or undefined where it is none: also for the hour
 * 24, which ISO 8601 has and RFC 3339 has not, and for years that are not of four digits in UTC.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const parsed = DateTime.fromISO(text, UTC);
  const isInCalendar = parsed.isValid && parsed.year >= 0 && parsed.year <= LAST_YEAR;
  return isInCalendar ? fromMilliseconds(parsed.toMillis()) : undefined;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The index of the day of month in an instant. */
const DAY_START = '2027-01-'.length;
const DAY_END = '2027-01-31'.length;
const TIME_LENGTH = '10:00:00.000Z'.length;
/** Ten years of them. */
const REMEMBERED_DAYS = 4_096;
const printedDays = new Map<number, string>();
const print = (count: number, width: number) => String(count).padStart(width, '0');
/** Each minute of a day, each second of a minute and each millisecond of a second, as instants have them. */
const MINUTES = Array.from({ length: 1_440 }, (_, minute) => {
  return `${print(Math.floor(minute / 60), 2)}:${print(minute % 60, 2)}:`;
});
const SECONDS = Array.from({ length: 60 }, (_, second) => `${print(second, 2)}.`);
const FRACTIONS = Array.from({ length: 1_000 }, (_, fraction) => `${print(fraction, 3)}Z`);
const LAST_YEAR = 9999;
const LAST_MS = Date.parse(LAST_INSTANT);
const RFC_3339 =
  /^\d{4}-\d\d-\d\d[Tt](?!24)\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Sums that overflow to NaN are beyond the last year all the more. */
function printUpToLast(milliseconds: number): Instant {
  return milliseconds <= LAST_MS ? fromMilliseconds(milliseconds) : LAST_INSTANT;
}
