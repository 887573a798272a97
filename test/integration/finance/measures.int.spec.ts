import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BooksReader, DuckDb, sqlText } from '#books';
import { PeriodBooks, printReport, type ReportFormat, writeReportFolder } from '#finance';
import { type FoundCheckpoint, sealNow } from '#sealing';
import { Purchases } from '../books/purchases.js';
import { SealedLedger } from '../sealing/support.js';
import { MeasuredLives } from './measured-lives.js';

let ledger: SealedLedger;
let folder: string;
let lives: MeasuredLives;
beforeEach(async () => {
  ledger = await SealedLedger.start();
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-measures-'));
  lives = new MeasuredLives(ledger.store);
});
afterEach(async () => {
  await ledger.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly upTo: FoundCheckpoint;
  readonly period: string;
  readonly effectiveUntil: string;
}
const JANUARY = { period: '2026-01', effectiveUntil: '2026-01-31' };
const FEBRUARY = { period: '2026-02', effectiveUntil: '2026-02-28' };

async function seal(): Promise<FoundCheckpoint> {
  const checkpoint = await sealNow(ledger.sealing);
  if (checkpoint === undefined) throw new Error('nothing is sealed');
  return checkpoint;
}

function withBooks<Result>(
  { upTo, ...scope }: Asked,
  work: (books: PeriodBooks) => Promise<Result>,
) {
  const reading = { store: ledger.store, folder, app: 'app_1', environment: 'test' as const, upTo };
  return BooksReader.with(reading, async (books) => work(await PeriodBooks.open(books, scope)));
}

const describePrinting = (report: string, format: ReportFormat, { scope, books }: PeriodBooks) => ({
  ...{ format, zone: 'UTC', table: (...parts: unknown[]) => JSON.stringify(parts) },
  head: {
    ...{ report, app: 'app_1', environment: 'test' as const, rules: 'rules.v1', ...scope },
    checkpoint: { size: 1, root: 'r', origin: 'o', at: books.asOf },
  },
});

type Row = Readonly<Record<string, string>>;
async function rows(report: string, asked: Asked): Promise<readonly Row[]> {
  const text = await withBooks(asked, async (books) => {
    let printed = '';
    for await (const piece of printReport(books, describePrinting(report, 'json', books))) {
      printed += piece;
    }
    return printed;
  });
  return (JSON.parse(text) as { rows: Row[] }).rows;
}

describe('recurring revenue', () => {
  it('is opening, with each movement by its event, and closing, as of any checkpoint and day', async () => {
    await lives.january();
    const first = await seal();
    await lives.february();
    const upTo = await seal();
    const january = { upTo, ...JANUARY };
    const none = { reactivation: '0.00', contraction: '0.00', churn: '0.00' };
    const begun = { currency: 'EUR', opening: '0.00', ...none, expansion: '0.00' };
    expect(await rows('mrr', january)).toMatchObject([
      { ...begun, new: '51.00', closing: '51.00', will_churn: '31.00', closing_minor: '5100' },
    ]);
    expect(await rows('mrr', { ...january, effectiveUntil: '2026-01-12' })).toMatchObject([
      { ...begun, new: '41.00', closing: '41.00', will_churn: '0.00' },
    ]);
    const february = { upTo, ...FEBRUARY };
    const [row] = await rows('mrr', february);
    expect(row).toMatchObject({
      ...{ opening: '51.00', new: '0.00', expansion: '5.00', churn: '-41.00' },
      ...{ closing: '15.00', will_churn: '0.00' },
    });
    const moved = await rows('mrr-movements', february);
    expect(
      moved.map(({ movement, subscription, change }) => [movement, subscription, change]),
    ).toEqual([
      ['churn', 'sub_canceled', '-31.00'],
      ['churn', 'sub_unpaid', '-10.00'],
      ['expansion', 'sub_yearly', '5.00'],
    ]);
    const events = await lives.listEventIds('sub_unpaid');
    expect(events).toContain(moved[1]?.['event_id']);
    expect(await rows('mrr', { upTo: first, ...FEBRUARY })).toMatchObject([{ closing: '51.00' }]);
  });

  it('counts events between the checkpoint of a close and its own event in the next month', async () => {
    await lives.january();
    const closed = await seal();
    await lives.closeJanuaryLate(closed.checkpoint.size);
    const upTo = await seal();
    expect(await rows('mrr', { upTo, ...JANUARY })).toMatchObject([{ new: '51.00' }]);
    expect(await rows('mrr', { upTo, ...FEBRUARY })).toMatchObject([
      { opening: '51.00', new: '7.00' },
    ]);
    expect(await rows('mrr', { upTo: closed, ...JANUARY })).toMatchObject([{ new: '51.00' }]);
  });

  it('of an app without subscriptions has no rows', async () => {
    await lives.ofAnotherApp();
    const upTo = await seal();
    for (const report of ['mrr', 'mrr-movements', 'lost-to-dunning', 'payouts']) {
      expect(await rows(report, { upTo, ...JANUARY })).toEqual([]);
    }
  });
});

it('names the subscriptions that dunning has lost, with both events', async () => {
  await lives.january();
  await lives.february();
  const upTo = await seal();
  expect(await rows('lost-to-dunning', { upTo, ...JANUARY })).toEqual([]);
  const lost = await rows('lost-to-dunning', { upTo, ...FEBRUARY });
  const events = await lives.listEventIds('sub_unpaid');
  expect(lost).toEqual([
    expect.objectContaining({
      ...{ cause: 'grace_ended', subscription: 'sub_unpaid', attempts: 1, currency: 'EUR' },
      ...{ reason: 'lost_or_stolen_card', charge: '10.00', mrr: '10.00' },
      ...{ event_id: events.at(-1), failure_event_id: events.at(-2) },
    }),
  ]);
});

describe('payouts', () => {
  it('agree with the ledger, or are open, or on their way', async () => {
    const purchases = new Purchases(ledger.store);
    for (const name of ['a', 'b', 'c']) await purchases.buyMonth('app_1', name);
    await lives.importCharge('txn_1', { payment: 'pay_a', gross: '3689', payout: 'po_1' });
    await lives.importPayout('txn_2', { payout: 'po_1', bank: '3589', at: '2026-01-20' });
    await lives.importCharge('txn_3', { payment: 'pay_b', gross: '3600', payout: 'po_2' });
    await lives.importPayout('txn_4', { payout: 'po_2', bank: '3500', at: '2026-02-03' });
    await lives.importCharge('txn_5', { payment: 'pay_c', gross: '3689', payout: null });
    const before = await seal();
    const one = { currency: 'EUR', rows: 1, gross: '36.89', fees: '1.00', net: '35.89' };
    const loose = { ...one, payout: '', paid_on: '', bank: '0.00', state: 'unpaid' };
    const first = { ...one, payout: 'po_1', paid_on: '2026-01-20', bank: '35.89' };
    expect(await rows('payouts', { upTo: before, ...JANUARY })).toMatchObject([
      loose,
      { ...first, open: 0, state: 'agrees' },
      { payout: 'po_2', paid_on: '', bank: '0.00', open: 1, state: 'unpaid' },
    ]);
    const second = { payout: 'po_2', paid_on: '2026-02-03', bank: '35.00' };
    expect(await rows('payouts', { upTo: before, ...FEBRUARY })).toMatchObject([
      loose,
      { ...second, open: 1, accepted: 0, state: 'open' },
    ]);
    await lives.accept('txn_3');
    expect(await rows('payouts', { upTo: await seal(), ...FEBRUARY })).toMatchObject([
      loose,
      { ...second, open: 0, accepted: 1, state: 'agrees' },
    ]);
    // The older checkpoint has the older answer.
    expect(await rows('payouts', { upTo: before, ...FEBRUARY })).toMatchObject([
      loose,
      { ...second, state: 'open' },
    ]);
  });

  it('are open where the bank has another amount than the sum of the rows', async () => {
    await new Purchases(ledger.store).buyMonth('app_1', 'a');
    await lives.importCharge('txn_1', { payment: 'pay_a', gross: '3689', payout: 'po_1' });
    await lives.importPayout('txn_2', { payout: 'po_1', bank: '3588', at: '2026-01-20' });
    const found = await rows('payouts', { upTo: await seal(), ...JANUARY });
    expect(found).toMatchObject([{ net: '35.89', bank: '35.88', open: 0, state: 'open' }]);
  });
});

it('writes measures as Parquet with the same rows, and a manifest', async () => {
  await lives.january();
  const upTo = await seal();
  const out = path.join(folder, 'out');
  const manifest = await withBooks({ upTo, ...JANUARY }, (books) =>
    writeReportFolder(books, {
      ...describePrinting('mrr-movements', 'parquet', books),
      ...{ folder: out, command: 'finance mrr-movements' },
    }),
  );
  expect(manifest).toMatchObject({ rows: 3, report: 'mrr-movements' });
  const file = sqlText(path.join(out, 'mrr-movements.parquet'));
  const sums = await DuckDb.with(folder, (duckDb) =>
    duckDb.all(`SELECT currency, sum(change_minor)::VARCHAR AS change FROM ${file} GROUP BY 1`),
  );
  expect(sums).toEqual([{ currency: 'EUR', change: '5100' }]);
});
