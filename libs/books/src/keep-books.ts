import { wallClock } from '#platform';
import { SealReader } from '#sealing';
import { BooksFolder } from './books-folder.js';
import { BooksLog } from './books-log.js';
import type { BooksState } from './books-state.js';
import { type BooksMeans, BooksWork } from './books-work.js';
import { shorterLog } from './kept-books-faults.js';
import { makeLostFiles } from './lost-files.js';
import { listMerges } from './merges.js';
import { NewFiles } from './new-files.js';

/** The books of a ledger, and how they are kept. */
export interface BooksOptions extends BooksMeans {
  /** So long after the last files no others are written, in milliseconds: each would be small. */
  readonly intervalMs: number;
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
  readonly #work: BooksWork;
  readonly #newFiles: NewFiles;

  constructor(private readonly options: BooksOptions) {
    this.#log = new BooksLog(options.store);
    this.#work = new BooksWork(options);
    this.#newFiles = new NewFiles(this.#work, this.#log);
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
    this.#newFiles.end();
  }

  async #keep(): Promise<BooksFigures> {
    const { store, intervalMs } = this.options;
    const { storeId } = await store.namespaces.require();
    const folder = await BooksFolder.open(this.options.folder, storeId);
    let state = await this.#log.read();
    const last = await new SealReader(store).findLast();
    if (last === undefined) return toFigures(state);
    const { size } = last.checkpoint;
    if (size < state.size) throw shorterLog(size, state.size);
    state = await makeLostFiles(this.#work, folder, this.#log, state);
    const isDue = Date.now() - state.writtenAtMs >= intervalMs;
    if (isDue && size > state.size)
      state = await this.#merge(await this.#newFiles.write(state, last));
    await folder.settle(state.files, state.replaced);
    return toFigures(state);
  }

  /** Months that are over get one file. */
  async #merge(before: BooksState): Promise<BooksState> {
    const open = this.#newFiles.openPeriods;
    if (open === undefined) return before;
    let state = before;
    for (const merge of listMerges(before.files.values(), open, wallClock.now())) {
      const { replaced } = merge;
      state = await this.#work.stage(async (staged) => {
        const files = await this.#work.run(staged, { kind: 'merge', ...merge });
        return this.#log.replaceFiles(state, { files, replaced });
      });
    }
    return state;
  }
}

function toFigures({ size, files, writtenAtMs }: BooksState): BooksFigures {
  const rows = [...files.values()].reduce((sum, file) => sum + file.rows, 0);
  return { size, rows, files: files.size, writtenAtMs };
}
