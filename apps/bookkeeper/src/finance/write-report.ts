import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { BooksReader } from '#books';
import type { LedgerStore } from '#event-store';
import {
  answerTask,
  type BookkeeperTask,
  FinanceRefusal,
  findFinanceApp,
  type OpenReport,
  printReport,
  readAccountNames,
  type ReportQuestion,
  type ReportSources,
  withReport,
  writeReportParquet,
} from '#finance';
import { Fault } from '#platform';
import { readSealingKeys, sealNow } from '#sealing';
import type { BookkeeperConfig } from '../config.js';
import type { ReportStart } from './report-start.js';

type Settings = Pick<
  BookkeeperConfig,
  'booksDir' | 'sealFormerKeyFile' | 'sealKeyFile' | 'sealOriginHost'
>;
type Bytes = AsyncIterable<string | Buffer>;

/**
 * Writes the answer to a task to the standard output: a line that says whether there is one, and then its bytes, which
 * are those of the command.
 *
 * @throws Fault of the store; Error where the rows are no journal: the report is broken off then.
 */
export async function writeReport(
  store: LedgerStore,
  task: BookkeeperTask,
  settings: Settings,
): Promise<void> {
  const { booksDir: folder, sealOriginHost: originHost } = settings;
  const seal = async () => sealNow({ store, keys: await readSealingKeys(settings), originHost });
  try {
    const app = await findFinanceApp(store, task.app, 'bookkeeper');
    if (app === undefined) {
      throw new FinanceRefusal('REPORT_REFUSED', `There is no app ${task.app}.`);
    }
    await answer({ app, seal, withBooks: BooksReader.by({ folder }) }, task);
  } catch (error) {
    const refused = readRefusal(error);
    if (refused === undefined) throw error;
    await writeStart(refused);
  }
}

async function answer(sources: ReportSources, task: BookkeeperTask): Promise<void> {
  if (task.kind === 'report') {
    const { question } = task;
    await withReport(sources, question, (report) => writeAll(print(report, question)));
    return;
  }
  const text = JSON.stringify(await answerTask(sources, task));
  await writeStart('begun');
  await write(`${text}\n`);
}

async function* print(
  { books, head, zone }: OpenReport,
  { format, accounts }: ReportQuestion,
): AsyncGenerator<string | Buffer> {
  if (format !== 'parquet') {
    const reading = accounts === undefined ? undefined : readAccountNames(accounts);
    const names = reading?.accepted === true ? { names: reading.names } : {};
    yield* printReport(books, { head, format, zone, table: noTable, ...names });
    return;
  }
  // The parent deletes all temporary files of this process.
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'parquet-')), head.report);
  await writeReportParquet(books, head.report, file);
  // A stream without an encoding gives bytes.
  yield* createReadStream(file) as AsyncIterable<Buffer>;
}

/** The first piece is made before the report begins: one is refused whole. */
async function writeAll(pieces: Bytes): Promise<void> {
  let isBegun = false;
  for await (const piece of pieces) {
    if (!isBegun) await writeStart('begun');
    isBegun = true;
    await write(piece);
  }
  if (!isBegun) await writeStart('begun');
}

function writeStart(start: ReportStart): Promise<void> {
  return write(`${JSON.stringify(start)}\n`);
}

async function write(piece: string | Buffer): Promise<void> {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

function readRefusal(error: unknown): ReportStart | undefined {
  if (error instanceof FinanceRefusal) return { reason: error.reason, message: error.message };
  const isRefused = error instanceof Fault && error.code === 'refused';
  return isRefused ? { reason: 'REPORT_REFUSED', message: error.message } : undefined;
}

function noTable(): never {
  throw new RangeError('a terminal is asked by the command');
}
