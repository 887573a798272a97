import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BookFile, BooksKeeper, BooksLog, BooksReader } from '#books';
import type { JournalRow } from '#domain/bookkeeping';
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
/** By their periods and leaves. */
async function readFiles(): Promise<BookFile[]> {
  const { files } = await new BooksLog(ledger.store).read();
  return [...files.keys()].sort().flatMap((name) => files.get(name) ?? []);
}

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
async function readRows({ size = 0, place = folder, openFrom = '', app = 'app_1' } = {}): Promise<
  JournalRow[]
> {
  const { store } = ledger;
  const reader = new SealReader(store);
  const upTo = size === 0 ? await reader.findLast() : await reader.find(size);
  if (upTo === undefined) throw new Error('there is no checkpoint');
  const books = { store, folder: place, app, environment: 'test' as const, upTo };
  return BooksReader.with({ ...books, ...(openFrom && { openFrom }) }, async (rows) => {
    const all = await readAll(rows.rows('true'));
    const january = all.filter(({ period }) => period === '2026-01');
    expect(await readAll(rows.rows("period = '2026-01'", rows.periodOrder))).toEqual(january);
    return all;
  });
}

async function readAll(rows: AsyncIterable<JournalRow>): Promise<JournalRow[]> {
  const all: JournalRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

const close = (size: number) => purchases.closeJanuary('app_1', size);

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
    // The purchases with the money that was earned of each.
    expect(files.map(({ period, rows }) => [period, rows])).toEqual([
      ['2026-01', 10],
      ['2026-02', expect.any(Number)],
    ]);
    expect(old.every(({ path: one }) => !files.some((file) => file.path === one))).toBe(true);
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
    // With the two entries of the money that was earned.
    expect(january.map(({ rows: count }) => count)).toEqual([rows.length + 2]);
    expect(old).toHaveLength(2);
    expect(await readPosted()).toEqual(rows);
    // A report may be reading the former ones.
    expect(old.map((file) => existsSync(path.join(folder, file.path)))).toEqual([true, true]);
    const files = await readFiles();
    rmSync(folder, { recursive: true });
    await keep();
    expect(await readPosted()).toEqual(rows);
    expect(await readFiles()).toEqual(files);
  });

  /** The entries of January that are of events themselves. */
  async function readPosted(): Promise<JournalRow[]> {
    return (await readRows()).filter(
      ({ period, recognized }) => period === '2026-01' && recognized === '',
    );
  }
});

describe('the money that was earned in a closed month', () => {
  const earned = (rows: readonly JournalRow[]) =>
    rows
      .filter(({ recognized }) => recognized !== '')
      .map((row) => [row.payment, row.number, row.period, row.side, row.amountMinor]);

  it('is in its files as entries, for the apps alone that have closed it', async () => {
    await purchases.buyMonth('app_1', 'a');
    await purchases.buyMonth('app_2', 'z');
    const { checkpoint } = (await seal())!;
    const { at } = await readClose(checkpoint.size);
    await keep();
    await purchases.buyMonth('app_1', 'b', '2026-02-10T10:00:00.000Z');
    const open = (await seal())!.checkpoint.size;
    await close(checkpoint.size);
    await seal();
    await keep();
    const files = await readFiles();
    // app_2 has not closed it: its files stay several.
    expect(files.map(({ period, rows }) => [period, rows])).toEqual([
      ...[
        ['2026-01', 6],
        ['2026-01', 2],
        ['2026-02', 3],
      ],
    ]);
    const rows = await readRows();
    expect(earned(rows)).toEqual([
      ['pay_a', 2, '2026-01', 'debit', 1_700n],
      ['pay_a', 3, '2026-01', 'credit', 1_700n],
    ]);
    const [first] = rows.filter(({ recognized }) => recognized !== '');
    expect(first).toMatchObject({ bookedAt: at, effectiveOn: '2026-01-31', late: false });
    expect(earned(await readRows({ app: 'app_2' }))).toEqual([]);
    expect(await readRows({ place: path.join(folder, 'nowhere') })).toEqual(rows);
    // They count as of the close's checkpoint, and from its event on.
    expect(earned(await readRows({ size: checkpoint.size }))).toEqual(earned(rows));
    expect(earned(await readRows({ size: open }))).toEqual([]);
    expect(earned(await readRows({ openFrom: '2026-01' }))).toEqual([]);
    rmSync(folder, { recursive: true });
    await keep();
    expect(await readFiles()).toEqual(files);
    expect(await readRows()).toEqual(rows);
  });

  async function readClose(size: number): Promise<{ readonly at: string }> {
    const found = await new SealReader(ledger.store).find(size);
    return { at: found!.sealedAt };
  }
});
