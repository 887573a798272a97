import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareRows, entryId, type JournalRow } from '#domain/bookkeeping';
import type { BookFile } from './book-file.js';
import { toCanonicalLine } from './canonical-rows.js';
import { DuckDb, sqlText } from './duckdb.js';
import { hashFile, hashRows, writeStaged } from './parquet-files.js';
import { makeEntries, makeRow } from '../../../test/support/journal-rows.js';
import { StagedRows } from './staged-rows.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-books-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const LEAVES = { first: 0, last: 99_999 };

function write(rows: readonly JournalRow[]): Promise<BookFile[]> {
  return StagedRows.with(folder, async (staged) => {
    for (const row of rows) {
      staged.add(row, LEAVES);
      if (staged.isFull) await staged.flush();
    }
    await staged.flush();
    return DuckDb.with(staged.folder, (duckDb) => writeStaged(duckDb, folder, staged.list()));
  });
}

const read = (file: BookFile, columns: string, tail = '') =>
  DuckDb.with(folder, (duckDb) =>
    duckDb.all(
      `SELECT ${columns} FROM read_parquet(${sqlText(path.join(folder, file.path))}, hive_partitioning = false) ${tail}`,
    ),
  );

describe('a file of the books', () => {
  it('is named by its environment, period and leaves, and nothing else is left behind', async () => {
    const rows = [
      makeRow(),
      makeRow({ period: '2026-02' }),
      makeRow({ environment: 'production' }),
    ];
    const files = await write(rows);
    expect(files.map((file) => file.path)).toEqual([
      'environment=production/period=2026-01/journal-000000000000-000000099999.parquet',
      'environment=test/period=2026-01/journal-000000000000-000000099999.parquet',
      'environment=test/period=2026-02/journal-000000000000-000000099999.parquet',
    ]);
    const left = readdirSync(folder, { recursive: true }).map(String);
    expect(left.filter((name) => !existsSync(path.join(folder, name)))).toEqual([]);
    expect(left.filter((name) => name.endsWith('.parquet'))).toHaveLength(3);
    expect(left.filter((name) => /making/.test(name))).toEqual([]);
  });

  it('has the same bytes at each writing, and no two rows that are equal in their order', async () => {
    const apps = ['app_3', 'app_1', 'app_2'];
    const rows = Array.from({ length: 3_000 }, (_, leaf) =>
      makeEntries(leaf, apps[leaf % 3]),
    ).flat();
    rows.push(makeRow({ leaf: 5n, eventId: 'e5', number: 2, recognized: '2026-01', app: 'app_2' }));
    const [first] = await write(rows);
    const bytes = readFileSync(path.join(folder, first!.path));
    const [second] = await write(rows);
    expect(second).toEqual(first);
    expect(readFileSync(path.join(folder, first!.path)).equals(bytes)).toBe(true);
    const sorted = rows.toSorted(compareRows);
    const inFile = await read(first!, 'entry');
    expect(inFile.map(({ entry }) => entry)).toEqual(sorted.map(entryId));
    const equal = sorted.filter((row, at) => at > 0 && compareRows(sorted[at - 1]!, row) === 0);
    expect(equal).toEqual([]);
  });

  it('has groups of 102,400 rows, so that a question about one app skips others', async () => {
    const rows = Array.from({ length: 54_000 }, (_, leaf) => makeEntries(leaf)).flat();
    const [file] = await write(rows);
    const name = sqlText(path.join(folder, file!.path));
    const groups = await DuckDb.with(folder, (duckDb) =>
      duckDb.all(
        `SELECT DISTINCT row_group_id AS id, row_group_num_rows AS rows FROM parquet_metadata(${name}) ORDER BY id`,
      ),
    );
    expect(groups.map(({ rows: count }) => count)).toEqual([102_400n, 5_600n]);
  });

  it('is known by the hash of its rows as canonical lines, which text of any kind has', async () => {
    const reasons = [
      'a\tb',
      'line\nfeed\r',
      '100%25 "quoted", \\t',
      '',
      '%0A',
      'ü\u{1F600}\u0000x',
    ];
    const rows = reasons.map((reason, at) =>
      makeRow({ number: at + 1, reason, taxRatesVersion: at, coversFrom: null, late: at === 1 }),
    );
    const [file] = await write(rows);
    const text = rows.map(toCanonicalLine).join('');
    expect(file!.rowsHash).toBe(createHash('sha256').update(text).digest('hex'));
    expect((await read(file!, 'reason', 'ORDER BY leaf')).map(({ reason }) => reason)).toEqual(
      reasons,
    );
    const place = path.join(folder, file!.path);
    const again = await DuckDb.with(folder, (duckDb) => hashRows(duckDb, place));
    expect(again).toEqual({ rows: 6, rowsHash: file!.rowsHash });
    expect(await hashFile(place)).toBe(file!.fileHash);
  });

  it('has types that every reader takes alike: minor units as BIGINT, instants in UTC, no decimals', async () => {
    const [file] = await write([makeRow({ taxRate: '0.19', taxRatesVersion: 3 })]);
    const described = await DuckDb.with(folder, (duckDb) =>
      duckDb.all(
        `DESCRIBE FROM read_parquet(${sqlText(path.join(folder, file!.path))}, hive_partitioning = false)`,
      ),
    );
    const types = new Map(described.map((row) => [row['column_name'], row['column_type']]));
    expect(types.get('debit_minor')).toBe('BIGINT');
    expect(types.get('booked_at')).toBe('TIMESTAMP WITH TIME ZONE');
    expect(types.get('effective_on')).toBe('DATE');
    expect(types.get('late')).toBe('BOOLEAN');
    expect(
      [...types.values()].filter((type) => /DECIMAL|HUGEINT|DOUBLE/.test(String(type))),
    ).toEqual([]);
    expect(['period', 'environment', 'amount'].filter((name) => types.has(name))).toEqual([]);
    const [row] = await read(
      file!,
      "epoch_ms(booked_at) AS at, effective_on::VARCHAR AS day, credit_minor IS NULL AS 'none', tax_rate",
    );
    const at = BigInt(Date.parse('2026-01-20T10:00:00.123Z'));
    expect(row).toEqual({ at, day: '2026-01-15', none: true, tax_rate: '0.19' });
  });

  it('tells sums beyond 2^53 and 2^63 digit by digit', async () => {
    const amountMinor = 2n ** 63n - 1n;
    const rows = [1, 2, 3].map((number) => makeRow({ number, amountMinor }));
    const [file] = await write(rows);
    expect(file!.totals).toEqual([
      {
        account: 'assets:gateway-clearing',
        currency: 'EUR',
        debit: String(amountMinor * 3n),
        credit: '0',
      },
    ]);
  });
});
