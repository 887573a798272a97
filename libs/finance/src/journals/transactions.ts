import type { Day, JournalRow } from '#domain/bookkeeping';
import { assertDefect } from '#platform';
import type { Rows } from '../pieces.js';
import { comparePlaces, createPlacer } from './journal-order.js';

/** The rows of one transaction: of one event, or its recognition for one period, at one day. */
export interface RowsOfTransaction {
  readonly day: Day;
  readonly rows: readonly [JournalRow, ...JournalRow[]];
}

/**
 * Gathers rows into transactions, one at a time.
 *
 * @param zone the accounting zone, whose days count.
 * @throws Defect where rows come in another order than that of `comparePlaces`, one comes twice, or test apps and
 *   production are mixed.
 */
export async function* gatherTransactions(
  rows: Rows<JournalRow>,
  zone: string,
): AsyncGenerator<RowsOfTransaction> {
  const place = createPlacer(zone);
  let before: ReturnType<typeof place> | undefined;
  let open: { day: Day; rows: [JournalRow, ...JournalRow[]] } | undefined;
  for await (const row of rows) {
    const placed = place(row);
    if (before !== undefined) {
      assertDefect(comparePlaces(before, placed) < 0, `rows are out of order: ${name(row)}`);
      const isOfOne = before.row.environment === row.environment;
      assertDefect(isOfOne, `test apps and production in one journal: ${name(row)}`);
    }
    before = placed;
    if (open === undefined) open = { day: placed.day, rows: [row] };
    else if (open.day === placed.day && isSameTransaction(open.rows[0], row)) open.rows.push(row);
    else {
      yield open;
      open = { day: placed.day, rows: [row] };
    }
  }
  if (open !== undefined) yield open;
}

function isSameTransaction(left: JournalRow, right: JournalRow): boolean {
  return (
    left.eventId === right.eventId &&
    left.recognized === right.recognized &&
    left.app === right.app &&
    left.leaf === right.leaf
  );
}

function name({ app, leaf, eventId, number }: JournalRow): string {
  return `${eventId}#${number} of ${app}, leaf ${leaf}`;
}
