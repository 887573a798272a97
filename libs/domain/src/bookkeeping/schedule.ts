import { prorateMinor } from '../money/index.js';
import { isDeferred } from './accounts.js';
import { addDays, daysBetween, firstDay, laterDay, periodAt } from './days.js';
import type { AccountingPeriod, Day, JournalRow } from './journal-row.js';

/**
 * Money that is earned day by day (rules/finance 3). A schedule is folded from the rows of its payment on a deferred
 * account, whether they were posted just now or read back from the books.
 */
export interface Schedule {
  /** The row that began it. Its recognitions are named by that. */
  readonly origin: JournalRow;
  readonly parts: readonly Part[];
  /** The day of its last row: no later row counts from before it, so that earned days stay as they were. */
  readonly since: Day;
}

/** An amount in minor units, maybe below zero, that is earned evenly over days. */
interface Part {
  readonly amountMinor: bigint;
  readonly from: Day;
  /** The day behind the last one. */
  readonly until: Day;
  /** Nothing of it counts before: the share of earlier days is earned on this one. */
  readonly since: Day;
  /** From this day on nothing more of it is earned: another part has its rest. Null where there is none. */
  readonly stop: Day | null;
}

/** Rules of rows that take money out of a deferred account end so; all others put some in (rules/finance 2). */
export const TAKEN = '/taken';

/** Rows of one schedule have the same key, and no others. */
export function scheduleKey(row: JournalRow): string {
  const { payment, account, plan, itemClass, coversUntil } = row;
  return JSON.stringify([payment, account, plan, itemClass, coversUntil]);
}

/** Whether a row is of a schedule; a recognition is computed from one. */
export function isOfSchedule({ account, recognized }: JournalRow): boolean {
  return isDeferred(account) && recognized === '';
}

/** Folds one row. Rows come in the order of their leaves and numbers. */
export function evolveSchedule(schedule: Schedule | undefined, row: JournalRow): Schedule {
  const { origin, parts, since: before } = schedule ?? { origin: row, parts: [], since: '' };
  const since = laterDay(laterDay(row.effectiveOn, firstDay(row.period)), before);
  if (row.rule.endsWith(TAKEN)) {
    return { origin, parts: take(parts, -signed(row), since), since };
  }
  const { coversFrom, coversUntil } = row;
  if (coversFrom === null || coversUntil === null) {
    throw new Error(`${row.eventId}#${row.number} defers money over no time`);
  }
  const part = { amountMinor: signed(row), from: coversFrom, until: coversUntil, since };
  return { origin, parts: [...parts, { ...part, stop: null }], since };
}

/** A credit is money that is owed to the player. */
function signed({ side, amountMinor }: JournalRow): bigint {
  return side === 'credit' ? amountMinor : -amountMinor;
}

/** From the day on, the rest of all parts, less the amount, is earned over the days that are left. */
function take(parts: readonly Part[], amountMinor: bigint, at: Day): readonly Part[] {
  const running = parts.filter(({ stop }) => stop === null);
  const stopped = parts.map((part) => (part.stop === null ? { ...part, stop: at } : part));
  const left = running.reduce((sum, part) => sum + countRemaining(part, at), 0n) - amountMinor;
  const [begins = at] = running.map(({ from }) => from).sort();
  const until = running.map((part) => part.until).reduce(laterDay, at);
  const rest = { amountMinor: left, from: laterDay(at, begins), until, since: at, stop: null };
  return [...stopped, rest];
}

/** The money that is earned by the end of a day. */
export function earned({ parts }: Schedule, day: Day): bigint {
  return parts.reduce((sum, part) => sum + (day < part.since ? 0n : earnedPart(part, day)), 0n);
}

/** The money that is not earned yet when a day begins: as much can be taken then. */
export function unearned({ parts, since }: Schedule, day: Day): bigint {
  const at = laterDay(day, since);
  return parts.reduce((sum, part) => sum + countRemaining(part, at), 0n);
}

/** The last period in which money of a schedule may be earned: all of its rows have the same last day. */
export function findEnd({ origin, since }: Schedule): AccountingPeriod {
  const until = origin.coversUntil ?? origin.effectiveOn;
  return periodAt(laterDay(until, laterDay(since, firstDay(origin.period))));
}

/** The money that was deferred, less the money that was taken. */
export function deferredIn({ parts }: Schedule): bigint {
  return parts.reduce((sum, part) => {
    const { stop, amountMinor } = part;
    return sum + (stop === null ? amountMinor : earnedPart(part, addDays(stop, -1)));
  }, 0n);
}

/** Earlier days of a part that came late count as earned: they are over. */
function countRemaining(part: Part, at: Day): bigint {
  if (part.stop !== null) return 0n;
  return part.amountMinor - earnedPart(part, addDays(at, -1));
}

/** Cumulative: any prefix is right, and no day takes a rest. */
function earnedPart({ amountMinor, from, until, stop }: Part, day: Day): bigint {
  const days = daysBetween(from, until);
  const end = stop !== null && stop <= day ? stop : addDays(day, 1);
  const elapsed = daysBetween(from, end);
  if (days <= 0 || elapsed >= days) return amountMinor;
  return elapsed <= 0 ? 0n : prorateMinor(amountMinor, BigInt(elapsed), BigInt(days));
}
