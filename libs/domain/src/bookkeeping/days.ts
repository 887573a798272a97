import { DateTime } from 'luxon';
import { toMilliseconds } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { AccountingPeriod, Day } from './journal-row.js';

/** Days and months of an app's accounting zone (rules/finance 5). Pure arithmetic over texts that sort. */

const DAY_MS = 86_400_000;
const DAY_LENGTH = '2026-01-31'.length;
const PERIOD_LENGTH = '2026-01'.length;

/** The day in a zone on which an instant is. @param zone of the IANA database; `UTC` needs no look at it. */
export function dayAt(instant: Instant, zone: string): Day {
  if (zone === 'UTC') return instant.slice(0, DAY_LENGTH);
  const local = DateTime.fromMillis(toMilliseconds(instant), { zone });
  if (!local.isValid) throw new Error(`${instant} is on no day of the zone ${zone}`);
  return local.toISODate();
}

/** The month of a day. */
export function periodAt(day: Day): AccountingPeriod {
  return day.slice(0, PERIOD_LENGTH);
}

export function firstDay(period: AccountingPeriod): Day {
  return `${period}-01`;
}

export function lastDay(period: AccountingPeriod): Day {
  return addDays(firstDay(nextPeriod(period)), -1);
}

export function nextPeriod(period: AccountingPeriod): AccountingPeriod {
  // No month has more days than that, and none so few that two begin within them.
  return periodAt(addDays(firstDay(period), 31));
}

/** How many days begin from one day on, up to another and without it; below zero where that one is before. */
export function daysBetween(from: Day, until: Day): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS;
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, DAY_LENGTH);
}

/** The later of two days. */
export function laterDay(left: Day, right: Day): Day {
  return left > right ? left : right;
}

/** The month in which an entry is booked. */
export interface Booking {
  readonly period: AccountingPeriod;
  /** Whether the month in which it happened was closed before. */
  readonly late: boolean;
  /** From which day on it counts: when it happened, or else the first day that was open. */
  readonly since: Day;
}

/**
 * Where an entry is booked: in the month in which it happened, or in the first open one (rules/finance 5).
 *
 * @param closedThrough the last closed month; empty where none is.
 */
export function bookOn(effectiveOn: Day, closedThrough: AccountingPeriod): Booking {
  const happened = periodAt(effectiveOn);
  if (happened > closedThrough) return { period: happened, late: false, since: effectiveOn };
  const period = nextPeriod(closedThrough);
  return { period, late: true, since: firstDay(period) };
}
