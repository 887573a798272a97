import {
  addDays,
  earned,
  entryId,
  evolveSchedule,
  firstDay,
  isOfSchedule,
  type JournalRow,
  lastDay,
  recognize,
  type Schedule,
  scheduleKey,
} from '#domain/bookkeeping';
import type { Instant } from '#domain/event';

/** An entry of earned money, with the schedule that it follows from. */
export interface ExplainedRecognition {
  readonly row: JournalRow;
  /** The entry that began the schedule. */
  readonly origin: JournalRow;
  /** The entries that put money into it, or took some out. */
  readonly entries: readonly string[];
  /** Earned before the period, and by its end. */
  readonly beforeMinor: bigint;
  readonly untilMinor: bigint;
}

/**
 * Computes a recognition of a payment by its id, `<event id>#1/2026-01`; that of a closed month is among the rows.
 *
 * @param rows of the payment, in the order of the books. @returns undefined where nothing was earned so.
 */
export function findRecognition(
  entry: string,
  rows: readonly JournalRow[],
  bookedAt: Instant,
): ExplainedRecognition | undefined {
  const period = entry.slice(entry.lastIndexOf('/') + 1);
  const schedules = new Map<string, { schedule: Schedule; entries: string[] }>();
  for (const row of rows) {
    if (!isOfSchedule(row)) continue;
    const before = schedules.get(scheduleKey(row));
    // Entries of later months change nothing of it.
    const added = row.period > period ? [] : [entryId(row)];
    const entries = [...(before?.entries ?? []), ...added];
    const schedule = evolveSchedule(before?.schedule, row);
    schedules.set(scheduleKey(row), { schedule, entries });
  }
  for (const { schedule, entries } of schedules.values()) {
    const found = recognize([schedule], { period, bookedAt }).find((row) => entryId(row) === entry);
    if (found === undefined) continue;
    const untilMinor = earned(schedule, lastDay(period));
    const beforeMinor = earned(schedule, addDays(firstDay(period), -1));
    const row = rows.find((each) => entryId(each) === entry) ?? found;
    return { row, origin: schedule.origin, entries, beforeMinor, untilMinor };
  }
  return undefined;
}
