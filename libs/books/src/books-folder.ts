import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SettingRefused } from '#platform';
import type { BookFile } from './book-file.js';
import { hashFile } from './parquet-files.js';

/** Names the ledger whose books lie in the folder. */
const LEDGER_FILE = 'ledger';
/** Names the files of the books for programs that do not read the log (rules/books 1). */
const FILES_FILE = 'files.json';
/** Files of the books, whole or not. */
const OF_BOOKS = /^environment=[^/]+\/period=[^/]+\/journal-\d{12}-\d{12}\.parquet(?:\.making)?$/;
const STAGED = /^(?:making|payments)-/;
/** Staged rows and the file of payments are left behind by a crash alone. */
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

  /** A folder that has the books of a ledger, for reading; undefined for another one. @throws the system's error. */
  static async find(folder: string, ledgerId: string): Promise<BooksFolder | undefined> {
    const found = (await readIfThere(path.join(folder, LEDGER_FILE))).trim();
    return found === ledgerId ? new BooksFolder(folder) : undefined;
  }

  /** Files of the books that are missing here, or have other bytes than those that were written. */
  async findDoubtful(files: Iterable<BookFile>): Promise<BookFile[]> {
    const doubtful: BookFile[] = [];
    for (const file of files) {
      if (!(await this.hasBytes(file))) doubtful.push(file);
    }
    return doubtful;
  }

  /**
   * Names the files of the books to other programs, and then deletes those that belong to no books, and staged rows of
   * long ago: a crash left them behind.
   *
   * @param replaced the paths of files that stay for a while.
   */
  async settle(files: ReadonlyMap<string, BookFile>, replaced: ReadonlySet<string>): Promise<void> {
    await this.#writeList([...files.values()]);
    await this.#clear(new Set([...files.keys(), ...replaced]));
  }

  async #writeList(files: readonly BookFile[]): Promise<void> {
    const place = path.join(this.path, FILES_FILE);
    const text = `[\n${files.map((file) => JSON.stringify(file)).join(',\n')}\n]\n`;
    if (text === (await readIfThere(place))) return;
    await writeFile(`${place}.making`, text);
    await rename(`${place}.making`, place);
  }

  async #clear(files: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.path, { recursive: true });
    for (const name of names) {
      const place = path.join(this.path, name);
      const isLeft = OF_BOOKS.test(name.split(path.sep).join('/')) && !files.has(name);
      const isStaged = STAGED.test(name) && (await isOlder(place, STAGED_FOR_MS));
      if (isLeft || isStaged) await rm(place, { recursive: true, force: true });
    }
  }

  /** Whether a file is here with the bytes that were written. @throws the system's error. */
  async hasBytes(file: BookFile): Promise<boolean> {
    const isWhole = await this.hasSize(file);
    return isWhole && (await hashFile(this.#place(file))) === file.fileHash;
  }

  /** Whether a file is here, and is not cut off. @throws the system's error. */
  async hasSize(file: BookFile): Promise<boolean> {
    const found = await stat(this.#place(file)).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    return found?.size === file.bytes;
  }

  #place(file: BookFile): string {
    return path.join(this.path, file.path);
  }
}

async function readIfThere(place: string): Promise<string> {
  return readFile(place, 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  });
}

async function isOlder(place: string, ms: number): Promise<boolean> {
  const { mtimeMs } = await stat(place);
  return Date.now() - mtimeMs > ms;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
