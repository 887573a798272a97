import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { JournalRow } from '#domain/bookkeeping';
import { type BookPart, bookPath } from './book-file.js';
import { toCanonicalLine } from './canonical-rows.js';

/** Characters of lines that wait in memory: beyond them `flush` writes. */
const MOST_WAITING = 4_000_000;

/** Rows of a part that wait to be sorted into its file. */
export interface StagedPart {
  readonly part: BookPart;
  /** Of canonical lines, in the order in which they came. */
  readonly file: string;
}

/** Rows on their way into files, as lines in a folder of its own: so many rows as there are need little memory. */
export class StagedRows {
  readonly #parts = new Map<string, StagedPart & { lines: string }>();
  #waiting = 0;

  private constructor(readonly folder: string) {}

  /** Makes the folder, for as long as the work lasts. @param parent exists. */
  static async with<Result>(
    parent: string,
    use: (staged: StagedRows) => Promise<Result>,
  ): Promise<Result> {
    const folder = await mkdtemp(path.join(parent, 'making-'));
    try {
      return await use(new StagedRows(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Whether so much waits in memory that `flush` should be called. */
  get isFull(): boolean {
    return this.#waiting >= MOST_WAITING;
  }

  /** Adds a row to the part that it belongs to. */
  add(row: JournalRow, { first, last }: Pick<BookPart, 'first' | 'last'>): void {
    const { environment, period } = row;
    const key = `${environment} ${period} ${first}`;
    const line = toCanonicalLine(row);
    this.#waiting += line.length;
    const known = this.#parts.get(key);
    if (known !== undefined) {
      known.lines += line;
      return;
    }
    const part = { environment, period, first, last };
    const file = path.join(this.folder, bookPath(part).replaceAll('/', '.'));
    this.#parts.set(key, { part, file, lines: line });
  }

  /** Writes the lines that wait. */
  async flush(): Promise<void> {
    for (const staged of this.#parts.values()) {
      if (staged.lines === '') continue;
      const { lines } = staged;
      staged.lines = '';
      await appendFile(staged.file, lines);
    }
    this.#waiting = 0;
  }

  /** All parts that have rows, by their paths. `flush` comes first. */
  list(): StagedPart[] {
    const parts = [...this.#parts.values()].map(({ part, file }) => ({ part, file }));
    return parts.sort((left, right) => (bookPath(left.part) < bookPath(right.part) ? -1 : 1));
  }
}
