import type { JournalRow } from '#domain/bookkeeping';
import { Fault } from '#platform';
import { type FoundCheckpoint, SealReader } from '#sealing';
import type { BookFile } from './book-file.js';
import { BooksFolder } from './books-folder.js';
import { BooksLog, type BooksState } from './books-log.js';
import { type FileTask, workOnFiles, type WorkOnFiles } from './file-work.js';
import { type BookedStore, PostedLog, type Poster } from './posted-log.js';
import { StagedRows } from './staged-rows.js';

/** An event covers so many leaves without entries, so that no later start posts them again. */
const SILENT_LEAVES = 100_000;

/** The books of a ledger and the means to keep them. */
export interface BooksOptions {
  readonly store: BookedStore;
  /** BOOKS_DIR. */
  readonly folder: string;
  /** @param folder for payments beyond those in memory: it exists. */
  readonly makePoster: (folder: string) => Poster;
  /** DuckDB's work; in this process where it is left out. */
  readonly work?: WorkOnFiles;
  /** So long after the last files no others are written, in milliseconds: each would be small. */
  readonly intervalMs: number;
  readonly signal?: AbortSignal;
}

/** How far the books are. */
export interface BooksFigures {
  /** All events of leaves before it are in files. */
  readonly size: number;
  readonly rows: number;
  readonly files: number;
  /** When the last files were written, in milliseconds since 1970; 0 where none were. */
  readonly writtenAtMs: number;
}

/**
 * Keeps the files of the books. All follows from the log: after a crash at any step, the next writing gives the same
 * rows, and the log says which files count.
 */
export class BooksKeeper {
  readonly #log: BooksLog;
  /** Behind an error, or another bookkeeper's writing, postings begin anew. */
  #posted: PostedLog | undefined;

  constructor(private readonly options: BooksOptions) {
    this.#log = new BooksLog(options.store);
  }

  /**
   * Makes lost files again and writes the entries of all events that are sealed now.
   *
   * @throws Fault of the store; SettingRefused for a folder with other books; RevisionConflict where another
   *   bookkeeper writes.
   */
  async keep(): Promise<BooksFigures> {
    try {
      return await this.#keep();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Forgets the postings: the next writing begins anew. */
  end(): void {
    this.#posted?.end();
    this.#posted = undefined;
  }

  async #keep(): Promise<BooksFigures> {
    const { store } = this.options;
    const folder = await BooksFolder.open(
      this.options.folder,
      (await store.namespaces.require()).storeId,
    );
    const found = await this.#log.read();
    const last = await new SealReader(store).findLast();
    if (last === undefined) return toFigures(found);
    if (last.checkpoint.size < found.size) throw shorterLog(last.checkpoint.size, found.size);
    const before = await this.#makeAgain(folder, found, last);
    const isDue = Date.now() - before.writtenAtMs >= this.options.intervalMs;
    if (isDue && last.checkpoint.size > before.size) await this.#writeNew(folder, before, last);
    const after = await this.#log.read();
    await folder.settle(after.files);
    return toFigures(after);
  }

  async #writeNew(folder: BooksFolder, state: BooksState, upTo: FoundCheckpoint): Promise<void> {
    const { size } = upTo.checkpoint;
    const leaves = { first: state.size, last: size - 1 };
    const staged = await StagedRows.begin(folder.path);
    try {
      for await (const { leaf, rows } of this.#post(upTo)) {
        if (leaf < state.size) continue;
        for (const row of rows) staged.add(row, leaves);
        if (staged.isFull) await staged.flush();
        this.options.signal?.throwIfAborted();
      }
      const files = await this.#writeFiles(folder, staged);
      const isSilent = files.length === 0 && size - state.size < SILENT_LEAVES;
      if (!isSilent) await this.#log.addFiles(state, size, files);
    } finally {
      await staged.end();
    }
  }

  #post(upTo: FoundCheckpoint) {
    this.#posted ??= this.#beginLog();
    return this.#posted.postUpTo(upTo);
  }

  /** Lost and damaged files have the same rows again: they follow from the log. */
  async #makeAgain(folder: BooksFolder, state: BooksState, upTo: FoundCheckpoint) {
    const doubtful = await folder.findDoubtful(state.files.values());
    if (doubtful.length === 0) return state;
    const staged = await StagedRows.begin(folder.path);
    try {
      const places = { folder: folder.path, spillFolder: staged.folder };
      const lost = await this.#work({ ...places, kind: 'find-lost', files: doubtful });
      if (lost.length === 0) return state;
      await this.#stageLost(staged, lost, upTo);
      const made = new Map(
        (await this.#writeFiles(folder, staged)).map((file) => [file.path, file]),
      );
      for (const file of lost) {
        if (made.get(file.path)?.rowsHash !== file.rowsHash) throw otherRows(file);
      }
      const renewed = [...made.values()].filter(
        ({ path, fileHash }) => state.files.get(path)?.fileHash !== fileHash,
      );
      await this.#log.renewFiles(state, renewed);
      return await this.#log.read();
    } finally {
      await staged.end();
    }
  }

  async #stageLost(staged: StagedRows, lost: readonly BookFile[], upTo: FoundCheckpoint) {
    const posted = this.#beginLog();
    try {
      for await (const { leaf, rows } of posted.postUpTo(upTo)) {
        for (const row of rows) {
          const file = lost.find((each) => isOfFile(row, leaf, each));
          if (file !== undefined) staged.add(row, file);
        }
        if (staged.isFull) await staged.flush();
        this.options.signal?.throwIfAborted();
      }
    } finally {
      posted.end();
    }
  }

  #beginLog(): PostedLog {
    const { store, makePoster, folder } = this.options;
    return new PostedLog(store, makePoster(folder));
  }

  async #writeFiles(folder: BooksFolder, staged: StagedRows): Promise<readonly BookFile[]> {
    await staged.flush();
    const parts = staged.list();
    if (parts.length === 0) return [];
    const places = { folder: folder.path, spillFolder: staged.folder };
    return this.#work({ ...places, kind: 'write', parts });
  }

  #work(task: FileTask): Promise<readonly BookFile[]> {
    const { work = workOnFiles, signal } = this.options;
    return work(task, signal);
  }
}

function isOfFile(row: JournalRow, leaf: number, file: BookFile): boolean {
  const isOfPart = row.environment === file.environment && row.period === file.period;
  return isOfPart && leaf >= file.first && leaf <= file.last;
}

function toFigures({ size, files, writtenAtMs }: BooksState): BooksFigures {
  const rows = [...files.values()].reduce((sum, file) => sum + file.rows, 0);
  return { size, rows, files: files.size, writtenAtMs };
}

function shorterLog(size: number, covered: number): Fault {
  const message =
    `The books have the events of ${covered} leaves, and the last checkpoint has ${size}: nothing was written. ` +
    'A store that was restored from a backup is to be sealed first.';
  return new Fault('undecodable', message, { retryable: false });
}

function otherRows({ path, rows }: BookFile): Fault {
  const message =
    `${path} cannot be made again: the log does not give the ${rows} rows that were written. ` +
    'subledger seal verify tells whether events were altered.';
  return new Fault('undecodable', message, { retryable: false });
}
