import { DateTime } from 'luxon';
import type { Day, JournalRow } from '#domain/bookkeeping';
import { createPlacer } from '../journals/journal-order.js';
import { IS_RECOGNIZED, NUMBER, type PeriodBooks, RECOGNIZED } from './period-books.js';

/** The entries of a period, in the order of the books. */
export function readJournal({ books, booked }: PeriodBooks): AsyncGenerator<JournalRow> {
  return books.rows(booked, books.periodOrder);
}

/** The entries of a period in the order of journals as text (`comparePlaces`). */
export async function* readPlacedJournal(
  { books, booked }: PeriodBooks,
  zone: string,
): AsyncGenerator<JournalRow> {
  const recognition = await readOne(books.rows(`${booked} AND ${IS_RECOGNIZED}`));
  // Days of bookings follow leaves. Recognitions all have one day, and no entry is of a later one.
  const day = recognition === undefined ? undefined : createPlacer(zone)(recognition).day;
  const isOfDay = day === undefined ? 'false' : `booked_at >= ${printStart(day, zone)}`;
  yield* books.rows(booked, `(${IS_RECOGNIZED} OR ${isOfDay}), leaf, ${RECOGNIZED}, ${NUMBER}`);
}

async function readOne(rows: AsyncIterable<JournalRow>): Promise<JournalRow | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

/** The moment at which a day begins in a zone. */
function printStart(day: Day, zone: string): string {
  const start = DateTime.fromISO(day, { zone });
  return `make_timestamptz(${start.toMillis()} * 1000)`;
}

/** A statement for the entries as Parquet, in the order of the books. */
export function selectJournal({ booked, books: { periodOrder } }: PeriodBooks): string {
  const sorted = periodOrder === '' ? '' : ` ORDER BY ${periodOrder}`;
  return `SELECT * EXCLUDE (environment, period) FROM entries WHERE ${booked}${sorted}`;
}
