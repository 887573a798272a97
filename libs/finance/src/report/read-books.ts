import type { JournalRow } from '#domain/bookkeeping';
import type { Instant } from '#domain/event';

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
  writeParquet(sql: string, file: string): Promise<void>;
}
