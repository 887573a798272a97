import {
  type AccountingPeriod,
  type Day,
  evolveSchedule,
  findEnd,
  type JournalRow,
  lastDay,
  nextPeriod,
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
    return `period <= '${this.scope.period}' AND ${this.#happened}`;
  }

  /** A condition for those of them that are booked in the period. */
  get booked(): string {
    return `${this.counted} AND period = '${this.scope.period}'`;
  }

  /** A condition for rows of days that count, whatever month they are booked in. */
  get #happened(): string {
    const { period, effectiveUntil } = this.scope;
    return effectiveUntil === lastDay(period) ? 'true' : `effective_on <= DATE '${effectiveUntil}'`;
  }

  /** The schedules of deferred money. */
  schedules(): AsyncGenerator<Schedule> {
    return this.#readSchedules(this.counted);
  }

  /** The schedules of one payment at a time, since there may be very many. */
  async *#readSchedules(condition: string): AsyncGenerator<Schedule> {
    const deferred = `${condition} AND ${IS_DEFERRED} AND NOT ${IS_RECOGNIZED}`;
    let payment: string | undefined;
    let open = new Map<string, Schedule>();
    for await (const row of this.books.rows(deferred, `payment, leaf, ${NUMBER}`)) {
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
    const { closedThrough } = this.books;
    // Those of a closed month stand at its last day: as of an earlier one they are others.
    const open = new Set(effectiveUntil < lastDay(last) ? [last] : []);
    if (closedThrough >= last) return open;
    const [found] = await this.books.all(
      `SELECT min(period) AS first FROM entries WHERE period <= '${last}' AND ${IS_DEFERRED}`,
    );
    const first = found?.['first'];
    if (typeof first !== 'string') return new Set();
    const isClosed = closedThrough >= first;
    let at = isClosed ? nextPeriod(closedThrough) : first;
    for (; at <= last; at = nextPeriod(at)) open.add(at);
    return open;
  }

  async *#recognizeAll(open: ReadonlySet<AccountingPeriod>): AsyncGenerator<JournalRow> {
    const { period: last, effectiveUntil } = this.scope;
    const bookedAt = this.books.asOf;
    // Entries of later periods change nothing of it: as the recognitions of closed months, it follows from all of them.
    for await (const schedule of this.#readSchedules(this.#happened)) {
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
