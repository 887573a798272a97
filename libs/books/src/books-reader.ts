import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JournalRow } from '#domain/bookkeeping';
import type { Environment, Instant } from '#domain/event';
import type { FoundCheckpoint } from '#sealing';
import type { BookFile } from './book-file.js';
import { type EventOfApp, readAppEvents } from './app-events.js';
import { BooksFolder } from './books-folder.js';
import { BooksLog } from './books-log.js';
import { NO_ROWS, readRowLine, ROW_ORDER, selectLines, selectRowLines } from './canonical-rows.js';
import { CheckpointTimes } from './checkpoint-times.js';
import { DuckDb, type SqlValue, sqlText } from './duckdb.js';
import { MoneyPoster } from './money-poster.js';
import { type HashedRows, hashLines, writeStaged } from './parquet-files.js';
import { type BookedStore, PostedLog, type Poster } from './posted-log.js';
import { StagedRows } from './staged-rows.js';

/** The books as they are read for one app. */
export interface ReaderOptions {
  readonly store: BookedStore;
  /** BOOKS_DIR: where it is not there, or none is kept, all is posted from the log. */
  readonly folder: string | undefined;
  /** Another one than that of the rules, for tests. */
  readonly makePoster?: (folder: string) => Poster;
  readonly app: string;
  readonly environment: Environment;
  /** Whether files are read for damage first, which takes as long as to read all of them; else their sizes count. */
  readonly checksFiles?: boolean;
  /** Events of leaves before its end count. */
  readonly upTo: FoundCheckpoint;
}

type Values = Awaited<ReturnType<DuckDb['all']>>[number];

/**
 * The rows of one app up to a checkpoint: from the files of the books, and behind their end posted from the log. It is a
 * relation for statements, and lasts as long as the work on it.
 */
export class BooksReader {
  readonly #files: string[] = [];
  /** Whether all files have leaves behind those of the files before them, of each period. */
  #isInOrder = true;

  private constructor(
    private readonly duckDb: DuckDb,
    private readonly folder: string,
    private readonly options: ReaderOptions,
    /** The moment of the first checkpoint that has the last leaf. */
    readonly asOf: Instant,
  ) {}

