import type { BookFile } from './book-file.js';
import { type FileTask, type FileWork, workOnFiles, type WorkOnFiles } from './file-work.js';
import type { ForeseenClose } from './foreseen-close.js';
import { makeMoneyPoster } from './money-poster.js';
import { type BookedStore, type MakePoster, PostedLog } from './posted-log.js';
import { StagedRows } from './staged-rows.js';

/** The books of a ledger and the means to write their files. */
export interface BooksMeans {
  readonly store: BookedStore;
  /** BOOKS_DIR. */
  readonly folder: string;
  /** Another one than that of the rules, for tests. */
  readonly makePoster?: MakePoster;
  /** DuckDB's work; in this process where it is left out. */
  readonly work?: WorkOnFiles;
  readonly signal?: AbortSignal;
}

/** Posts, and turns rows into files. */
export class BooksWork {
  constructor(private readonly means: BooksMeans) {}

  get store(): BookedStore {
    return this.means.store;
  }

  /** Posts from the first leaf on. */
  beginLog(foreseen: readonly ForeseenClose[]): PostedLog {
    const { store, folder, makePoster = makeMoneyPoster } = this.means;
    return new PostedLog(store, makePoster(folder, { foreseen }));
  }

  /** A folder for rows, for as long as the work on them lasts. */
  stage<Result>(use: (staged: StagedRows) => Promise<Result>): Promise<Result> {
    return StagedRows.with(this.means.folder, use);
  }

  /** Between two rows: ends the work where it is to end, and frees the memory of many. */
  async pace(staged: StagedRows): Promise<void> {
    if (staged.isFull) await staged.flush();
    this.means.signal?.throwIfAborted();
  }

  /** Writes the files of all rows that are staged. */
  async writeFiles(staged: StagedRows): Promise<readonly BookFile[]> {
    await staged.flush();
    const parts = staged.list();
    return parts.length === 0 ? [] : this.run(staged, { kind: 'write', parts });
  }

  run(staged: StagedRows, work: FileWork): Promise<readonly BookFile[]> {
    const { folder, work: workOn = workOnFiles, signal } = this.means;
    const task: FileTask = { ...work, folder, spillFolder: staged.folder };
    return workOn(task, signal);
  }
}
