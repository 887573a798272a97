import type { PeriodBooks } from './period-books.js';

/** A value of a report before a format writes it: amounts are minor units. */
export type ReportCell = string | bigint | number | null;

/** A row by the names of its columns. */
export type ReportRow = Readonly<Record<string, ReportCell>>;

/** A column; one of money is two of them in files, in minor units and as a decimal. */
export interface ReportColumn {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'money';
}

/** A report that sums the books: the journal alone is another kind. */
export interface SummaryReport {
  readonly name: string;
  readonly description: string;
  /** Each has a currency. */
  readonly columns: readonly ReportColumn[];
  /** The rows in a stable order; none of them are equal in their texts. */
  compute(books: PeriodBooks): Promise<readonly ReportRow[]>;
}

export const text = (name: string): ReportColumn => ({ name, kind: 'text' });
export const money = (name: string): ReportColumn => ({ name, kind: 'money' });

/** The name of a column of money in minor units. */
export const minor = (name: string): string => `${name}_minor`;
