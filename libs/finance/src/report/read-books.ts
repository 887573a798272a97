import type { AccountingPeriod, JournalRow, PostingPolicy } from '#domain/bookkeeping';
import type { Instant, RecordedEvent } from '#domain/event';

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
  /** Rows belong to the relation from then on. */
  add(name: string, rows: AsyncIterable<JournalRow>): Promise<void>;
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
}
