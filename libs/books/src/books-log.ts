/**
 * The books' own history: which files there are is said by the log, so that each reader can tell a file that belongs to
 * them from one that a killed bookkeeper left behind, and can make a lost one again (rules/books 1).
 */
import type { RecordedEvent } from '#domain/event';
import { eventOfNoApp, type EventToAppend, type LedgerStore } from '#event-store';
import { deriveUuid, Fault } from '#platform';
import type { BookFile } from './book-file.js';
import type { ForeseenClose } from './foreseen-close.js';

const BOOKS_STREAM = 'books-files';
const FILES_WRITTEN = 'books.files_written.v1';
const FILES_REPLACED = 'books.files_replaced.v1';
const ACTOR = 'process:keep_books';
/** Characters of one event's files: an append of the ledger holds one megabyte. */
const MOST_CHARACTERS = 500_000;
/** Files that others have replaced stay so long, since a report may be reading them. */
const REPLACED_FOR_MS = 3_600_000;

/** The files of a checkpoint: all of its parts count, or none. */
interface FilesWritten {
  /** Leaves that these files and those before them are about: the size of a checkpoint. */
  readonly size: number;
  readonly files: readonly BookFile[];
  /** From 1: the files of one writing may be too many for one event. */
  readonly part: number;
  readonly parts: number;
  /** The paths of files whose entries are in these, too, and may be in other periods. */
  readonly replaced: readonly string[];
  /** Closes that were found to count before their own events. */
  readonly foreseen: readonly ForeseenClose[];
}

/** The files of a checkpoint, with the files and closes that they change. */
export interface FilesToAdd extends Pick<FilesWritten, 'size' | 'files'> {
  readonly replaced?: readonly string[];
  readonly foreseen?: readonly ForeseenClose[];
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
  /** The paths of files that were replaced within the last hour. */
  readonly replaced: ReadonlySet<string>;
  /** Closes that the entries in the files foresee. */
  readonly foreseen: readonly ForeseenClose[];
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
    const replaced = new Set<string>();
    const foreseen: ForeseenClose[] = [];
    let [size, revision, writtenAtMs] = [0, -1, 0];
    let waiting: FilesWritten[] = [];
    for await (const event of this.store.readStream(BOOKS_STREAM)) {
      revision = event.revision;
      const atMs = Date.parse(event.metadata.occurredAt);
      const replace = (change: FilesReplaced) => {
        for (const path of change.replaced) {
          files.delete(path);
          if (Date.now() - atMs < REPLACED_FOR_MS) replaced.add(path);
        }
        for (const file of change.files) files.set(file.path, file);
      };
      if (isOfType<FilesReplaced>(event, FILES_REPLACED)) {
        replace(event.data);
        continue;
      }
      if (!isOfType<FilesWritten>(event, FILES_WRITTEN)) throw unknownType(event);
      const { part, parts } = event.data;
      waiting = part === 1 ? [event.data] : [...waiting, event.data];
      if (part < parts) continue;
      size = event.data.size;
      writtenAtMs = atMs;
      for (const one of waiting) {
        replace(one);
        foreseen.push(...one.foreseen);
      }
    }
    return { size, files, replaced, foreseen, revision, writtenAtMs };
  }

  /** Adds the files of a checkpoint. @throws RevisionConflict where another bookkeeper has written meanwhile. */
  async addFiles({ revision }: BooksState, added: FilesToAdd): Promise<void> {
    const { size, files, replaced = [], foreseen = [] } = added;
    const groups = splitFiles(files);
    for (const [at, group] of groups.entries()) {
      const changes = at === 0 ? { replaced, foreseen } : { replaced: [], foreseen: [] };
      const part = { part: at + 1, parts: groups.length };
      const data: FilesWritten = { size, files: group, ...part, ...changes };
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
