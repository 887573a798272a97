import type { Environment } from '#domain/event';
import type { JournalRow } from '#domain/bookkeeping';

/** So many digits sort as numbers do: readers take the first file's name for the schema of all. */
const LEAF_DIGITS = 12;

/** The rows of one environment and booked period that events of some leaves gave. */
export interface BookPart {
  readonly environment: Environment;
  readonly period: JournalRow['period'];
  /** The first leaf that the file is about: its event need not have rows. */
  readonly first: number;
  /** The last one. */
  readonly last: number;
}

/** The sums of an account in a currency, in minor units as decimal digits. */
export interface AccountTotals {
  readonly account: string;
  readonly currency: string;
  readonly debit: string;
  readonly credit: string;
}

/** A file of the books, as the log names it. */
export interface BookFile extends BookPart {
  /** Below BOOKS_DIR. */
  readonly path: string;
  readonly rows: number;
  readonly totals: readonly AccountTotals[];
  /** The SHA-256 of its rows as canonical lines, in hexadecimal digits. */
  readonly rowsHash: string;
  /** Its size, by which readers find a file that was cut off. */
  readonly bytes: number;
  /** The SHA-256 of its bytes, for damage alone: another writer's are others for the same rows. */
  readonly fileHash: string;
  readonly writerVersion: string;
}

/** The place of a part below BOOKS_DIR: of Hive's form, which readers of Parquet know. */
export function bookPath({ environment, period, first, last }: BookPart): string {
  return `environment=${environment}/period=${period}/journal-${pad(first)}-${pad(last)}.parquet`;
}

function pad(leaf: number): string {
  return String(leaf).padStart(LEAF_DIGITS, '0');
}
