import { type AccountingPeriod, lastDay, RULES } from '#domain/bookkeeping';
import type { Environment } from '#domain/event';
import type { CloseFigures } from '#domain/finance';
import { parseCheckpoint, parseNote } from '#seal';
import type { FoundCheckpoint } from '#sealing';
import type { FinanceApp } from '../finance-app.js';
import { PeriodBooks } from '../report/period-books.js';
import { sumTotals } from '../report/control-totals.js';
import type { ReadBooks } from '../report/read-books.js';
import type { ReportHead } from '../report/report-head.js';
import { hashReports } from './closed-reports.js';

/** The books of an app as closes read them. */
export interface CloseReading {
  readonly store: FinanceApp['store'];
  readonly app: string;
  readonly environment: Environment;
  readonly upTo: FoundCheckpoint;
  /** Whether all is posted from the log, and no file of the books is read. */
  readonly isFromLog?: boolean;
  /** As if this period and all later ones had not been closed. */
  readonly openFrom?: AccountingPeriod;
}

/** Opens the books for as long as the work on them lasts: `BooksReader.with` does. */
export type WithBooks = <Result>(
  reading: CloseReading,
  use: (books: ReadBooks) => Promise<Result>,
) => Promise<Result>;

/** The books of a whole period up to a checkpoint. */
export interface CloseScope extends Pick<CloseReading, 'upTo' | 'isFromLog' | 'openFrom'> {
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
  const { size, root, origin } = parseCheckpoint(parseNote(upTo.checkpoint.note).text);
  const head: Omit<ReportHead, 'report'> = {
    ...{ app: app.appId, environment: app.context.environment, ...books.scope, rules: RULES },
    checkpoint: { size, root: root.toString('base64'), origin, at: books.books.asOf },
  };
  const totals = await sumTotals(books);
  return {
    ...{ period, size, rules: RULES, reports: await hashReports(books, head, reports) },
    totals: totals.map(({ account, currency, debitMinor, creditMinor }) => ({
      ...{ account, currency },
      ...{ debitMinor: String(debitMinor), creditMinor: String(creditMinor) },
    })),
  };
}

/** The period of the app's first entry; null where it has none. */
export async function findFirstPeriod({ books }: PeriodBooks): Promise<AccountingPeriod | null> {
  const [row] = await books.all(`SELECT min("period") AS "first" FROM entries`);
  const first = row?.['first'];
  return typeof first === 'string' ? first : null;
}
