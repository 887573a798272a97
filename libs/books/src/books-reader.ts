import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AccountingPeriod, JournalRow } from '#domain/bookkeeping';
import type { Environment, Instant } from '#domain/event';
import type { FoundCheckpoint } from '#sealing';
import type { BookFile } from './book-file.js';
import { type EventOfApp, readAppEvents } from './app-events.js';
import { BooksFolder } from './books-folder.js';
import { BooksLog } from './books-log.js';
import { readRowLine, ROW_ORDER, selectLines, selectRowLines } from './canonical-rows.js';
import { CheckpointTimes } from './checkpoint-times.js';
import { DuckDb, type SqlValue, sqlText } from './duckdb.js';
import { type BookedClose, findHeld, foreseeBefore, type ForeseenClose } from './foreseen-close.js';
import { makeMoneyPoster } from './money-poster.js';
import { type HashedRows, hashLines } from './parquet-files.js';
import { type BookedStore, type MakePoster, PostedLog } from './posted-log.js';
import { RowsTable } from './rows-table.js';

/** The files of the books. */
interface Files {
  /** BOOKS_DIR: where it is not there, or none is named, all is posted from the log. */
  readonly folder?: string | undefined;
  /** Whether files are read for damage first, which takes as long as to read all of them; else their sizes count. */
  readonly checksFiles?: boolean;
}

/** The books as they are read for one app. */
export interface ReaderOptions extends Files {
  readonly store: BookedStore;
  /** Another one than that of the rules, for tests. */
  readonly makePoster?: MakePoster;
  /** As if the app had closed neither this period nor a later one: all is posted from the log. */
  readonly openFrom?: AccountingPeriod;
  readonly app: string;
  readonly environment: Environment;
  /** Events of leaves before its end count. */
  readonly upTo: FoundCheckpoint;
}

/** Which books are read; the files of them are the reader's own. */
interface Reading extends Omit<ReaderOptions, keyof Files> {
  /** Whether all is posted from the log, and no file of the books is read. */
  readonly isFromLog?: boolean;
}

type Values = Awaited<ReturnType<DuckDb['all']>>[number];

/**
 * The rows of one app up to a checkpoint: from the files of the books, and behind their end posted from the log. It is a
 * relation for statements, and lasts as long as the work on it.
 */
export class BooksReader {
  readonly #files: string[] = [];
  /** A statement for the rows of books that these are a part of; empty where they are of none. */
  #whole = '';
  /** Whether a file has entries of leaves behind the checkpoint. */
  #isCut = false;
  /** Whether all rows have leaves behind those of the rows before them, of each period. */
  #isInOrder = true;
  /** Of the app, up to the end of the files, or of the checkpoint where that lies behind it. */
  #closes: readonly BookedClose[] = [];

