import type { AccountNames } from '../accounts/account-names.js';
import type { ComputedReport, PrintOptions } from './computed-report.js';
import { selectRows, toCells, toJsonRows, writeSummaryCsv } from './print-summary.js';
import { describeHead } from './report-head.js';
import { type ReportColumn, type ReportRow, text } from './report.js';

const ACCOUNT = 'account';
const NUMBER = 'account_number';

/** The computed rows of a report. */
export class SummaryRows implements ComputedReport {
  readonly #columns: readonly ReportColumn[];
  readonly #rows: readonly ReportRow[];

  /** @param names with which accounts have a column more, the customer's own number. */
  constructor(
    { columns }: { readonly columns: readonly ReportColumn[] },
    rows: readonly ReportRow[],
    names?: AccountNames,
  ) {
    const isMapped = names !== undefined && columns.some(({ name }) => name === ACCOUNT);
    this.#columns = isMapped ? withNumber(columns) : columns;
    this.#rows = isMapped ? rows.map((row) => addNumber(row, names)) : rows;
  }

  async *print({ head, format, table }: PrintOptions): AsyncGenerator<string> {
    const [columns, rows] = [this.#columns, this.#rows];
    if (format === 'csv') yield* writeSummaryCsv(columns, rows);
    else if (format === 'json') {
      yield `${JSON.stringify({ ...head, rows: toJsonRows(columns, rows) })}\n`;
    } else {
      const names = columns.map(({ name }) => name.toUpperCase());
      yield `${describeHead(head)}\n${table(names, toCells(columns, rows))}\n`;
    }
  }

  select(): string {
    return selectRows(this.#columns, this.#rows);
  }

  count(): Promise<number> {
    return Promise.resolve(this.#rows.length);
  }
}

function withNumber(columns: readonly ReportColumn[]): ReportColumn[] {
  return columns.flatMap((column) => (column.name === ACCOUNT ? [column, text(NUMBER)] : [column]));
}

function addNumber(row: ReportRow, names: AccountNames): ReportRow {
  return { ...row, [NUMBER]: names.find(String(row[ACCOUNT])).number };
}
