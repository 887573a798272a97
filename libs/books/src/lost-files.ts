import type { JournalRow } from '#domain/bookkeeping';
import { SealReader } from '#sealing';
import type { BookFile } from './book-file.js';
import type { BooksFolder } from './books-folder.js';
import type { BooksLog } from './books-log.js';
import type { BooksState } from './books-state.js';
import type { BooksWork } from './books-work.js';
import { lostCheckpoint, otherRows } from './kept-books-faults.js';
import type { StagedRows } from './staged-rows.js';

/**
 * Makes lost and damaged files again: they have the same rows, which follow from the log.
 *
 * @returns the books with them, which have other bytes by another version of DuckDB.
 * @throws Fault where the log gives other rows.
 */
export async function makeLostFiles(
  work: BooksWork,
  folder: BooksFolder,
  log: BooksLog,
  state: BooksState,
): Promise<BooksState> {
  const files = await folder.findDoubtful(state.files.values());
  if (files.length === 0) return state;
  return work.stage(async (staged) => {
    const lost = await work.run(staged, { kind: 'find-lost', files });
    if (lost.length === 0) return state;
    await stageRows(work, staged, lost, state);
    const made = await work.writeFiles(staged);
    const hashes = new Map(made.map(({ path, rowsHash }) => [path, rowsHash]));
    for (const file of lost) if (hashes.get(file.path) !== file.rowsHash) throw otherRows(file);
    const renewed = made.filter(({ path, fileHash }) => {
      return state.files.get(path)?.fileHash !== fileHash;
    });
    return log.renewFiles(state, renewed);
  });
}

/** As of the checkpoint of the files: entries may be late as of a later one. */
async function stageRows(
  work: BooksWork,
  staged: StagedRows,
  lost: readonly BookFile[],
  { size, foreseen }: BooksState,
): Promise<void> {
  const upTo = await new SealReader(work.store).find(size);
  if (upTo === undefined) throw lostCheckpoint(size);
  const posted = work.beginLog(foreseen);
  try {
    for await (const { leaf, rows } of posted.postUpTo(upTo)) {
      for (const row of rows) {
        const file = lost.find((each) => isOfFile(row, leaf, each));
        if (file !== undefined) staged.add(row, file);
      }
      await work.pace(staged);
    }
  } finally {
    posted.end();
  }
}

function isOfFile(row: JournalRow, leaf: number, file: BookFile): boolean {
  const isOfPart = row.environment === file.environment && row.period === file.period;
  return isOfPart && leaf >= file.first && leaf <= file.last;
}
