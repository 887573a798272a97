import type { RecordedEvent } from '#domain/event';
import { Fault } from '#platform';
import type { BookFile } from './book-file.js';
import type { BookedClose, ForeseenClose } from './foreseen-close.js';

export const FILES_WRITTEN = 'books.files_written.v1';
export const FILES_REPLACED = 'books.files_replaced.v1';

/** Files that others have replaced stay so long, since a report may be reading them. */
const REPLACED_FOR_MS = 3_600_000;

/** The files of a checkpoint: all of its parts count, or none. */
export interface FilesWritten {
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
  /** Closes of these leaves: their recognitions are in the files. */
  readonly closes: readonly BookedClose[];
}

/** Files that have the rows of several others. */
export interface FilesReplaced {
  readonly files: readonly BookFile[];
  /** The paths of the files that they replace. */
  readonly replaced: readonly string[];
}

/** An event of the books' log. */
export type BooksChange =
  | { readonly type: typeof FILES_WRITTEN; readonly data: FilesWritten }
  | { readonly type: typeof FILES_REPLACED; readonly data: FilesReplaced };

type WrittenChange = Pick<RecordedEvent, 'type' | 'data' | 'revision'> & {
  readonly metadata: Pick<RecordedEvent['metadata'], 'occurredAt'>;
};

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
  /** Closes whose recognitions are in the files. */
  readonly closes: readonly BookedClose[];
  /** Of the last event; -1 where there is none. */
  readonly revision: number;
  /** When the last files of a checkpoint were written, in milliseconds since 1970; 0 where none were. */
  readonly writtenAtMs: number;
  /** The first parts of a writing whose last one has not come. */
  readonly waiting: readonly FilesWritten[];
}

const NO_FILES: BooksState = {
  ...{ size: 0, files: new Map(), replaced: new Set(), foreseen: [], closes: [] },
  ...{ revision: -1, writtenAtMs: 0, waiting: [] },
};

/** Takes the events of the books' log in, one after the other. */
export class BooksFold {
  readonly #files: Map<string, BookFile>;
  readonly #replaced: Set<string>;
  #state: BooksState;

  constructor(state = NO_FILES) {
    this.#files = new Map(state.files);
    this.#replaced = new Set(state.replaced);
    this.#state = { ...state, files: this.#files, replaced: this.#replaced };
  }

  /** It changes with the next event. */
  get state(): BooksState {
    return this.#state;
  }

  /** @throws Fault for an event of a newer release. */
  add(event: WrittenChange): void {
    const { revision } = event;
    const change = toChange(event);
    const atMs = Date.parse(event.metadata.occurredAt);
    if (change.type === FILES_REPLACED) {
      this.#replace(change.data, atMs);
      this.#state = { ...this.#state, revision };
      return;
    }
    const { size, part, parts } = change.data;
    const waiting = part === 1 ? [change.data] : [...this.#state.waiting, change.data];
    this.#state = { ...this.#state, revision, waiting };
    if (part < parts) return;
    for (const each of waiting) this.#replace(each, atMs);
    const foreseen = append(
      this.#state.foreseen,
      waiting.flatMap((each) => each.foreseen),
    );
    const closes = addCloses(
      this.#state.closes,
      waiting.flatMap((each) => each.closes),
    );
    this.#state = { ...this.#state, size, foreseen, closes, writtenAtMs: atMs, waiting: [] };
  }

  #replace({ files, replaced }: FilesReplaced, atMs: number): void {
    for (const path of replaced) {
      this.#files.delete(path);
      if (Date.now() - atMs < REPLACED_FOR_MS) this.#replaced.add(path);
    }
    for (const file of files) this.#files.set(file.path, file);
  }
}

function append<Item>(known: readonly Item[], added: readonly Item[]): readonly Item[] {
  return added.length === 0 ? known : [...known, ...added];
}

/** Files that are written again have the same closes as the former ones, and maybe more. */
function addCloses(
  known: readonly BookedClose[],
  added: readonly BookedClose[],
): readonly BookedClose[] {
  // A long history has few writings with closes.
  if (added.length === 0) return known;
  const leaves = new Set(added.map(({ leaf }) => leaf));
  return [...known.filter(({ leaf }) => !leaves.has(leaf)), ...added];
}

function toChange({ type, data, revision }: WrittenChange): BooksChange {
  // Our own program wrote it.
  if (type === FILES_WRITTEN || type === FILES_REPLACED) return { type, data } as BooksChange;
  const message = `${type} at revision ${revision} of the books' stream is no event that this release can read`;
  throw new Fault('undecodable', message, { retryable: false });
}
