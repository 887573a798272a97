import type { AccountingPeriod, JournalRow, PostingPolicy } from '#domain/bookkeeping';
import type { Environment, Instant, RecordedEvent } from '#domain/event';
import type { LedgerStore } from '#event-store';
import type { FoundCheckpoint } from '#sealing';

/** An event of the app, with the terms by which it is booked. */
export interface EventInOrder {
  readonly event: RecordedEvent;
  readonly policy: PostingPolicy;
  /** The last month that was closed before it; empty where there is none. */
  readonly closedThrough: AccountingPeriod;
}

/** How many rows, and their hash. */
export interface ReportHash {
  readonly rows: number;
  readonly rowsHash: string;
}

/** The books of one app up to a checkpoint, as reports read them: the relation `entries` of statements. */
export interface ReadBooks {
  /** The moment of the first checkpoint that has the last leaf. */
  readonly asOf: Instant;
  /** The last month whose recognitions the relation holds, as it does those of all months before; empty for none. */
  readonly closedThrough: AccountingPeriod;
  /** Rows belong to the relation from then on. */
  add(rows: AsyncIterable<JournalRow>): Promise<void>;
  all(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** The order of the books for the rows of one period; empty where they come in it by themselves. */
  readonly periodOrder: string;
  /** In the order of the books unless told; an empty order leaves them as they come. */
  rows(condition: string, order?: string): AsyncGenerator<JournalRow, void>;
  /** Events of streams of these categories, in the order of leaves: all of the log is read for them. */
  events(categories: ReadonlySet<string>): AsyncGenerator<EventInOrder, void>;
  /** The SHA-256 of rows as canonical lines, in an order. */
  hash(condition: string, order: string): Promise<ReportHash>;
  writeParquet(sql: string, file: string): Promise<void>;
  /** The same books up to the end of a close, as long as these are open. */
  upToClose(checkpoint: FoundCheckpoint): Promise<ReadBooks>;
}

/** Which books of an app are opened. */
export interface BooksReading {
  readonly store: LedgerStore;
  readonly app: string;
  readonly environment: Environment;
  readonly upTo: FoundCheckpoint;
  /** Whether all is posted from the log, and no file of the books is read. */
  readonly isFromLog?: boolean;
  /** As if this period and all later ones had not been closed. */
  readonly openFrom?: AccountingPeriod;
}

/** Opens the books for as long as the work on them lasts: `BooksReader.with` does. */
export type WithBooks = <Result>(
  reading: BooksReading,
  use: (books: ReadBooks) => Promise<Result>,
) => Promise<Result>;
