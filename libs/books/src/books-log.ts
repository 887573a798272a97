/**
 * The books' own history: which files there are is said by the log, so that each reader can tell a file that belongs to
 * them from one that a killed bookkeeper left behind, and can make a lost one again (rules/books 1).
 */
import type { RecordedEvent } from '#domain/event';
import { eventOfNoApp, type EventToAppend, type LedgerStore } from '#event-store';
import { deriveUuid, Fault } from '#platform';
import type { BookFile } from './book-file.js';

const BOOKS_STREAM = 'books-files';
const FILES_WRITTEN = 'books.files_written.v1';
const FILES_REPLACED = 'books.files_replaced.v1';
const ACTOR = 'process:keep_books';
/** Characters of one event's files: an append of the ledger holds one megabyte. */
const MOST_CHARACTERS = 500_000;

/** The files of a checkpoint: all of its parts count, or none. */
interface FilesWritten {
  /** Leaves that these files and those before them are about: the size of a checkpoint. */
  readonly size: number;
  readonly files: readonly BookFile[];
  /** From 1: the files of one writing may be too many for one event. */
  readonly part: number;
  readonly parts: number;
}

/** Files that have the rows of several others. */
interface FilesReplaced {
  readonly files: readonly BookFile[];
  /** The paths of the files that they replace. */
  readonly replaced: readonly string[];
}

/** The books as their log has them. */
export interface BooksState {
  /** All events of leaves before it are in files. */
  readonly size: number;
  /** By their paths. */
  readonly files: ReadonlyMap<string, BookFile>;
  /** Of the last event; -1 where there is none. */
  readonly revision: number;
  /** When the last files of a checkpoint were written, in milliseconds since 1970; 0 where none were. */
  readonly writtenAtMs: number;
}

/** Reads and writes the history of the books. Calls throw Fault of the store. */
export class BooksLog {
  constructor(private readonly store: Pick<LedgerStore, 'append' | 'readStream'>) {}

  async read(): Promise<BooksState> {
    const files = new Map<string, BookFile>();
    let [size, revision, writtenAtMs] = [0, -1, 0];
    let waiting: BookFile[] = [];
    for await (const event of this.store.readStream(BOOKS_STREAM)) {
      revision = event.revision;
      if (isOfType<FilesReplaced>(event, FILES_REPLACED)) {
        for (const path of event.data.replaced) files.delete(path);
        for (const file of event.data.files) files.set(file.path, file);
        continue;
      }
      if (!isOfType<FilesWritten>(event, FILES_WRITTEN)) throw unknownType(event);
      const { part, parts } = event.data;
      waiting = part === 1 ? [...event.data.files] : [...waiting, ...event.data.files];
      if (part < parts) continue;
      size = event.data.size;
      writtenAtMs = Date.parse(event.metadata.occurredAt);
      for (const file of waiting) files.set(file.path, file);
    }
    return { size, files, revision, writtenAtMs };
  }

  /** Adds the files of a checkpoint. @throws RevisionConflict where another bookkeeper has written meanwhile. */
  async addFiles({ revision }: BooksState, size: number, files: readonly BookFile[]) {
    const groups = splitFiles(files);
    for (const [at, group] of groups.entries()) {
      const data: FilesWritten = { size, files: group, part: at + 1, parts: groups.length };
      await this.#append(revision + at, FILES_WRITTEN, data);
    }
  }

  /** @throws RevisionConflict where another bookkeeper has written meanwhile. */
  async replaceFiles({ revision }: BooksState, replacement: FilesReplaced): Promise<void> {
    await this.#append(revision, FILES_REPLACED, replacement);
  }

  /**
   * Says that files were made again with other bytes, as another version of DuckDB writes them for the same rows.
   *
   * @throws RevisionConflict where another bookkeeper has written meanwhile.
   */
  async renewFiles({ revision }: BooksState, files: readonly BookFile[]): Promise<void> {
    if (files.length === 0) return;
    for (const [at, group] of splitFiles(files).entries()) {
      const data: FilesReplaced = { files: group, replaced: group.map(({ path }) => path) };
      await this.#append(revision + at, FILES_REPLACED, data);
    }
  }

  async #append(revision: number, type: string, data: unknown): Promise<void> {
    const event = toEvent(type, data, revision);
    await this.store.append(BOOKS_STREAM, revision === -1 ? 'no_stream' : revision, [event]);
  }
}

function isOfType<Data>(event: RecordedEvent, type: string): event is RecordedEvent<string, Data> {
  return event.type === type;
}

/** The same files at the same revision have the same id. */
function toEvent(type: string, data: unknown, revision: number): EventToAppend {
  const id = deriveUuid(`${type} ${revision} ${JSON.stringify(data)}`);
  return { ...eventOfNoApp(ACTOR, type, data, id), id };
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

function unknownType({ type, revision }: RecordedEvent): Fault {
  const message = `${type} at revision ${revision} of ${BOOKS_STREAM} is no event of books that this release can read`;
  return new Fault('undecodable', message, { retryable: false });
}
