import { DateTime } from 'luxon';
import type { Instant } from '../fact/index.js';

/** A billing or trial period as plans name it (interface 2.4). */
export interface Period {
  readonly value: number;
  readonly unit: PeriodUnit;
}

export const PERIOD_UNITS = ['day', 'week', 'month', 'year'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/**
 * The instant that lies `count` periods after the anchor. Always counted from the anchor, never from
 * the last date, so that the day of month is kept: 31 Jan, 28 Feb, 31 Mar (decisions 6, "Dates").
 */
export function addPeriods(anchor: Instant, period: Period, count: number): Instant {
  const amount = period.value * count;
  return print(parse(anchor).plus({ [period.unit]: amount }));
}

/** The instant that lies some milliseconds later. */
export function addMilliseconds(instant: Instant, milliseconds: number): Instant {
  return print(parse(instant).plus({ milliseconds }));
}

/** The later one of two instants. */
export function laterOf(left: Instant, right: Instant): Instant {
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

/** An RFC 3339 timestamp of any offset as an instant, or undefined where it is none. */
export function parseInstant(text: string): Instant | undefined {
  const parsed = DateTime.fromISO(text, { zone: 'utc' });
  return RFC_3339.test(text) && parsed.isValid ? print(parsed) : undefined;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

function parse(instant: Instant): DateTime {
  return DateTime.fromISO(instant, { zone: 'utc' });
}

function print(time: DateTime): Instant {
  const text = time.toISO();
  if (text === null) throw new Error(`Not an instant: ${time.invalidExplanation ?? 'unknown'}`);
  return text;
}
