import { Fault } from '#platform';
import type { PeriodBooks } from './period-books.js';
import { minor, type ReportRow } from './report.js';

/** A debit above zero, a credit below it. */
export const SIGNED = '(coalesce(debit_minor, 0) - coalesce(credit_minor, 0))';
/** A credit above zero, as liabilities and income are read. */
export const OWED = '(coalesce(credit_minor, 0) - coalesce(debit_minor, 0))';

/** Rows that are summed up. */
interface Summing {
  /** The rows of each group have the same values in these columns, by which the answer is sorted. */
  readonly by: readonly string[];
  /** Of each amount: an expression of SQL that sums. */
  readonly amounts: Readonly<Record<string, string>>;
  /** A relation, where it is another one than `entries`. */
  readonly from?: string;
  readonly condition: string;
  /** Whether a group stays where all of its amounts are zero. */
  readonly keepsZeros?: boolean;
}

/** @throws Fault `refused` for a sum beyond 2^63: Parquet has no integer for it. */
export async function sumRows({ books }: PeriodBooks, summing: Summing): Promise<ReportRow[]> {
  const { by, amounts, from = 'entries', condition, keepsZeros = false } = summing;
  const sums = Object.entries(amounts).map(
    ([name, sql]) => `coalesce(${sql}, 0)::BIGINT AS ${minor(name)}`,
  );
  const keys = by.join(', ');
  const rows = await books
    .all(
      `SELECT ${[keys, ...sums].join(', ')} FROM ${from} WHERE ${condition} ` +
        `GROUP BY ${keys} ORDER BY ${keys}`,
    )
    .catch((error: unknown) => {
      throw isOverflow(error) ? tooLarge() : error;
    });
  const named = Object.keys(amounts).map(minor);
  const answer = rows as readonly ReportRow[];
  return answer.filter((row) => keepsZeros || named.some((name) => row[name] !== 0n));
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && /INT128|HUGEINT|out of range|overflow/i.test(error.message);
}

function tooLarge(): Fault {
  const message = 'A sum of this report is beyond 2^63 minor units, which no file can hold.';
  return new Fault('refused', message, { retryable: false });
}
