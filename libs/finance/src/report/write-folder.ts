import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault, releaseVersion } from '#platform';
import { AccountNames } from '../accounts/account-names.js';
import { writeAccountNames } from '../accounts/accounts-csv.js';
import { JOURNAL } from './formats.js';
import type { PeriodBooks } from './period-books.js';
import type { ComputedReport, PrintOptions } from './computed-report.js';
import { sumTotals, toJsonTotal } from './control-totals.js';
import { computeReport } from './print-report.js';
import type { ReportHash } from './read-books.js';

/** A report on its way into a folder. */
export interface FolderOptions extends PrintOptions {
  readonly folder: string;
  /** As it was typed. */
  readonly command: string;
}

/** A file of a report. */
interface WrittenFile {
  readonly name: string;
  readonly sha256: string;
}

/** Everything that an auditor asks of a report (rules/finance 11). */
export interface Manifest {
  readonly files: readonly WrittenFile[];
}

/**
 * Writes a report, its accounts and its manifest to a folder that is new or empty.
 *
 * @throws Fault `refused` for a folder with files, and as `printReport`.
 */
export async function writeReportFolder(
  books: PeriodBooks,
  options: FolderOptions,
): Promise<Manifest> {
  const { folder, head, format, command, names } = options;
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw notEmpty(folder);
  const report = await computeReport(books, head.report, names);
  const totals = await sumTotals(books);
  const name = `${head.report}.${format === 'table' ? 'txt' : format}`;
  const file = path.join(folder, name);
  if (format === 'parquet') await books.books.writeParquet(report.select(), file);
  else await writeFile(file, report.print(options));
  const accounts = new Set(totals.map(({ account }) => account));
  await writeFile(
    path.join(folder, 'accounts.csv'),
    writeAccountNames(accounts, names ?? new AccountNames()),
  );
  const files = await Promise.all(['accounts.csv', name].map((each) => describe(folder, each)));
  const manifest = {
    ...{ command, ...head, format, program: releaseVersion() },
    ...(await hashRows(books, report, options)),
    ...{ totals: totals.map(toJsonTotal), files },
  };
  await writeFile(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** The same for each format: of a journal, which may have millions of rows, its canonical lines; else its rows as CSV. */
async function hashRows(
  { books, booked }: PeriodBooks,
  report: ComputedReport,
  options: FolderOptions,
): Promise<ReportHash> {
  if (options.head.report === JOURNAL) return books.hash(booked, books.periodOrder);
  const hash = createHash('sha256');
  for await (const piece of report.print({ ...options, format: 'csv' })) hash.update(piece);
  return { rows: await report.count(), rowsHash: hash.digest('hex') };
}

async function describe(folder: string, name: string): Promise<WrittenFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path.join(folder, name)), hash);
  return { name, sha256: hash.digest('hex') };
}

function notEmpty(folder: string): Fault {
  const message = `${folder} is not empty: a report is written to a new folder, or to an empty one.`;
  return new Fault('refused', message, { retryable: false });
}
