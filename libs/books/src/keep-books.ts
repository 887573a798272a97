import type { JournalRow } from '#domain/bookkeeping';
import { wallClock } from '#platform';
import { type FoundCheckpoint, SealReader } from '#sealing';
import type { BookFile } from './book-file.js';
import { BooksFolder } from './books-folder.js';
import { BooksLog, type BooksState, type FilesToAdd } from './books-log.js';
import { type FileTask, workOnFiles, type WorkOnFiles } from './file-work.js';
import type { ForeseenClose } from './foreseen-close.js';
import { listMerges } from './merges.js';
import { makeMoneyPoster } from './money-poster.js';
import { lostCheckpoint, otherRows, shorterLog } from './kept-books-faults.js';
import { type BookedStore, type MakePoster, PostedLog } from './posted-log.js';
import { StagedRows } from './staged-rows.js';

/** An event covers so many leaves without entries, so that no later start posts them again. */
const SILENT_LEAVES = 100_000;

/** The books of a ledger and the means to keep them. */
export interface BooksOptions {
  readonly store: BookedStore;
  /** BOOKS_DIR. */
  readonly folder: string;
  /** Another one than that of the rules, for tests. */
  readonly makePoster?: MakePoster;
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
    const before = await this.#makeAgain(folder, found);
    const isDue = Date.now() - before.writtenAtMs >= this.options.intervalMs;
    if (isDue && last.checkpoint.size > before.size) {
      await this.#writeNew(folder, before, last);
      await this.#merge(folder);
    }
    const after = await this.#log.read();
    await folder.settle(after.files, after.replaced);
    return toFigures(after);
  }

  async #writeNew(folder: BooksFolder, state: BooksState, upTo: FoundCheckpoint): Promise<void> {
    const writing = { state, upTo, from: state.size, replaced: [], foreseen: [] };
    const missed = await this.#write(folder, writing);
    if (missed.length === 0) return;
    // Entries were booked in periods that have been closed without them.
    this.end();
    const again = { ...writing, ...findReplaced(state, missed), foreseen: missed };
    const left = await this.#write(folder, again);
    if (left.length > 0) throw new Error(`closes count before the former ones: ${left.length}`);
  }

  /** @returns closes that were not foreseen: nothing is written then. */
  async #write(folder: BooksFolder, writing: Writing): Promise<readonly ForeseenClose[]> {
    const { state, upTo, from, replaced, foreseen } = writing;
    const { size } = upTo.checkpoint;
    return StagedRows.with(folder.path, async (staged) => {
      const posted = (this.#posted ??= this.#beginLog([...state.foreseen, ...foreseen]));
      for await (const { leaf, rows } of posted.postUpTo(upTo)) {
        if (leaf < from) continue;
        for (const row of rows) staged.add(row, { first: from, last: size - 1 });
        if (staged.isFull) await staged.flush();
        this.options.signal?.throwIfAborted();
      }
      if (posted.missed.length > 0) return posted.missed;
      const files = await this.#writeFiles(folder, staged);
      const isChange = files.length > 0 || foreseen.length > 0;
      if (isChange || size - state.size >= SILENT_LEAVES) {
        await this.#log.addFiles(state, { size, files, replaced, foreseen });
      }
      return [];
    });
  }

  /** Months that are over get one file. */
  async #merge(folder: BooksFolder): Promise<void> {
    const open = this.#posted?.openPeriods;
    if (open === undefined) return;
    const { files } = await this.#log.read();
    for (const merge of listMerges(files.values(), open, wallClock.now())) {
      await StagedRows.with(folder.path, async (staged) => {
        const places = { folder: folder.path, spillFolder: staged.folder };
        const merged = await this.#work({ ...places, kind: 'merge', ...merge });
        const { replaced } = merge;
        await this.#log.replaceFiles(await this.#log.read(), { files: merged, replaced });
      });
    }
  }

  /** Lost and damaged files have the same rows again: they follow from the log. */
  async #makeAgain(folder: BooksFolder, state: BooksState): Promise<BooksState> {
    const doubtful = await folder.findDoubtful(state.files.values());
    if (doubtful.length === 0) return state;
    return StagedRows.with(folder.path, async (staged) => {
      const places = { folder: folder.path, spillFolder: staged.folder };
      const lost = await this.#work({ ...places, kind: 'find-lost', files: doubtful });
      if (lost.length === 0) return state;
      await this.#stageLost(staged, lost, state);
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
      return this.#log.read();
    });
  }

  /** As of the checkpoint of the files: entries may be late as of a later one. */
  async #stageLost(staged: StagedRows, lost: readonly BookFile[], state: BooksState) {
    const upTo = await new SealReader(this.options.store).find(state.size);
    if (upTo === undefined) throw lostCheckpoint(state.size);
    const posted = this.#beginLog(state.foreseen);
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

  #beginLog(foreseen: readonly ForeseenClose[]): PostedLog {
    const { store, folder, makePoster = makeMoneyPoster } = this.options;
    return new PostedLog(store, makePoster(folder, { foreseen }));
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

/** The events of some leaves on their way into files. */
interface Writing extends Required<Pick<FilesToAdd, 'replaced' | 'foreseen'>> {
  readonly state: BooksState;
  readonly upTo: FoundCheckpoint;
  /** The first leaf. */
  readonly from: number;
}

/** The files that have entries from the first of some closes on, and the first leaf that they are about. */
function findReplaced({ size, files }: BooksState, closes: readonly ForeseenClose[]) {
  let from = Math.min(size, ...closes.map((close) => close.size));
  for (;;) {
    const replaced = [...files.values()].filter(({ last }) => last >= from);
    const first = Math.min(from, ...replaced.map((file) => file.first));
    if (first === from) return { from, replaced: replaced.map((file) => file.path) };
    from = first;
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
