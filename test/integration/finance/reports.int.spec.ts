import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BooksKeeper, BooksReader, DuckDb, sqlText } from '#books';
import { compareRows, type JournalRow } from '#domain/bookkeeping';
import { PeriodBooks, printReport, type ReportFormat, writeReportFolder } from '#finance';
import { type FoundCheckpoint, sealNow } from '#sealing';
import { SealedLedger } from '../sealing/support.js';
import {
  captured,
  CLEARING,
  credit,
  debit,
  DEFERRED,
  makePoster,
  rated,
  refunded,
  TAX,
} from './report-story.js';

let ledger: SealedLedger;
let folder: string;
beforeEach(async () => {
  ledger = await SealedLedger.start();
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-reports-'));
});
afterEach(async () => {
  await ledger.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function sealed(events: number, name: string): Promise<FoundCheckpoint> {
  await ledger.add(events, name);
  const checkpoint = await sealNow(ledger.sealing);
  if (checkpoint === undefined) throw new Error('nothing is sealed');
  return checkpoint;
}

interface Asked {
  readonly entries: readonly (readonly Partial<JournalRow>[])[];
  readonly upTo: FoundCheckpoint;
  readonly period?: string;
  readonly effectiveUntil?: string;
  readonly app?: string;
}

/** Works on the books of a period. */
function withBooks<Result>(
  { entries, upTo, app = 'app_1', period = '2026-01', effectiveUntil = '2026-01-31' }: Asked,
  work: (books: PeriodBooks, upTo: FoundCheckpoint) => Promise<Result>,
): Promise<Result> {
  const { store } = ledger;
  const reading = { store, folder, makePoster: makePoster(entries), app, upTo };
  return BooksReader.with({ ...reading, environment: 'test' }, async (reader) => {
    return work(await PeriodBooks.open(reader, { period, effectiveUntil }), upTo);
  });
}

const describePrinting = (
  report: string,
  format: ReportFormat,
  books: PeriodBooks,
  size: number,
) => ({
  ...{ format, zone: 'UTC', table: (...parts: unknown[]) => JSON.stringify(parts) },
  head: {
    ...{ report, app: 'app_1', environment: 'test' as const, rules: 'rules.v1' },
    ...{ ...books.scope, checkpoint: { size, root: 'r', origin: 'o', at: books.books.asOf } },
  },
});

/** Prints reports of one opening of the books. */
async function printAll<Name extends string>(
  reports: readonly Name[],
  asked: Asked,
  format: ReportFormat = 'json',
) {
  return withBooks(asked, async (books, { checkpoint }) => {
    const texts: [Name, string][] = [];
    for (const report of reports) {
      const printing = describePrinting(report, format, books, checkpoint.size);
      let text = '';
      for await (const piece of printReport(books, printing)) text += piece;
      texts.push([report, text]);
    }
    return Object.fromEntries(texts) as Readonly<Record<Name, string>>;
  });
}

type Row = Readonly<Record<string, string>>;
async function readAll<Name extends string>(asked: Asked, ...reports: readonly Name[]) {
  const texts = await printAll(reports, asked);
  const parsed = reports.map((report) => {
    const { rows } = JSON.parse(texts[report]) as { rows: readonly Row[] };
    return [report, rows];
  });
  return Object.fromEntries(parsed) as Readonly<Record<Name, readonly Row[]>>;
}

const REPORTS = ['trial-balance', 'journal', 'deferred', 'waterfall', 'revenue', 'tax'] as const;
const FEBRUARY = { period: '2026-02', effectiveUntil: '2026-02-28' };

describe('a report', () => {
  it('has the published example: 17.00 are earned in January, and 14.00 in February', async () => {
    const asked = { entries: [captured('pay_1')], upTo: await sealed(1, 'a') };
    expect(await readAll(asked, 'deferred', 'waterfall', 'revenue')).toMatchObject({
      deferred: [
        {
          ...{ account: DEFERRED, plan: 'plan_1', opening: '0.00', added: '31.00' },
          ...{ earned: '17.00', refunded: '0.00', closing: '14.00', closing_minor: '1400' },
        },
      ],
      waterfall: [
        {
          ...{ account: DEFERRED, month: '2026-02', currency: 'EUR' },
          ...{ to_earn_minor: '1400', to_earn: '14.00' },
        },
      ],
      revenue: [{ account: 'income:subscriptions', country: 'DE', revenue: '17.00' }],
    });
    expect(await readAll({ ...asked, ...FEBRUARY }, 'deferred', 'waterfall')).toMatchObject({
      deferred: [{ opening: '14.00', added: '0.00', earned: '14.00', closing: '0.00' }],
      waterfall: [],
    });
  });

  it('leaves out what happened, and was earned, on later days than it is asked for', async () => {
    const asked = { entries: [captured('pay_1')], upTo: await sealed(1, 'a') };
    const until20 = { ...asked, effectiveUntil: '2026-01-20' };
    expect(await readAll(until20, 'deferred', 'waterfall')).toMatchObject({
      deferred: [{ earned: '6.00', closing: '25.00' }],
      waterfall: [
        { month: '2026-01', to_earn: '11.00' },
        { month: '2026-02', to_earn: '14.00' },
      ],
    });
    const before = await readAll({ ...asked, effectiveUntil: '2026-01-14' }, 'trial-balance');
    expect(before['trial-balance']).toEqual([]);
  });

  it('tells refunds and tax apart, by rate and version', async () => {
    const entries = [captured('pay_1'), refunded('pay_1')];
    const asked = { entries, upTo: await sealed(2, 'a') };
    const tax = { country: 'DE', tax_rate: '0.19', tax_rates_version: 3 };
    expect(await readAll(asked, 'tax')).toMatchObject({
      tax: [{ ...tax, month: '2026-01', charged: '5.89', returned: '0.00', owed: '5.89' }],
    });
    const february = { ...asked, ...FEBRUARY };
    expect(await readAll(february, 'deferred', 'tax', 'revenue')).toMatchObject({
      deferred: [{ opening: '14.00', earned: '0.00', refunded: '14.00', closing: '0.00' }],
      tax: [{ ...tax, month: '2026-02', charged: '0.00', returned: '2.85', owed: '-2.85' }],
      revenue: [{ account: 'income:refunds', revenue: '-1.00' }],
    });
  });

  it('of an older checkpoint is the older answer, byte for byte, from files as from the log', async () => {
    const entries = [captured('pay_1'), captured('pay_2'), refunded('pay_1')];
    const first = { entries, upTo: await sealed(1, 'a') };
    const print = (asked: Asked) => printAll(REPORTS, asked);
    const before = await print(first);
    const all = { entries, upTo: await sealed(2, 'b') };
    const after = await print(all);
    expect(await print(first)).toEqual(before);
    expect(after).not.toEqual(before);
    const options = { store: ledger.store, folder, makePoster: makePoster(entries), intervalMs: 0 };
    await new BooksKeeper(options).keep();
    expect(await print(first)).toEqual(before);
    expect(await print(all)).toEqual(after);
    const none = { entries: [], upTo: all.upTo };
    expect(await print({ ...none, upTo: all.upTo })).toEqual(after);
  });

  it('of an app without entries has no rows', async () => {
    const asked = { entries: [captured('pay_1')], upTo: await sealed(1, 'a'), app: 'app_2' };
    for (const rows of Object.values(await readAll(asked, ...REPORTS))) expect(rows).toEqual([]);
    expect((await printAll(['journal'], asked, 'csv')).journal).toMatch(/^entry,leaf,[^\r]*\r\n$/);
  });

  it('is refused where a sum is beyond 2^63', async () => {
    const large = 2n ** 63n - 1n;
    const entry = [debit(CLEARING, large), credit(TAX, large, rated)];
    const asked = { entries: [entry, entry], upTo: await sealed(2, 'a') };
    await expect(printAll(['trial-balance'], asked)).rejects.toThrow('beyond 2^63');
  });
});

describe('a trial balance', () => {
  it("sums up to zero, and is that of the files' own rows with what was earned", async () => {
    const entries = [captured('pay_1'), captured('pay_2', 0n), refunded('pay_1')];
    const asked = { entries, upTo: await sealed(3, 'a'), ...FEBRUARY };
    const { 'trial-balance': balance } = await readAll(asked, 'trial-balance');
    const sum = (name: string) =>
      balance.reduce((total, row) => total + BigInt(row[name] ?? 0), 0n);
    expect([sum('opening_minor'), sum('closing_minor')]).toEqual([0n, 0n]);
    expect(sum('debit_minor')).toBe(sum('credit_minor'));
    const out = path.join(folder, 'out');
    await withBooks(asked, (books, { checkpoint }) => {
      const printing = describePrinting('journal', 'parquet', books, checkpoint.size);
      return writeReportFolder(books, { ...printing, folder: out, command: 'finance journal' });
    });
    const file = sqlText(path.join(out, 'journal.parquet'));
    const sums = await DuckDb.with(folder, (duckDb) =>
      duckDb.all(`SELECT account, coalesce(sum(debit_minor), 0)::VARCHAR AS debit_minor,
        coalesce(sum(credit_minor), 0)::VARCHAR AS credit_minor FROM ${file} GROUP BY ALL ORDER BY ALL`),
    );
    const moved = balance.filter(
      (row) => row['debit_minor'] !== '0' || row['credit_minor'] !== '0',
    );
    expect(sums).toEqual(
      moved.map(({ account, debit_minor, credit_minor }) => ({
        account,
        debit_minor,
        credit_minor,
      })),
    );
  });
});

describe('a journal', () => {
  const entries = [captured('pay_1'), captured('pay_2')];

  it('has entries and recognitions in the order of the books, no two of them equal in it', async () => {
    const asked = { entries, upTo: await sealed(2, 'a') };
    const found = await withBooks(asked, async ({ books, booked }) => {
      const list: JournalRow[] = [];
      for await (const row of books.rows(booked)) list.push(row);
      return list;
    });
    expect(found.map(({ recognized }) => recognized).filter((text) => text !== '')).toHaveLength(4);
    const isSorted = found.every((row, at) => at === 0 || compareRows(found[at - 1]!, row) < 0);
    expect(isSorted).toBe(true);
  });

  it.each(['hledger', 'ledger', 'beancount'] as const)('is one for %s', async (format) => {
    const asked = { entries, upTo: await sealed(2, 'a') };
    const { journal } = await printAll(['journal'], asked, format);
    expect(journal).toMatch(/17\.00 EUR/);
    expect(journal).toMatch(/-14\.00|-28\.00/);
  });
});

describe('a folder', () => {
  const write = (asked: Asked, out: string, format: ReportFormat) =>
    withBooks(asked, (books, { checkpoint }) => {
      const printing = describePrinting('trial-balance', format, books, checkpoint.size);
      return writeReportFolder(books, {
        ...printing,
        folder: out,
        command: 'finance trial-balance',
      });
    });

  it('has the report, its accounts and a manifest that names hashes, totals and rows', async () => {
    const asked = { entries: [captured('pay_1')], upTo: await sealed(1, 'a') };
    const out = path.join(folder, 'out');
    await write(asked, out, 'csv');
    const manifest = JSON.parse(readFileSync(path.join(out, 'manifest.json'), 'utf8')) as Row;
    expect(manifest).toMatchObject({
      ...{ report: 'trial-balance', command: 'finance trial-balance', period: '2026-01', rows: 4 },
      checkpoint: { size: 1, root: 'r' },
      totals: expect.arrayContaining([
        { account: CLEARING, currency: 'EUR', debitMinor: '3689', creditMinor: '0' },
      ]) as unknown,
    });
    expect(readFileSync(path.join(out, 'accounts.csv'), 'utf8')).toContain(`${CLEARING},`);
    const { 'trial-balance': csv } = await printAll(['trial-balance'], asked, 'csv');
    expect(readFileSync(path.join(out, 'trial-balance.csv'), 'utf8')).toBe(csv);
  });

  it('has the same rows as Parquet, with minor units as BIGINT', async () => {
    const out = path.join(folder, 'out');
    await write({ entries: [captured('pay_1')], upTo: await sealed(1, 'a') }, out, 'parquet');
    const file = sqlText(path.join(out, 'trial-balance.parquet'));
    const found = await DuckDb.with(folder, (duckDb) =>
      duckDb.all(`SELECT closing_minor, typeof(closing_minor) AS type FROM ${file} ORDER BY 1`),
    );
    expect(found.map((row) => row['type'])).toEqual(Array(4).fill('BIGINT'));
    expect(found.map((row) => row['closing_minor'])).toEqual([-1_700n, -1_400n, -589n, 3_689n]);
  });

  it('with files in it is left as it is', async () => {
    const asked = { entries: [], upTo: await sealed(1, 'a') };
    const out = mkdtempSync(path.join(folder, 'out-'));
    writeFileSync(path.join(out, 'mine'), '');
    await expect(write(asked, out, 'csv')).rejects.toThrow('is not empty');
  });
});
