import { compareRows, type Day, dayAt, type JournalRow } from '#domain/bookkeeping';
import type { Instant } from '#domain/event';

/** The day of the accounting zone at an instant. */
type FindDay = (instant: Instant) => Day;

/** The place of a row in a journal that is written as text. */
interface PlacedRow {
  /** Of its transaction. */
  readonly day: Day;
  readonly row: JournalRow;
}

/** Finds the places of rows; the days of a zone are kept from one row to the next, as checkpoints are few. */
export function createPlacer(zone: string): (row: JournalRow) => PlacedRow {
  const findDay = createDayFinder(zone);
  return (row) => ({ row, day: findTransactionDay(row, findDay) });
}

/**
 * By day, and within a day by booking number, recognised period and number: ledger checks a balance in the order of the
 * file, and the entries of one event have to stand together.
 */
export function comparePlaces(left: PlacedRow, right: PlacedRow): number {
  return (
    compare(left.day, right.day) ||
    compare(left.row.leaf, right.row.leaf) ||
    compare(left.row.app, right.row.app) ||
    compare(left.row.recognized, right.row.recognized) ||
    compareRows(left.row, right.row)
  );
}

/**
 * The day of its booking. A recognition is booked by the checkpoint by which it was computed, and stands not before its
 * effective day.
 */
function findTransactionDay(row: JournalRow, findDay: FindDay): Day {
  const booked = findDay(row.bookedAt);
  return row.recognized !== '' && row.effectiveOn > booked ? row.effectiveOn : booked;
}

function createDayFinder(zone: string): FindDay {
  let last: { readonly instant: Instant; readonly day: Day } | undefined;
  return (instant) => {
    if (last?.instant !== instant) last = { instant, day: dayAt(instant, zone) };
    return last.day;
  };
}

function compare<Value extends string | bigint>(left: Value, right: Value): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
