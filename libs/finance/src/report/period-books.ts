import {
  type AccountingPeriod,
  type Day,
  evolveSchedule,
  firstDay,
  type JournalRow,
  lastDay,
  laterDay,
  nextPeriod,
  periodAt,
  recognize,
  type Schedule,
  scheduleKey,
} from '#domain/bookkeeping';
import type { ReadBooks } from './read-books.js';

/** The part of the books that a report is about. */
export interface ReportScope {
  readonly period: AccountingPeriod;
  /** Entries of later days are left out, and nothing is earned on them: a day of the period. */
  readonly effectiveUntil: Day;
}

/** A row is a recognition by its rule, of which there are few: entries are all different. */
export const IS_RECOGNIZED = "suffix(rule, '/recognized')";
/** The parts of an entry's id. */
export const NUMBER = "split_part(split_part(entry, '#', 2), '/', 1)::INTEGER";
export const RECOGNIZED = "split_part(entry, '/', 2)";
/** A row of money that was deferred. */
export const IS_DEFERRED = "account LIKE 'liabilities:deferred-%'";

/** The books of an app up to the end of a period, with the money that was earned until then (rules/finance 10). */
export class PeriodBooks {
  private constructor(
    readonly books: ReadBooks,
    readonly scope: ReportScope,
  ) {}

  /** Computes the recognitions that the books do not hold, and adds them. */
  static async open(books: ReadBooks, scope: ReportScope): Promise<PeriodBooks> {
    const opened = new PeriodBooks(books, scope);
    const open = await opened.#listOpen();
    if (open.size > 0) await books.add(opened.#recognizeAll(open));
    return opened;
  }

  /** A condition for the rows that count: none is effective behind the month in which it is booked. */
  get counted(): string {
    const { period, effectiveUntil } = this.scope;
    const isBooked = `period <= '${period}'`;
    if (effectiveUntil === lastDay(period)) return isBooked;
    return `${isBooked} AND effective_on <= DATE '${effectiveUntil}'`;
  }

  /** A condition for those of them that are booked in the period. */
  get booked(): string {
    return `${this.counted} AND period = '${this.scope.period}'`;
  }

  /** The schedules of deferred money: those of one payment at a time, since there may be very many. */
  async *schedules(): AsyncGenerator<Schedule> {
    const condition = `${this.counted} AND ${IS_DEFERRED} AND NOT ${IS_RECOGNIZED}`;
    let payment: string | undefined;
    let open = new Map<string, Schedule>();
    for await (const row of this.books.rows(condition, `payment, leaf, ${NUMBER}`)) {
      if (row.payment !== payment) {
        yield* open.values();
        open = new Map();
      }
      payment = row.payment;
      const key = scheduleKey(row);
      open.set(key, evolveSchedule(open.get(key), row));
    }
    yield* open.values();
  }

  /** The periods whose recognitions the books do not hold, from the first one with deferred money on. */
  async #listOpen(): Promise<ReadonlySet<AccountingPeriod>> {
    const { period: last, effectiveUntil } = this.scope;
    const found = await this.books.all(
      `SELECT period, bool_or(${IS_RECOGNIZED}) AS held FROM entries ` +
        `WHERE period <= '${last}' AND ${IS_DEFERRED} GROUP BY period ORDER BY period`,
    );
    const listed = found.map((row) => ({
      period: String(row['period']),
      held: row['held'] === true,
    }));
    const held = new Set(listed.filter((row) => row.held).map(({ period }) => period));
    // Those of a whole month stand at its last day.
    if (effectiveUntil < lastDay(last)) held.delete(last);
    const open = new Set<AccountingPeriod>();
    const first = listed[0]?.period ?? nextPeriod(last);
    for (let at = first; at <= last; at = nextPeriod(at)) if (!held.has(at)) open.add(at);
    return open;
  }

  async *#recognizeAll(open: ReadonlySet<AccountingPeriod>): AsyncGenerator<JournalRow> {
    const { period: last, effectiveUntil } = this.scope;
    const bookedAt = this.books.asOf;
    for await (const schedule of this.schedules()) {
      for (const period of listPeriods(schedule, last)) {
        if (!open.has(period)) continue;
        const until = period === last ? effectiveUntil : lastDay(period);
        yield* recognize([schedule], { period, until, bookedAt });
      }
    }
  }
}

/** The periods in which money of a schedule may be earned, up to one of them. */
function* listPeriods(schedule: Schedule, last: AccountingPeriod): Generator<AccountingPeriod> {
  const end = findEnd(schedule);
  for (let at = schedule.origin.period; at <= last && at <= end; at = nextPeriod(at)) yield at;
}

/** The last period in which money of a schedule may be earned: all of its rows have the same last day. */
export function findEnd({ origin, since }: Schedule): AccountingPeriod {
  const until = origin.coversUntil ?? origin.effectiveOn;
  return periodAt(laterDay(until, laterDay(since, firstDay(origin.period))));
}
