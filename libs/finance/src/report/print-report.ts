import { JOURNAL_COLUMNS, type JournalRow } from '#domain/bookkeeping';
import { writeJournalCsv } from '../csv/journal-csv.js';
import { writeJournal } from '../journals/write-journal.js';
import { gatherPieces } from '../pieces.js';
import type { AccountTotal } from '../totals.js';
import { findSummary, isJournalFormat, type ReportFormat } from './formats.js';
import { readJournal, readPlacedJournal, selectJournal } from './journal.js';
import type { PeriodBooks } from './period-books.js';
import { selectRows, toCells, toJson, toJsonRows, writeSummaryCsv } from './print-summary.js';
import { describeHead, type ReportHead } from './report-head.js';
import { sumRows } from './sums.js';

/** How a report becomes a text. */
export interface PrintOptions {
  readonly head: ReportHead;
  readonly format: ReportFormat;
  /** The accounting zone, whose days count. */
  readonly zone: string;
  /** Sets rows for a terminal. */
  readonly table: (head: readonly string[], rows: readonly (readonly string[])[]) => string;
}

/** A report as a text, in pieces. @throws Fault of the store, or `refused` for sums beyond 2^63. */
export function printReport(books: PeriodBooks, options: PrintOptions): AsyncGenerator<string> {
  return options.head.report === 'journal'
    ? printJournal(books, options)
    : printSummary(books, options);
}

/** Writes a report as Parquet to a new file. */
export async function writeReportParquet(
  books: PeriodBooks,
  report: string,
  file: string,
): Promise<void> {
  const summary = findSummary(report);
  const sql =
    summary === undefined
      ? selectJournal(books)
      : selectRows(summary, await summary.compute(books));
  await books.books.writeParquet(sql, file);
}

/** How many rows a report has. */
export async function countRows(books: PeriodBooks, report: string): Promise<number> {
  const summary = findSummary(report);
  if (summary !== undefined) return (await summary.compute(books)).length;
  const [row] = await books.books.all(
    `SELECT count(*) AS count FROM entries WHERE ${books.booked}`,
  );
  return Number(row?.['count'] ?? 0);
}

/** The control totals of a report: the debits and credits of its period. */
export async function sumTotals(books: PeriodBooks): Promise<AccountTotal[]> {
  const rows = await sumRows(books, {
    by: ['account', 'currency'],
    amounts: { debit: 'sum(debit_minor)', credit: 'sum(credit_minor)' },
    condition: books.booked,
    keepsZeros: true,
  });
  return rows.map((row) => ({
    ...{ account: String(row['account']), currency: String(row['currency']) },
    debitMinor: BigInt(row['debit_minor'] ?? 0),
    creditMinor: BigInt(row['credit_minor'] ?? 0),
  }));
}

async function* printSummary(
  books: PeriodBooks,
  { head, format, table }: PrintOptions,
): AsyncGenerator<string> {
  const summary = findSummary(head.report);
  if (summary === undefined) throw new RangeError(`there is no report ${head.report}`);
  const rows = await summary.compute(books);
  if (format === 'csv') yield* writeSummaryCsv(summary, rows);
  else if (format === 'json') {
    yield `${JSON.stringify({ ...head, rows: toJsonRows(summary, rows) })}\n`;
  } else {
    const names = summary.columns.map(({ name }) => name.toUpperCase());
    yield `${describeHead(head)}\n${table(names, toCells(summary, rows))}\n`;
  }
}

async function* printJournal(
  books: PeriodBooks,
  { head, format, zone, table }: PrintOptions,
): AsyncGenerator<string> {
  if (isJournalFormat(format)) {
    const totals = await sumTotals(books);
    yield* writeJournal(format, readPlacedJournal(books, zone), { zone, totals });
  } else if (format === 'csv') yield* writeJournalCsv(readJournal(books));
  else if (format === 'json') yield* gatherPieces(printJson(head, readJournal(books)));
  else {
    const rows: string[][] = [];
    for await (const row of readJournal(books)) rows.push(toShown(row));
    yield `${describeHead(head)}\n${table(
      SHOWN.map((name) => name.toUpperCase()),
      rows,
    )}\n`;
  }
}

/** The columns of an entry on a terminal. */
const SHOWN = ['entry', 'effective_on', 'account', 'amount', 'currency', 'rule', 'payment'];
const SHOWN_COLUMNS = SHOWN.flatMap((name) => JOURNAL_COLUMNS.filter((one) => one.name === name));

function toShown(row: JournalRow): string[] {
  return SHOWN_COLUMNS.map(({ value }) => String(value(row) ?? ''));
}

/** One entry a line: a journal may have millions of them. */
async function* printJson(
  head: ReportHead,
  rows: AsyncIterable<JournalRow>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  let before = '\n';
  for await (const row of rows) {
    const cells = JOURNAL_COLUMNS.map(({ name, value }) => [name, toJson(value(row))]);
    yield `${before}${JSON.stringify(Object.fromEntries(cells))}`;
    before = ',\n';
  }
  yield '\n]}\n';
}
