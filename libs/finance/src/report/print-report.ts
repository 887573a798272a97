import type { AccountNames } from '../accounts/account-names.js';
import type { ComputedReport, PrintOptions } from './computed-report.js';
import { findSummary } from './formats.js';
import { JournalReport } from './journal-report.js';
import type { PeriodBooks } from './period-books.js';
import { SummaryRows } from './summary-rows.js';

/** @throws Fault of the store, or `refused` for sums beyond 2^63. */
export async function computeReport(
  books: PeriodBooks,
  report: string,
  names?: AccountNames,
): Promise<ComputedReport> {
  const summary = findSummary(report);
  if (summary === undefined) return new JournalReport(books);
  return new SummaryRows(summary, await summary.compute(books), names);
}

/** A report as a text, in pieces. @throws as `computeReport`. */
export async function* printReport(
  books: PeriodBooks,
  options: PrintOptions,
): AsyncGenerator<string> {
  const report = await computeReport(books, options.head.report, options.names);
  yield* report.print(options);
}

/** Writes a report as Parquet to a new file. @throws as `computeReport`. */
export async function writeReportParquet(
  books: PeriodBooks,
  report: string,
  file: string,
): Promise<void> {
  const computed = await computeReport(books, report);
  await books.books.writeParquet(computed.select(), file);
}
