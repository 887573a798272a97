import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BooksKeeper, BooksLog, BooksReader, MoneyPoster } from '#books';
import type { LedgerStore } from '#event-store';
import { SealReader } from '#sealing';
import { eventually } from '../../support/eventually.js';

const WRITTEN_LIMIT_MS = 60_000;
const MADE_HERE = /^environment=.*\.parquet/;

/** Waits until the books have all events up to a leaf, and their files are named. */
export async function untilWritten(store: LedgerStore, folder: string, leaves: number) {
  const isWritten = async () => {
    const { size, files, replaced } = await new BooksLog(store).read();
    // Reports that run may still read files that others have replaced.
    const there = listFiles(folder).filter((file) => !replaced.has(file));
    return size >= leaves && isDeepEqual(there, [...files.keys()].sort()) && isNamed(folder, files);
  };
  await eventually(isWritten, { what: `books of ${leaves} leaves`, limitMs: WRITTEN_LIMIT_MS });
}

function isNamed(folder: string, files: ReadonlyMap<string, unknown>): boolean {
  const list = path.join(folder, 'files.json');
  return (
    existsSync(list) && isDeepEqual(JSON.parse(readFileSync(list, 'utf8')), [...files.values()])
  );
}

function listFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => MADE_HERE.test(name)).sort();
}

/** Compares the books with the log. @returns a sentence for each difference. */
export async function auditBooks(
  store: LedgerStore,
  folder: string,
  app: string,
): Promise<string[]> {
  const found: string[] = [];
  const [filed, posted] = [
    await readEntries(store, folder, app),
    await readEntries(store, path.join(folder, 'nowhere'), app),
  ];
  if (!isDeepEqual(filed, posted)) {
    found.push(`${filed.length} entries are in files, and ${posted.length} follow from the log`);
  }
  found.push(...(await makeElsewhere(store)));
  return found;
}

/** All files, made again in another folder: the keeper compares the hashes of their rows. */
async function makeElsewhere(store: LedgerStore): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'subledger-books-again-'));
  const makePoster = (place: string) => new MoneyPoster(place);
  const keeper = new BooksKeeper({ store, folder, makePoster, intervalMs: 3_600_000 });
  try {
    await keeper.keep();
    return [];
  } catch (error) {
    return [`files are not made again: ${String(error)}`];
  } finally {
    keeper.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readEntries(store: LedgerStore, folder: string, app: string): Promise<string[]> {
  const upTo = await new SealReader(store).findLast();
  if (upTo === undefined) throw new Error('nothing is sealed');
  return BooksReader.with({ store, folder, app, environment: 'test', upTo }, async (books) => {
    const entries: string[] = [];
    for await (const row of books.rows('true')) {
      entries.push(
        JSON.stringify({ ...row, leaf: String(row.leaf), amountMinor: String(row.amountMinor) }),
      );
    }
    return entries;
  });
}

function isDeepEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