  /** @throws Fault of the store; UndecodableEvent for an event of a newer release. */
  static async with<Result>(
    options: ReaderOptions,
    use: (books: BooksReader) => Promise<Result>,
  ): Promise<Result> {
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-report-'));
    try {
      const times = new CheckpointTimes(options.store);
      await times.find(options.upTo.checkpoint.size - 1);
      return await DuckDb.with(folder, async (duckDb) => {
        const books = new BooksReader(duckDb, folder, options, times.at);
        await books.#open();
        return use(books);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Rows that are not in the books, such as recognitions: they belong to the relation from then on. */
  async add(name: string, rows: Iterable<JournalRow> | AsyncIterable<JournalRow>): Promise<void> {
    const files = await this.#write(name, rows);
    this.#files.push(...files);
    if (files.length > 0) this.#isInOrder = false;
  }

  /**
   * The order of the books, for a statement about the rows of one period; empty where they come in it by themselves, so
   * that millions of rows are not sorted.
   */
  get periodOrder(): string {
    return this.#isInOrder ? '' : ROW_ORDER;
  }

  async #write(name: string, rows: Iterable<JournalRow> | AsyncIterable<JournalRow>) {
    const staged = await StagedRows.begin(this.folder);
    const folder = path.join(this.folder, name);
    await mkdir(folder);
    const leaves = { first: 0, last: this.options.upTo.checkpoint.size - 1 };
    for await (const row of rows) {
      staged.add(row, leaves);
      if (staged.isFull) await staged.flush();
    }
    await staged.flush();
    const files: string[] = [];
    for (const part of staged.list()) {
      const file = await writeStaged(this.duckDb, folder, part);
      files.push(path.join(folder, file.path));
    }
    await staged.end();
    return files;
  }

  /** The answer of a statement about `entries`, the app's rows with `environment` and `period`. */
  async all(sql: string, values: readonly SqlValue[] = []): Promise<readonly Values[]> {
    return this.duckDb.all(`WITH entries AS (${this.#select()}) ${sql}`, values);
  }

  /** Rows by a condition, in the order of the books or that of other columns; unsorted where the order is empty. */
  async *rows(condition: string, order = ROW_ORDER): AsyncGenerator<JournalRow> {
    const lines = selectRowLines(`(${this.#select()} AND ${condition})`, order);
    for await (const texts of this.duckDb.texts(lines)) {
      for (const text of texts) yield readRowLine(text, this.options.environment);
    }
  }

  /** Events of the app up to the checkpoint, in the order of leaves: all of the log is read for them. */
  events(categories: ReadonlySet<string>): AsyncGenerator<EventOfApp> {
    const { store, app, upTo } = this.options;
    return readAppEvents(store, { app, upTo, categories });
  }

  /** The hash of rows by a condition. @param order empty where they stay as they come. */
  hash(condition: string, order: string): Promise<HashedRows> {
    return hashLines(this.duckDb, selectLines(`(${this.#select()} AND ${condition})`, order));
  }

  /** Writes the answer of a statement about `entries` to a new file of Parquet. */
  async writeParquet(sql: string, file: string): Promise<void> {
    const query = `WITH entries AS (${this.#select()}) ${sql}`;
    await this.duckDb.run(`COPY (${query}) TO ${sqlText(file)} (FORMAT parquet)`);
  }

  /** Files that are not at hand are no reason to wait for a bookkeeper: the log has all that they have. */
  async #open(): Promise<void> {
    const { store, folder, app, environment, upTo } = this.options;
    const { size, files } = await new BooksLog(store).read();
    const wanted = [...files.values()].filter(
      (file) => file.environment === environment && file.first < upTo.checkpoint.size,
    );
    // By their periods, and those of one by their leaves.
    const places = wanted.map((file) => path.join(folder ?? '', file.path)).sort();
    const { storeId } = await store.namespaces.require();
    const found = folder === undefined ? undefined : await BooksFolder.find(folder, storeId);
    const areThere = await this.#areAtHand(found, wanted);
    if (areThere) this.#files.push(...places);
    const from = areThere ? size : 0;
    if (from < upTo.checkpoint.size) {
      const { makePoster = (at: string) => new MoneyPoster(at) } = this.options;
      const posted = new PostedLog(store, makePoster(this.folder));
      try {
        this.#files.push(
          ...(await this.#write('posted', rowsOf(posted.postUpTo(upTo), { from, app }))),
        );
      } finally {
        posted.end();
      }
    }
  }

  async #areAtHand(folder: BooksFolder | undefined, files: readonly BookFile[]) {
    if (folder === undefined) return false;
    for (const file of files) {
      const isWhole =
        this.options.checksFiles === true ? folder.hasBytes(file) : folder.hasSize(file);
      if (!(await isWhole)) return false;
    }
    return true;
  }

  /** Every reader of ours says `union_by_name` and the types of the folders' names. */
  #select(): string {
    const { app, upTo } = this.options;
    const files = this.#files.map(sqlText).join(', ');
    const source =
      files === ''
        ? NO_ROWS
        : `read_parquet([${files}], union_by_name = true, hive_partitioning = true, ` +
          "hive_types = {'environment': VARCHAR, 'period': VARCHAR})";
    return `SELECT * FROM ${source} WHERE app = ${sqlText(app)} AND leaf < ${upTo.checkpoint.size}`;
  }
}

async function* rowsOf(
  posted: ReturnType<PostedLog['postUpTo']>,
  { from, app }: { readonly from: number; readonly app: string },
): AsyncGenerator<JournalRow> {
  for await (const { leaf, rows } of posted) {
    if (leaf >= from) yield* rows.filter((row) => row.app === app);
  }
}