  private constructor(
    private readonly duckDb: DuckDb,
    private readonly folder: string,
    /** Rows that are in no file; they come behind those of the files, as DuckDB keeps the order of UNION ALL. */
    private readonly unfiled: RowsTable,
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
      const at = await findMoment(options);
      return await DuckDb.with(folder, async (duckDb) => {
        const unfiled = await RowsTable.create(duckDb, folder, 'unfiled');
        const books = new BooksReader(duckDb, folder, unfiled, options, at);
        await books.#open();
        return use(books);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Opens books by some files: those of a bookkeeper, or of a data directory. */
  static by(files: Files) {
    return <Result>(
      { isFromLog = false, ...reading }: Reading,
      use: (books: BooksReader) => Promise<Result>,
    ): Promise<Result> => BooksReader.with({ ...reading, ...(isFromLog ? {} : files) }, use);
  }

  /**
   * The same books up to the end of a close, as long as these are open. Closes before it are in its checkpoint, and
   * others are of later leaves: its rows are those that come first.
   *
   * @throws Fault of the store.
   */
  async upToClose(upTo: FoundCheckpoint): Promise<BooksReader> {
    const { duckDb, folder } = this;
    const { size } = upTo.checkpoint;
    const options = { ...this.options, upTo };
    const own = await RowsTable.create(duckDb, folder, `unfiled_${size}`);
    const books = new BooksReader(duckDb, folder, own, options, await findMoment(options));
    books.#closes = this.#closes;
    books.#isInOrder = this.#isInOrder;
    const held = `NOT (suffix(rule, '/recognized') AND period > ${sqlText(books.closedThrough)})`;
    books.#whole = `SELECT * FROM (${this.#select()}) WHERE leaf < ${size} AND ${held}`;
    return books;
  }

  /** The last month whose recognitions the relation holds: it has them of all months up to there. Empty for none. */
  get closedThrough(): AccountingPeriod {
    return findHeld(this.#closes, this.options.upTo.checkpoint.size);
  }

  /** Rows that are not in the books, such as recognitions of open months: they belong to the relation from then on. */
  async add(rows: Iterable<JournalRow> | AsyncIterable<JournalRow>): Promise<void> {
    if ((await this.unfiled.insert(rows)) > 0) this.#isInOrder = false;
  }

  /**
   * The order of the books, for a statement about the rows of one period; empty where they come in it by themselves, so
   * that millions of rows are not sorted.
   */
  get periodOrder(): string {
    return this.#isInOrder ? '' : ROW_ORDER;
  }

  /** The answer of a statement about `entries`, the app's rows with `environment` and `period`. */
  async all(sql: string, values: readonly SqlValue[] = []): Promise<readonly Values[]> {
    return this.duckDb.all(`WITH entries AS (${this.#select()}) ${sql}`, values);
  }

  /** Rows by a condition, in the order of the books or that of other columns; unsorted where the order is empty. */
  async *rows(condition: string, order = ROW_ORDER): AsyncGenerator<JournalRow> {
    const lines = selectRowLines(this.#where(condition), order);
    for await (const texts of this.duckDb.texts(lines)) {
      for (const text of texts) yield readRowLine(text, this.options.environment);
    }
  }

  /** Events of the app up to the checkpoint, in the order of leaves: all of the log is read for them. */
  events(categories: ReadonlySet<string>): AsyncGenerator<EventOfApp> {
    const { store, app, upTo } = this.options;
    const foreseen = foreseeBefore(this.#closes, upTo.checkpoint.size);
    return readAppEvents(store, { app, upTo, categories, foreseen });
  }

  /** The hash of rows by a condition. @param order empty where they stay as they come. */
  hash(condition: string, order: string): Promise<HashedRows> {
    return hashLines(this.duckDb, selectLines(this.#where(condition), order));
  }

  /** Writes the answer of a statement about `entries` to a new file of Parquet. */
  async writeParquet(sql: string, file: string): Promise<void> {
    const query = `WITH entries AS (${this.#select()}) ${sql}`;
    await this.duckDb.run(`COPY (${query}) TO ${sqlText(file)} (FORMAT parquet)`);
  }

  /** Files that are not at hand are no reason to wait for a bookkeeper: the log has all that they have. */
  async #open(): Promise<void> {
    const { store, app, upTo, openFrom } = this.options;
    const { size } = upTo.checkpoint;
    let { from, foreseen } = await this.#openFiles();
    while (from < size) {
      const { makePoster = makeMoneyPoster } = this.options;
      const opened = openFrom === undefined ? {} : { openFrom: { app, period: openFrom } };
      const posted = new PostedLog(store, makePoster(this.folder, { foreseen, ...opened }), app);
      try {
        const rows = this.#noteOrder(rowsOf(posted.postUpTo(upTo), { from, app }));
        await this.unfiled.insert(rows);
      } finally {
        posted.end();
      }
      this.#closes = posted.closes.filter((close) => close.app === app);
      const missed = posted.missed.filter((close) => close.app === app);
      if (missed.length === 0) return;
      // Entries of the files, and of these rows, are in periods that were closed without them.
      this.#files.length = 0;
      await this.unfiled.clear();
      foreseen = [...foreseen, ...missed];
      from = 0;
    }
  }

  /** Recognitions of a close come behind the entries that they follow from, and have their leaves. */
  async *#noteOrder(rows: AsyncIterable<JournalRow>): AsyncGenerator<JournalRow> {
    for await (const row of rows) {
      if (row.recognized !== '') this.#isInOrder = false;
      yield row;
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

  /** @returns the leaf from which on events are in no file: the first one where the files cannot be used. */
  async #openFiles(): Promise<{ from: number; foreseen: readonly ForeseenClose[] }> {
    const { store, folder, app, environment, upTo, openFrom } = this.options;
    const end = upTo.checkpoint.size;
    if (folder === undefined || openFrom !== undefined) return { from: 0, foreseen: [] };
    const { size, files, foreseen: known, closes } = await new BooksLog(store).read();
    const foreseen = foreseeBefore(known, end);
    const { storeId } = await store.namespaces.require();
    this.#closes = closes.filter((close) => close.app === app);
    const held = this.closedThrough;
    // A file of leaves behind a close's own checkpoint may hold its recognitions.
    const wanted = [...files.values()].filter((file) => {
      return file.environment === environment && (file.first < end || file.period <= held);
    });
    // Files foresee closes that an older checkpoint does not know.
    const areNewer = known.some(
      (close) => close.app === app && close.size < end && close.leaf >= end,
    );
    const found = areNewer ? undefined : await BooksFolder.find(folder, storeId);
    if (!(await this.#areAtHand(found, wanted))) return { from: 0, foreseen };
    // By their periods, and those of one by their leaves.
    this.#files.push(...wanted.map((file) => path.join(folder, file.path)).sort());
    this.#isCut = wanted.some(({ last }) => last >= end);
    const closed = wanted.filter(({ period }) => period <= held);
    // Those of a close may be in another file than the entries that they follow from.
    this.#isInOrder = new Set(closed.map(({ period }) => period)).size === closed.length;
    return { from: size, foreseen };
  }

  #where(condition: string): string {
    return `(SELECT * FROM (${this.#select()}) WHERE ${condition})`;
  }

  /** Every reader of ours says `union_by_name` and the types of the folders' names. */
  #select(): string {
    const unfiled = `SELECT * FROM ${this.unfiled.name}`;
    if (this.#whole !== '') return `${this.#whole} UNION ALL BY NAME ${unfiled}`;
    if (this.#files.length === 0) return unfiled;
    const filed =
      `SELECT * FROM read_parquet([${this.#files.map(sqlText).join(', ')}], union_by_name = true, ` +
      "hive_partitioning = true, hive_types = {'environment': VARCHAR, 'period': VARCHAR})";
    return `${filed} WHERE ${this.#listConditions().join(' AND ')} UNION ALL BY NAME ${unfiled}`;
  }

  /** A file is of all apps, and may have entries and closes that lie behind the checkpoint. */
  #listConditions(): string[] {
    const { app, upTo } = this.options;
    const conditions = [`app = ${sqlText(app)}`];
    if (this.#isCut) conditions.push(`leaf < ${upTo.checkpoint.size}`);
    const held = this.closedThrough;
    if (this.#closes.some(({ period }) => period > held)) {
      conditions.push(`NOT (suffix(rule, '/recognized') AND period > ${sqlText(held)})`);
    }
    return conditions;
  }
}

/** The moment of the first checkpoint that has the last leaf. */
async function findMoment({ store, upTo }: ReaderOptions): Promise<Instant> {
  const times = new CheckpointTimes(store);
  await times.find(upTo.checkpoint.size - 1);
  return times.at;
}

async function* rowsOf(
  posted: ReturnType<PostedLog['postUpTo']>,
  { from, app }: { readonly from: number; readonly app: string },
): AsyncGenerator<JournalRow> {
  for await (const { leaf, rows } of posted) {
    if (leaf >= from) yield* rows.filter((row) => row.app === app);
  }
}
