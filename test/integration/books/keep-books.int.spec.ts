import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BookedEvent, BooksKeeper, BooksLog, DuckDb, type Poster, sqlText } from '#books';
import type { LedgerStore } from '#event-store';
import { sealNow } from '#sealing';
import { makeEntries } from '../../support/journal-rows.js';
import { SealedLedger } from '../sealing/support.js';

let ledger: SealedLedger;
let folder: string;
beforeEach(async () => {
  ledger = await SealedLedger.start();
  folder = mkdtempSync(path.join(tmpdir(), 'subledger-books-'));
});
afterEach(async () => {
  await ledger.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Two rows for each event, in the periods of two months, which tell how many events came before. */
function makePoster(): Poster {
  let before = 0;
  return {
    isWanted: (streamName) => streamName.startsWith('counter-'),
    post({ leaf, bookedAt, event }: BookedEvent) {
      before += 1;
      const period = leaf % 3 === 0 ? '2026-02' : '2026-01';
      return makeEntries(leaf).map((row) => {
        return { ...row, period, bookedAt, eventId: event.id, reason: `${before} events` };
      });
    },
  };
}

const keeper = (store: LedgerStore = ledger.store) =>
  new BooksKeeper({ store, folder, makePoster, intervalMs: 0 });
const readFiles = async () => [...(await new BooksLog(ledger.store).read()).files.values()];
const readList = () => JSON.parse(readFileSync(path.join(folder, 'files.json'), 'utf8')) as unknown;
const listFolder = () =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /parquet|making/.test(name))
    .sort();
const seal = () => sealNow(ledger.sealing);

/** The rows of all files, as a reader of Parquet sees them. */
async function readRows(): Promise<unknown[]> {
  const pattern = sqlText(path.join(folder, '**/*.parquet'));
  return DuckDb.with(folder, (duckDb) =>
    duckDb.all(`SELECT entry, leaf, reason, period FROM read_parquet(${pattern}, union_by_name = true,
      hive_types = {'environment': VARCHAR, 'period': VARCHAR}) ORDER BY leaf, entry`),
  );
}

/** A store that fails as a killed process would: at its nth append. */
function failing(nth: number): LedgerStore {
  let appends = 0;
  return new Proxy(ledger.store, {
    get(store, name) {
      const member: unknown = Reflect.get(store, name);
      if (name !== 'append') return member;
      return (...given: Parameters<LedgerStore['append']>) => {
        appends += 1;
        if (appends === nth) throw new Error('killed');
        return store.append(...given);
      };
    },
  });
}

describe('the books', () => {
  it('have the entries of each checkpoint in files of their months, and of no event twice', async () => {
    await ledger.add(300, 'a');
    await seal();
    const books = keeper();
    expect(await books.keep()).toMatchObject({ size: 300, rows: 600, files: 2 });
    await ledger.add(100, 'b');
    await seal();
    const figures = await books.keep();
    // The event of the first files has a leaf, and no entries.
    expect(figures).toMatchObject({ size: 401, rows: 800, files: 4 });
    expect(listFolder()).toEqual((await readFiles()).map((file) => file.path).sort());
    expect(readList()).toEqual(await readFiles());
    const rows = await readRows();
    expect(rows).toHaveLength(800);
    expect(rows.at(-1)).toMatchObject({ leaf: 400n, reason: '400 events', period: '2026-01' });
  });

  it('give rise to no further files by themselves', async () => {
    await ledger.add(10, 'a');
    await seal();
    const books = keeper();
    await books.keep();
    await seal();
    const files = await readFiles();
    await books.keep();
    await seal();
    await keeper().keep();
    expect(await readFiles()).toEqual(files);
    expect((await new BooksLog(ledger.store).read()).revision).toBe(0);
  });

  it('are the same by a keeper that goes on and by one that begins anew', async () => {
    await ledger.add(100, 'a');
    await seal();
    await keeper().keep();
    await ledger.add(100, 'b');
    await seal();
    await keeper().keep();
    const reasons = (await readRows()).map((row) => (row as { reason: string }).reason);
    expect(reasons).toEqual(
      Array.from({ length: 400 }, (_, at) => `${Math.floor(at / 2) + 1} events`),
    );
  });

  it('are made again with the same rows where files are lost or damaged', async () => {
    await ledger.add(300, 'a');
    await seal();
    await keeper().keep();
    const files = await readFiles();
    const rows = await readRows();
    truncateSync(path.join(folder, files[0]!.path), 1_000);
    await keeper().keep();
    expect(await readRows()).toEqual(rows);
    rmSync(folder, { recursive: true });
    await keeper().keep();
    expect(await readRows()).toEqual(rows);
    expect(await readFiles()).toEqual(files);
    expect(readList()).toEqual(files);
  });

  it('have the bytes of another version of DuckDB where they are made again by it', async () => {
    await ledger.add(300, 'a');
    await seal();
    await keeper().keep();
    const files = await readFiles();
    const older = files.map((file) => ({ ...file, fileHash: 'of an older version', bytes: 1 }));
    const log = new BooksLog(ledger.store);
    await log.renewFiles(await log.read(), older);
    // Where they are, their rows count.
    await keeper().keep();
    expect(await readFiles()).toEqual(older);
    rmSync(folder, { recursive: true });
    await keeper().keep();
    expect(await readFiles()).toEqual(files);
    expect(readList()).toEqual(files);
  });

  it('go on after a crash before their event, and leave nothing of it behind', async () => {
    await ledger.add(300, 'a');
    await seal();
    await expect(keeper(failing(1)).keep()).rejects.toThrow('killed');
    expect(await readFiles()).toEqual([]);
    await ledger.add(50, 'b');
    await seal();
    writeFileSync(path.join(folder, 'environment=test/period=2026-01/other.txt'), 'kept');
    await keeper().keep();
    expect(listFolder()).toEqual((await readFiles()).map((file) => file.path).sort());
    expect(await readRows()).toHaveLength(700);
    expect(readdirSync(path.join(folder, 'environment=test/period=2026-01'))).toContain(
      'other.txt',
    );
  });

  it('are refused in the folder of another ledger', async () => {
    const other = await SealedLedger.start();
    try {
      await other.add(10, 'a');
      await sealNow(other.sealing);
      await keeper(other.store).keep();
      await ledger.add(10, 'a');
      await seal();
      await expect(keeper().keep()).rejects.toThrow(/where the books of another ledger are/);
    } finally {
      await other.remove();
    }
  });
});
