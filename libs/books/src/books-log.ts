/**
 * The books' own history: which files there are is said by the log, so that each reader can tell a file that belongs to
 * them from one that a killed bookkeeper left behind, and can make a lost one again (rules/books 1).
 */
import { eventOfNoApp, type LedgerStore } from '#event-store';
import { deriveUuid } from '#platform';
import type { BookFile } from './book-file.js';
import {
  type BooksChange,
  BooksFold,
  type BooksState,
  FILES_REPLACED,
  FILES_WRITTEN,
  type FilesReplaced,
  type FilesWritten,
} from './books-state.js';
import type { BookedClose, ForeseenClose } from './foreseen-close.js';

const BOOKS_STREAM = 'books-files';
const ACTOR = 'process:keep_books';
/** Characters of one event's files: an append of the ledger holds one megabyte. */
const MOST_CHARACTERS = 500_000;
/** Closes of one event, of a hundred characters each. */
const MOST_CLOSES = 2_000;

/** The files of a checkpoint, with the files and closes that they change. */
export interface FilesToAdd extends Pick<FilesWritten, 'size' | 'files'> {
  readonly replaced?: readonly string[];
  readonly foreseen?: readonly ForeseenClose[];
  readonly closes?: readonly BookedClose[];
}

/**
 * Reads and writes the history of the books. Writing gives the books as they are then, so that a keeper reads them once.
 * Calls throw Fault of the store, and RevisionConflict where another bookkeeper has written meanwhile.
 */
export class BooksLog {
  constructor(private readonly store: Pick<LedgerStore, 'append' | 'readStream'>) {}

  async read(): Promise<BooksState> {
    const fold = new BooksFold();
    for await (const event of this.store.readStream(BOOKS_STREAM)) fold.add(event);
    return fold.state;
  }

  /** Adds the files of a checkpoint. */
  addFiles(state: BooksState, added: FilesToAdd): Promise<BooksState> {
    const { size, files, replaced = [], foreseen = [], closes = [] } = added;
    const groups = splitFiles(files);
    const parts = Math.max(groups.length, countParts(closes), countParts(foreseen));
    const changes = Array.from({ length: parts }, (_, at): BooksChange => {
      const others = {
        replaced: at === 0 ? replaced : [],
        foreseen: takePart(foreseen, at),
        closes: takePart(closes, at),
      };
      const data = { size, files: groups[at] ?? [], part: at + 1, parts, ...others };
      return { type: FILES_WRITTEN, data };
    });
    return this.#append(state, changes);
  }

  replaceFiles(state: BooksState, data: FilesReplaced): Promise<BooksState> {
    return this.#append(state, [{ type: FILES_REPLACED, data }]);
  }

  /** Says that files were made again with other bytes, as another version of DuckDB writes them for the same rows. */
  renewFiles(state: BooksState, files: readonly BookFile[]): Promise<BooksState> {
    const groups = files.length === 0 ? [] : splitFiles(files);
    const changes = groups.map((group): BooksChange => {
      const replaced = group.map(({ path }) => path);
      return { type: FILES_REPLACED, data: { files: group, replaced } };
    });
    return this.#append(state, changes);
  }

  async #append(state: BooksState, changes: readonly BooksChange[]): Promise<BooksState> {
    const fold = new BooksFold(state);
    for (const change of changes) {
      const { revision } = fold.state;
      const event = toEvent(change, revision);
      await this.store.append(BOOKS_STREAM, revision === -1 ? 'no_stream' : revision, [event]);
      fold.add({ ...event, revision: revision + 1 });
    }
    return fold.state;
  }
}

/** The same files at the same revision have the same id. */
function toEvent({ type, data }: BooksChange, revision: number) {
  const id = deriveUuid(`${type} ${revision} ${JSON.stringify(data)}`);
  return { ...eventOfNoApp(ACTOR, type, data, id), id };
}

function countParts(closes: readonly BookedClose[]): number {
  return Math.ceil(closes.length / MOST_CLOSES);
}

function takePart(closes: readonly BookedClose[], at: number): readonly BookedClose[] {
  return closes.slice(at * MOST_CLOSES, (at + 1) * MOST_CLOSES);
}

/** At least one group, which may be empty: then the event says that some leaves gave no rows. */
function splitFiles(files: readonly BookFile[]): BookFile[][] {
  const groups: BookFile[][] = [[]];
  let characters = 0;
  for (const file of files) {
    const { length } = JSON.stringify(file);
    if (characters + length > MOST_CHARACTERS && characters > 0) {
      groups.push([]);
      characters = 0;
    }
    characters += length;
    groups.at(-1)?.push(file);
  }
  return groups;
}
