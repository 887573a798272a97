import { financeAggregate, type PeriodClosed } from '#domain/finance';
import { SealReader } from '#sealing';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import type { WithBooks } from '../report/read-books.js';
import { computeFigures, withPeriod } from './closed-books.js';
import { type CloseDifference, compareClose } from './compare-close.js';

type Close = PeriodClosed['data'];

/** A close that was computed anew from the log. */
export interface VerifiedClose {
  readonly period: string;
  readonly size: number;
  readonly differences: readonly CloseDifference[];
}

/** The closes of an app in their order, as their events have them. @throws Fault. */
export async function readCloses({ appId, store }: FinanceApp): Promise<readonly Close[]> {
  const closes: Close[] = [];
  for await (const { type, data } of store.readStream(`${financeAggregate.category}-${appId}`)) {
    // The stream's events are acts of finance.
    if (type === 'finance.period_closed.v1') closes.push(data as Close);
  }
  return closes;
}

/** The close of a period. @throws FinanceRefusal for an open one; Fault. */
export async function requireClose(app: FinanceApp, period: string): Promise<Close> {
  const close = (await readCloses(app)).find((one) => one.period === period);
  if (close !== undefined) return close;
  throw new FinanceRefusal('PERIOD_OPEN', `${period} is not closed.`);
}

/** Computes the reports of a close from the log, and never from the books, and compares their bytes. @throws Fault. */
export async function verifyClose(
  app: FinanceApp,
  close: Close,
  withBooks: WithBooks,
): Promise<VerifiedClose> {
  const { period, size, reports } = close;
  const upTo = await new SealReader(app.store).find(size);
  if (upTo === undefined) {
    const missing = { part: 'checkpoint', closed: `size ${size}`, computed: '' };
    return { period, size, differences: [missing] };
  }
  const scope = { app, period, upTo, isFromLog: true };
  const names = reports.map(({ name }) => name);
  const computed = await withPeriod(scope, withBooks, (books) =>
    computeFigures(books, scope, names),
  );
  return { period, size, differences: compareClose(close, computed) };
}
