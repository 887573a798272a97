import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SettingRefused } from '#platform';
import type { BookFile } from './book-file.js';
import { hashFile } from './parquet-files.js';

/** Names the ledger whose books lie in the folder. */
const LEDGER_FILE = 'ledger';
/** Files of the books, whole or not. */
const OF_BOOKS = /^environment=[^/]+\/period=[^/]+\/journal-\d{12}-\d{12}\.parquet(?:\.making)?$/;
const STAGED = /^making-/;
/** A folder with staged rows is left behind by a crash alone. */
const STAGED_FOR_MS = 86_400_000;

/** BOOKS_DIR. */
export class BooksFolder {
  private constructor(readonly path: string) {}

  /** @param ledgerId of the ledger whose books are here. @throws SettingRefused for the folder of another one's. */
  static async open(folder: string, ledgerId: string): Promise<BooksFolder> {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, LEDGER_FILE);
    await writeFile(file, `${ledgerId}\n`, { flag: 'wx' }).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
    const found = (await readFile(file, 'utf8')).trim();
    if (found === ledgerId) return new BooksFolder(folder);
    throw new SettingRefused(
      `BOOKS_DIR names ${folder}, where the books of another ledger are (${found}): choose another folder.`,
    );
  }

  /** Whether a folder has the books of a ledger. @throws the system's error. */
  static async isOf(folder: string, ledgerId: string): Promise<boolean> {
    const found = await readFile(path.join(folder, LEDGER_FILE), 'utf8').catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return '';
      throw error;
    });
    return found.trim() === ledgerId;
  }

  /** Files of the books that are missing here, or have other bytes than those that were written. */
  async findDoubtful(files: Iterable<BookFile>): Promise<BookFile[]> {
    const doubtful: BookFile[] = [];
    for (const file of files) {
      const hash = await hashFile(this.#place(file)).catch((error: unknown) => {
        if (isCode(error, 'ENOENT')) return undefined;
        throw error;
      });
      if (hash !== file.fileHash) doubtful.push(file);
    }
    return doubtful;
  }

  /** Deletes files that belong to no books, and staged rows of long ago: a crash left them behind. */
  async clear(files: ReadonlyMap<string, BookFile>): Promise<void> {
    const names = await readdir(this.path, { recursive: true });
    for (const name of names) {
      const place = path.join(this.path, name);
      const isLeft = OF_BOOKS.test(name.split(path.sep).join('/')) && !files.has(name);
      const isStaged = STAGED.test(name) && (await isOlder(place, STAGED_FOR_MS));
      if (isLeft || isStaged) await rm(place, { recursive: true, force: true });
    }
  }

  #place(file: BookFile): string {
    return path.join(this.path, file.path);
  }
}

async function isOlder(place: string, ms: number): Promise<boolean> {
  const { mtimeMs } = await stat(place);
  return Date.now() - mtimeMs > ms;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
