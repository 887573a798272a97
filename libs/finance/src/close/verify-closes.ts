import { type AccountingPeriod, lastDay } from '#domain/bookkeeping';
import { financeAggregate, type PeriodClosed } from '#domain/finance';
import { type FoundCheckpoint, SealReader } from '#sealing';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import { PeriodBooks } from '../report/period-books.js';
import type { ReadBooks, WithBooks } from '../report/read-books.js';
import { computeFigures } from './closed-books.js';
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

/** The closes that are to be verified. */
export type WantedCloses = { readonly period: AccountingPeriod } | 'last' | 'all';

/**
 * Computes the reports of closes from the log, which is read once for all of them, and never from the books, and compares
 * their bytes.
 *
 * @param onProgress gets the share that is verified.
 * @throws FinanceRefusal for a period that is not closed; Fault.
 */
export async function verifyCloses(
  app: FinanceApp,
  wanted: WantedCloses,
  withBooks: WithBooks,
  onProgress: (share: number) => void = () => undefined,
): Promise<readonly VerifiedClose[]> {
  const closes = await findCloses(app, wanted);
  const ends = await findCheckpoints(app, closes);
  const last = ends.get(Math.max(...ends.keys()));
  if (last === undefined) return closes.map(lackCheckpoint);
  const { appId, store, context } = app;
  const reading = { store, app: appId, environment: context.environment, isFromLog: true };
  return withBooks({ ...reading, upTo: last }, async (books) => {
    const verified: VerifiedClose[] = [];
    for (const close of closes) {
      const upTo = ends.get(close.size);
      verified.push(
        upTo === undefined ? lackCheckpoint(close) : await verify({ app, close, upTo }, books),
      );
      onProgress(verified.length / closes.length);
    }
    return verified;
  });
}

async function findCloses(app: FinanceApp, wanted: WantedCloses): Promise<readonly Close[]> {
  if (typeof wanted === 'object') return [await requireClose(app, wanted.period)];
  const closes = await readCloses(app);
  if (closes.length > 0) return wanted === 'all' ? closes : closes.slice(-1);
  throw new FinanceRefusal('PERIOD_OPEN', `${app.appId} has closed no period.`);
}

/** The checkpoints of closes that are there, by their sizes. */
async function findCheckpoints({ store }: FinanceApp, closes: readonly Close[]) {
  const reader = new SealReader(store);
  const found = new Map<number, FoundCheckpoint>();
  for (const { size } of closes) {
    const checkpoint = await reader.find(size);
    if (checkpoint !== undefined) found.set(size, checkpoint);
  }
  return found;
}

function lackCheckpoint({ period, size }: Close): VerifiedClose {
  const missing = { part: 'checkpoint', closed: `size ${size}`, computed: '' };
  return { period, size, differences: [missing] };
}

interface VerifiedScope {
  readonly app: FinanceApp;
  readonly close: Close;
  readonly upTo: FoundCheckpoint;
}

async function verify({ app, close, upTo }: VerifiedScope, all: ReadBooks): Promise<VerifiedClose> {
  const { period, size, reports } = close;
  const scope = { period, effectiveUntil: lastDay(period) };
  const books = await PeriodBooks.open(await all.upToClose(upTo), scope);
  const names = reports.map(({ name }) => name);
  const computed = await computeFigures(books, { app, period, upTo }, names);
  return { period, size, differences: compareClose(close, computed) };
}
