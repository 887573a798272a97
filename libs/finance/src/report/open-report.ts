import { type AccountingPeriod, dayAt, firstDay, periodAt, RULES } from '#domain/bookkeeping';
import { financeAggregate, findPolicy } from '#domain/finance';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import { findCheckpoint, type MakeCheckpoint } from './find-checkpoint.js';
import { PeriodBooks } from './period-books.js';
import type { ReportQuestion } from './question.js';
import type { WithBooks } from './read-books.js';
import { describeCheckpoint, type ReportHead } from './report-head.js';

/** The world of a report. */
export interface ReportSources {
  readonly app: FinanceApp;
  readonly withBooks: WithBooks;
  readonly seal: MakeCheckpoint;
}

/** A report that is ready to be printed. */
export interface OpenReport {
  readonly books: PeriodBooks;
  readonly head: ReportHead;
  /** The accounting zone of the period. */
  readonly zone: string;
}

/**
 * Opens the books for a report: the command line and the bookkeeper answer alike.
 *
 * @throws FinanceRefusal for a period that has not begun by the app's clock, or a checkpoint that is not there; Fault.
 */
export async function withReport<Result>(
  { app, withBooks, seal }: ReportSources,
  question: ReportQuestion,
  use: (report: OpenReport) => Promise<Result>,
): Promise<Result> {
  const { period, effectiveUntil, report, asOf } = question;
  const { appId, store } = app;
  const { environment } = app.context;
  const zone = await findZone(app, period);
  const upTo = await findCheckpoint(app, asOf, seal);
  return withBooks({ store, app: appId, environment, upTo }, async (read) => {
    const books = await PeriodBooks.open(read, { period, effectiveUntil });
    const checkpoint = describeCheckpoint(upTo, read.asOf);
    const about = { report, app: appId, environment, period, effectiveUntil };
    return use({ books, zone, head: { ...about, checkpoint, rules: RULES } });
  });
}

/** The accounting zone of a period. @throws FinanceRefusal for one that has not begun by the app's clock. */
export async function findZone(
  { appId, commands, context }: FinanceApp,
  period: AccountingPeriod,
): Promise<string> {
  const { state } = await commands.load(financeAggregate, appId);
  const { zone } = findPolicy(state, firstDay(period));
  const now = periodAt(dayAt(context.now, zone));
  if (period <= now) return zone;
  const message = `${period} has not begun: the app's clock is in ${now}.`;
  throw new FinanceRefusal('PERIOD_NOT_BEGUN', message);
}
