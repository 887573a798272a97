import type { AccountNames } from '../accounts/account-names.js';
import type { ReportFormat } from './formats.js';
import type { ReportHead } from './report-head.js';

/** How a report becomes a text. */
export interface PrintOptions {
  readonly head: ReportHead;
  readonly format: ReportFormat;
  /** The accounting zone, whose days count. */
  readonly zone: string;
  /** The names and numbers that a customer has for accounts; left out where accounts have their default names. */
  readonly names?: AccountNames;
  /** Sets rows for a terminal. */
  readonly table: (head: readonly string[], rows: readonly (readonly string[])[]) => string;
}

/** A report that was asked for: its rows are computed once, but for those of a journal, which may be very many. */
export interface ComputedReport {
  print(options: PrintOptions): AsyncGenerator<string>;
  /** A statement that has the rows as its answer. */
  select(): string;
  count(): Promise<number>;
}
