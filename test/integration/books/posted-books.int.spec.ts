import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BooksKeeper, BooksLog, BooksReader, type MakePoster, MoneyPoster } from '#books';
import type { JournalRow } from '#domain/bookkeeping';
import type { SettlementRow } from '#domain/settlement';
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
const keep = async (mostInMemory?: number) => {
  const makePoster: MakePoster = (place, terms) => new MoneyPoster(place, terms, mostInMemory);
  const keeper = new BooksKeeper({ store: ledger.store, folder, makePoster, intervalMs: 0 });
  const figures = await keeper.keep();
  keeper.end();
  return figures;
};
const readFiles = async () => [...(await new BooksLog(ledger.store).read()).files.values()];

/** The rows of an app, from its books or posted now, up to a checkpoint or the last one. */
async function readRows({
  app = 'app_1',
  size = 0,
  place = folder,
  checksFiles = false,
} = {}): Promise<JournalRow[]> {
  const { store } = ledger;
  const reader = new SealReader(store);
  const upTo = size === 0 ? await reader.findLast() : await reader.find(size);
  if (upTo === undefined) throw new Error('there is no checkpoint');
  const books = { store, folder: place, app, environment: 'test' as const, checksFiles, upTo };
  return BooksReader.with(books, async (rows) => {
    const all: JournalRow[] = [];
    for await (const row of rows.rows('true')) all.push(row);
    return all;
  });
}

function sum(rows: readonly JournalRow[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { account, side, amountMinor } of rows) {
    sums[account] = (sums[account] ?? 0n) + (side === 'debit' ? amountMinor : -amountMinor);
  }
  return sums;
}

const PAID = {
  'assets:gateway-clearing': 3689n,
  'liabilities:deferred-subscriptions': -3100n,
  'liabilities:tax-payable:DE': -589n,
};

describe('the books of purchases', () => {
  it('have balanced entries, and those of each app alone where they are read', async () => {
    await purchases.buyMonth('app_1', 'a');
    await purchases.buyMonth('app_2', 'b');
    const { checkpoint } = (await seal())!;
    expect(await keep()).toMatchObject({ size: 4, rows: 6, files: 1 });
    expect(sum(await readRows())).toEqual(PAID);
    await purchases.refund('app_1', 'pay_a', '3689', '2026-01-31T10:00:00.000Z');
    await seal();
    await keep();
    const rows = await readRows();
    expect(Object.values(sum(rows)).reduce((left, right) => left + right)).toBe(0n);
    // Sixteen days were earned; the other fifteen are taken back.
    expect(sum(rows)).toEqual({
      ...{ 'assets:gateway-clearing': 0n, 'liabilities:tax-payable:DE': 0n },
      ...{ 'liabilities:deferred-subscriptions': -1600n, 'income:refunds': 1600n },
    });
    expect(await readRows({ size: checkpoint.size })).toEqual(rows.slice(0, 3));
    expect(sum(await readRows({ app: 'app_2' }))).toEqual(PAID);
    expect(await readRows({ app: 'app_3' })).toEqual([]);
  });

  it('are posted from the log behind their files, and all of them where there are no files', async () => {
    await purchases.buyMonth('app_1', 'a');
    await seal();
    await keep();
    await purchases.refund('app_1', 'pay_a', '100', '2026-01-20T10:00:00.000Z');
    await seal();
    const rows = await readRows();
    expect(rows.map(({ rule }) => rule)).toContain('rules.v1/refunded');
    const nowhere = path.join(folder, 'nowhere');
    expect(await readRows({ place: nowhere })).toEqual(rows);
    await keep();
    expect(await readRows()).toEqual(rows);
    expect(await readRows({ place: nowhere })).toEqual(rows);
  });

  it('have the same rows and hashes after the loss of their folder, however few payments fit in memory', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
    for (const name of names) await purchases.buyMonth('app_1', name);
    await seal();
    await keep();
    for (const name of names) {
      await purchases.refund('app_1', `pay_${name}`, '1000', '2026-01-20T10:00:00.000Z');
    }
    await seal();
    await keep(1);
    const [files, rows] = [await readFiles(), await readRows()];
    expect(files).toHaveLength(2);
    rmSync(folder, { recursive: true });
    await keep(3);
    expect(await readFiles()).toEqual(files);
    expect(await readRows()).toEqual(rows);
    rmSync(folder, { recursive: true });
    await keep();
    expect(await readRows()).toEqual(rows);
  });

  it('are posted from the log where a file was cut off, and where damage was looked for', async () => {
    await purchases.buyMonth('app_1', 'a');
    await seal();
    await keep();
    const rows = await readRows();
    const place = path.join(folder, (await readFiles())[0]!.path);
    const bytes = readFileSync(place);
    truncateSync(place, bytes.length - 1);
    expect(await readRows()).toEqual(rows);
    // As long as before.
    writeFileSync(place, Buffer.from(bytes).fill(0, 100, 200));
    expect(await readRows({ checksFiles: true })).toEqual(rows);
    await keep();
    expect(readFileSync(place)).toEqual(bytes);
  });

  it('have rows of gateways that were imported', async () => {
    const row: SettlementRow = {
      ...{ transactionId: 'txn_1', category: 'payout', sourceId: 'po_1', currency: 'EUR' },
      ...{ createdAt: '2026-01-20T10:00:00.000Z', availableOn: null, charged: null },
      ...{ grossMinor: '-940', feeMinor: '0', netMinor: '-940' },
      ...{ chargeId: '', paymentIntentId: '', paymentId: '', refundId: '' },
    };
    await append('settlement.row_imported.v1', 'no_stream', row, 'settlement-txn_1');
    await seal();
    await keep();
    expect(sum(await readRows())).toEqual({
      'assets:bank': 940n,
      'assets:gateway-clearing': -940n,
    });
  });

  it('follow the policy of the app, and book late what comes behind a close', async () => {
    await append('finance.policy_set.v1', 'no_stream', {
      ...{ number: 1, zone: 'Asia/Tokyo', itemClasses: [], approval: false },
      ...{ from: '2026-01-01', reason: 'Tokyo.' },
    });
    await purchases.buyMonth('app_1', 'a', '2026-01-15T20:00:00.000Z');
    await append('finance.period_closed.v1', 0, {
      ...{ period: '2026-01', size: 3, rules: 'rules.v1', policy: 1, reports: [], totals: [] },
      ...{ requestedBy: 'operator:ann', reason: 'Month end.', approvedBy: null },
    });
    await purchases.buyMonth('app_1', 'b', '2026-01-15T20:00:00.000Z');
    await purchases.buyMonth('app_2', 'c', '2026-01-15T20:00:00.000Z');
    await seal();
    await keep();
    const booked = async (app: string) =>
      [...(await readRows({ app }))]
        .filter(({ number }) => number === 1)
        .map(({ effectiveOn, period, late }) => [effectiveOn, period, late]);
    expect(await booked('app_1')).toEqual([
      ['2026-01-16', '2026-01', false],
      ['2026-01-16', '2026-02', true],
    ]);
    expect(await booked('app_2')).toEqual([['2026-01-15', '2026-01', false]]);
  });
});

async function append(
  type: string,
  revision: 'no_stream' | number,
  data: unknown,
  streamName = 'finance-app_1',
): Promise<void> {
  const metadata = {
    ...{ $correlationId: newUuid(), actor: 'operator:ann', appId: 'app_1' },
    ...{ environment: 'test' as const, occurredAt: '2026-02-02T10:00:00.000Z' },
  };
  const event = { id: newUuid(), type, data, metadata };
  await ledger.store.append(streamName, revision, [event]);
}
