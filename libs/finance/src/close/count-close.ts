import type { AccountingPeriod } from '#domain/bookkeeping';
import type { CloseFigures } from '#domain/finance';
import { findCheckpoint } from '../report/find-checkpoint.js';
import type { ReportSources } from '../report/open-report.js';
import { computeFigures, findFirstPeriod, withPeriod } from './closed-books.js';

/** The figures of a period that is to be closed. */
export interface CountedClose {
  readonly figures: CloseFigures;
  /** The period of the app's first entry; null where it has none. */
  readonly first: AccountingPeriod | null;
}

/** Makes a checkpoint, and counts a period up to it. @throws FinanceRefusal for a ledger without events; Fault. */
export async function countClose(
  { app, withBooks, seal }: ReportSources,
  period: AccountingPeriod,
): Promise<CountedClose> {
  const scope = { app, period, upTo: await findCheckpoint(app, 'now', seal) };
  return withPeriod(scope, withBooks, async (books) => ({
    figures: await computeFigures(books, scope),
    first: await findFirstPeriod(books),
  }));
}
