import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachConcurrently, syncDirectory } from '#platform';
import { type AccountTotals, type BookFile, type BookPart, bookPath } from './book-file.js';
import { ROW_ORDER, selectCanonicalLines, selectStaged } from './canonical-rows.js';
import { type DuckDb, sqlText } from './duckdb.js';
import type { Merge } from './merges.js';
import type { StagedPart } from './staged-rows.js';

/** A question about one app skips the groups of others; DuckDB writes multiples of 2,048 rows. */
const ROW_GROUP_SIZE = 102_400;
/** DuckDB sorts and writes one small file with one thread; more at once would share the memory of sorts. */
const FILES_AT_ONCE = 2;
/** The ending of a file until it is whole: no reader of `*.parquet` sees it. */
const UNFINISHED = '.making';

/** Sorts staged rows into the files of their parts, each of which is in its place behind those before it. */
export async function writeStaged(
  duckDb: DuckDb,
  folder: string,
  parts: readonly StagedPart[],
): Promise<BookFile[]> {
  const files = new Map<StagedPart, BookFile>();
  await forEachConcurrently(parts, FILES_AT_ONCE, async (part) => {
    const make = (own: DuckDb) => makePart(own, folder, part.part, selectStaged(part.file));
    files.set(part, await duckDb.beside(make));
  });
  const made = parts.flatMap((part) => files.get(part) ?? []);
  for (const file of made) await putInPlace(folder, file);
  return made;
}

/** Writes one file with the rows of several. @param folder BOOKS_DIR. */
export async function mergeFiles(
  duckDb: DuckDb,
  folder: string,
  { part, replaced }: Merge,
): Promise<BookFile> {
  const files = replaced.map((file) => sqlText(path.join(folder, file))).join(', ');
  // The folders' names are no columns of the file.
  const options = 'union_by_name = true, hive_partitioning = false';
  const rows = `SELECT * FROM read_parquet([${files}], ${options})`;
  const file = await makePart(duckDb, folder, part, rows);
  await putInPlace(folder, file);
  return file;
}

/** Writes the file of a part beside its place. @param rows a query. */
async function makePart(
  duckDb: DuckDb,
  folder: string,
  part: BookPart,
  rows: string,
): Promise<BookFile> {
  const { environment, period, first, last } = part;
  const place = bookPath(part);
  const file = path.join(folder, place);
  const unfinished = `${file}${UNFINISHED}`;
  await mkdir(path.dirname(file), { recursive: true });
  await rm(unfinished, { force: true });
  await duckDb.run(
    `COPY (${rows} ORDER BY ${ROW_ORDER}) TO ${sqlText(unfinished)} ` +
      `(FORMAT parquet, ROW_GROUP_SIZE ${ROW_GROUP_SIZE})`,
  );
  const hashed = await hashRows(duckDb, unfinished);
  const totals = await sumAccounts(duckDb, unfinished);
  const fileHash = await hashFile(unfinished);
  const { size: bytes } = await stat(unfinished);
  const described = { environment, period, first, last, path: place, ...hashed, totals };
  return { ...described, bytes, fileHash, writerVersion: duckDb.version };
}

/** A number of rows and their hash, by which they are compared whatever file has them. */
export interface HashedRows {
  readonly rows: number;
  /** The SHA-256 of their canonical lines. */
  readonly rowsHash: string;
}

/** Those of a file, read back from it. */
export function hashRows(duckDb: DuckDb, file: string): Promise<HashedRows> {
  return hashLines(duckDb, selectCanonicalLines(file));
}

/** @param query for canonical lines as bytes: they become no texts, which took half of the time. */
export async function hashLines(duckDb: DuckDb, query: string): Promise<HashedRows> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const lines of duckDb.blobs(query)) {
    for (const line of lines) hash.update(line);
    rows += lines.length;
  }
  return { rows, rowsHash: hash.digest('hex') };
}

/** The SHA-256 of a file's bytes. @throws the system's error. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Sums are HUGEINT: they pass 2^63, and are digits from then on. */
async function sumAccounts(duckDb: DuckDb, file: string): Promise<AccountTotals[]> {
  const sums = await duckDb.all(
    'SELECT account, currency, coalesce(sum(debit_minor), 0) AS debit, ' +
      `coalesce(sum(credit_minor), 0) AS credit FROM read_parquet(${sqlText(file)}) ` +
      'GROUP BY account, currency ORDER BY account, currency',
  );
  return sums.map(({ account, currency, debit, credit }) => ({
    ...{ account: String(account), currency: String(currency) },
    ...{ debit: String(debit), credit: String(credit) },
  }));
}

/** Renames a file that was made beside its place: after a power cut it is whole or not there. */
async function putInPlace(folder: string, { path: place }: BookFile): Promise<void> {
  const file = path.join(folder, place);
  const unfinished = `${file}${UNFINISHED}`;
  const handle = await open(unfinished, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    await syncDirectory(at);
    if (at === folder || at === path.dirname(at)) return;
  }
}
