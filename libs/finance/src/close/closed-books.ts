import { type AccountingPeriod, lastDay, RULES } from '#domain/bookkeeping';
import type { CloseFigures } from '#domain/finance';
import type { FinanceApp } from '../finance-app.js';
import { PeriodBooks } from '../report/period-books.js';
import { sumTotals, toJsonTotal } from '../report/control-totals.js';
import type { BooksReading, WithBooks } from '../report/read-books.js';
import { describeCheckpoint, type ReportHead } from '../report/report-head.js';
import { hashReports } from './closed-reports.js';

/** The books of a whole period up to a checkpoint. */
export interface CloseScope extends Pick<BooksReading, 'upTo' | 'openFrom'> {
  readonly app: FinanceApp;
  readonly period: AccountingPeriod;
}

/** Works on the books of a period. @throws Fault. */
export function withPeriod<Result>(
  { app, period, ...reading }: CloseScope,
  withBooks: WithBooks,
  use: (books: PeriodBooks) => Promise<Result>,
): Promise<Result> {
  const { appId, store, context } = app;
  const about = { store, app: appId, environment: context.environment };
  return withBooks({ ...about, ...reading }, async (reader) =>
    use(await PeriodBooks.open(reader, { period, effectiveUntil: lastDay(period) })),
  );
}

/**
 * The figures of a close.
 *
 * @param reports the names of those that are wanted; all without it. @throws as `printReport`.
 */
export async function computeFigures(
  books: PeriodBooks,
  { app, period, upTo }: CloseScope,
  reports?: readonly string[],
): Promise<CloseFigures> {
  const checkpoint = describeCheckpoint(upTo, books.books.asOf);
  const head: Omit<ReportHead, 'report'> = {
    ...{ app: app.appId, environment: app.context.environment, ...books.scope, rules: RULES },
    checkpoint,
  };
  const totals = await sumTotals(books);
  return {
    ...{ period, size: checkpoint.size, rules: RULES },
    reports: await hashReports(books, head, reports),
    totals: totals.map(toJsonTotal),
  };
}

/** The period of the app's first entry; null where it has none. */
export async function findFirstPeriod({ books }: PeriodBooks): Promise<AccountingPeriod | null> {
  const [row] = await books.all(`SELECT min("period") AS "first" FROM entries`);
  const first = row?.['first'];
  return typeof first === 'string' ? first : null;
}
