import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BooksKeeper, BooksLog, BooksReader } from '#books';
import type { JournalRow } from '#domain/bookkeeping';
import { newUuid } from '#platform';
import { sealNow, SealReader } from '#sealing';
import { SealedLedger } from '../sealing/support.js';
import { Purchases } from './purchases.js';

let ledger: SealedLedger;
let folder: string;
let purchases: Purchases;
beforeEach(async () => {
  ledger = await SealedLedger.start();
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-books-'));
  purchases = new Purchases(ledger.store);
});
afterEach(async () => {
  await ledger.remove();
  rmSync(folder, { recursive: true, force: true });
});

const seal = () => sealNow(ledger.sealing);
const readFiles = async () => [...(await new BooksLog(ledger.store).read()).files.values()];
/** It reads the books' log once, whatever there is to do. */
async function keep(): Promise<void> {
  const reads = vi.spyOn(ledger.store, 'readStream');
  const keeper = new BooksKeeper({ store: ledger.store, folder, intervalMs: 0 });
  await keeper.keep();
  keeper.end();
  expect(reads.mock.calls.filter(([stream]) => stream === 'books-files')).toHaveLength(1);
  reads.mockRestore();
}

/** The rows of the app up to a checkpoint or the last one, from its books or posted now. */
async function readRows({ size = 0, place = folder, openFrom = '' } = {}): Promise<JournalRow[]> {
  const { store } = ledger;
  const reader = new SealReader(store);
  const upTo = size === 0 ? await reader.findLast() : await reader.find(size);
  if (upTo === undefined) throw new Error('there is no checkpoint');
  const books = { store, folder: place, app: 'app_1', environment: 'test' as const, upTo };
  return BooksReader.with({ ...books, ...(openFrom && { openFrom }) }, async (rows) => {
    const all: JournalRow[] = [];
    for await (const row of rows.rows('true')) all.push(row);
    return all;
  });
}

/** Closes January as of a checkpoint. */
async function close(size: number): Promise<void> {
  const metadata = {
    ...{ $correlationId: newUuid(), actor: 'operator:ann', appId: 'app_1' },
    ...{ environment: 'test' as const, occurredAt: '2026-02-02T10:00:00.000Z' },
  };
  const data = {
    ...{ period: '2026-01', size, rules: 'rules.v1', policy: 0, reports: [], totals: [] },
    ...{ requestedBy: 'operator:ann', reason: 'Month end.', approvedBy: null },
  };
  const event = { id: newUuid(), type: 'finance.period_closed.v1', data, metadata };
  await ledger.store.append('finance-app_1', 'no_stream', [event]);
}

describe('entries between the checkpoint of a close and its event', () => {
  /** Bought and sealed, refunded in January and in the books, and then closed as of the first checkpoint. */
  async function closeBehind(): Promise<{ readonly closedAt: number; readonly before: number }> {
    await purchases.buyMonth('app_1', 'a');
    await purchases.buyMonth('app_1', 'b');
    const closedAt = (await seal())!.checkpoint.size;
    await keep();
    await purchases.refund('app_1', 'pay_a', '1000', '2026-01-31T10:00:00.000Z');
    const before = (await seal())!.checkpoint.size;
    await keep();
    await close(closedAt);
    await purchases.refund('app_1', 'pay_b', '1000', '2026-01-31T10:00:00.000Z');
    await seal();
    return { closedAt, before };
  }
  const booked = (rows: readonly JournalRow[]) =>
    rows
      .filter(({ account }) => account === 'assets:gateway-clearing')
      .map(({ payment, period, late }) => [payment, period, late]);
  const bought = ['pay_a', 'pay_b'].map((id) => [id, '2026-01', false]);
  const late = ['pay_a', 'pay_b'].map((id) => [id, '2026-02', true]);

  it('are late, in files that take the place of those that had them in time', async () => {
    await closeBehind();
    const old = await readFiles();
    const posted = await readRows();
    expect(booked(posted)).toEqual([...bought, ...late]);
    await keep();
    expect(booked(await readRows())).toEqual([...bought, ...late]);
    expect(await readRows()).toEqual(posted);
    expect(await readRows({ place: path.join(folder, 'nowhere') })).toEqual(posted);
    const files = await readFiles();
    expect(files.map(({ period }) => period)).toEqual(['2026-01', '2026-02']);
    // The purchases were in the first files, which the close has all of.
    expect(files[0]).toEqual(old[0]);
    expect(old.slice(1).every(({ path: one }) => !files.some((file) => file.path === one))).toBe(
      true,
    );
  });

  it('are in time as of the checkpoints before the event, whatever the files have', async () => {
    const { before, closedAt } = await closeBehind();
    const was = booked(await readRows({ size: before }));
    expect(was).toEqual([...bought, ['pay_a', '2026-01', false]]);
    await keep();
    expect(booked(await readRows({ size: before }))).toEqual(was);
    expect(booked(await readRows({ size: closedAt }))).toEqual(bought);
  });

  it('are the same for a bookkeeper that begins anew, and in files that are made again', async () => {
    await closeBehind();
    await keep();
    const [files, rows] = [await readFiles(), await readRows()];
    await purchases.buyMonth('app_1', 'c', '2026-02-10T10:00:00.000Z');
    await seal();
    await keep();
    rmSync(folder, { recursive: true });
    await keep();
    expect((await readFiles()).slice(0, files.length)).toEqual(files);
    expect((await readRows()).slice(0, rows.length)).toEqual(rows);
  });

  it('stay in time for an app that is asked as if it had closed nothing', async () => {
    await closeBehind();
    await keep();
    const rows = await readRows({ openFrom: '2026-01' });
    expect(booked(rows).map(([, period]) => period)).toEqual(Array(4).fill('2026-01'));
  });
});

describe('the files of a month', () => {
  it('become one when all apps have closed it, with the same rows', async () => {
    await purchases.buyMonth('app_1', 'a');
    await seal();
    await keep();
    await purchases.refund('app_1', 'pay_a', '1000', '2026-01-31T10:00:00.000Z');
    const { checkpoint } = (await seal())!;
    await keep();
    const [old, rows] = [await readFiles(), await readRows()];
    await close(checkpoint.size);
    await purchases.buyMonth('app_1', 'b', '2026-02-10T10:00:00.000Z');
    await seal();
    await keep();
    const january = (await readFiles()).filter(({ period }) => period === '2026-01');
    expect(january.map(({ rows: count }) => count)).toEqual([rows.length]);
    expect(old).toHaveLength(2);
    expect((await readRows()).slice(0, rows.length)).toEqual(rows);
    // A report may be reading the former ones.
    expect(old.map((file) => existsSync(path.join(folder, file.path)))).toEqual([true, true]);
    rmSync(folder, { recursive: true });
    await keep();
    expect((await readRows()).slice(0, rows.length)).toEqual(rows);
  });
});
