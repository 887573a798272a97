import type { Cell } from '#domain/bookkeeping';
import { type CsvColumn, writeCsv } from '../csv/csv-writer.js';
import { printNumber } from '../journals/amounts.js';
import { minor, type ReportColumn, type ReportRow } from './report.js';

/** The columns of a report in files: an amount in minor units, and as a decimal. */
function fileColumns(columns: readonly ReportColumn[]): CsvColumn<ReportRow>[] {
  return columns.flatMap((column): CsvColumn<ReportRow>[] => {
    const { name, kind } = column;
    if (kind !== 'money') {
      return [{ name, value: (row) => find(row, name), isDecimal: name === 'tax_rate' }];
    }
    return [
      { name: minor(name), value: (row) => find(row, minor(name)) },
      { name, value: (row) => printMoney(row, name), isDecimal: true },
    ];
  });
}

export function writeSummaryCsv(
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
): AsyncGenerator<string> {
  return writeCsv(fileColumns(columns), rows);
}

/** Rows for programs: minor units as digits, since they may be beyond 2^53. */
export function toJsonRows(
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
): Readonly<Record<string, Cell>>[] {
  const written = fileColumns(columns);
  return rows.map((row) =>
    Object.fromEntries(written.map(({ name, value }) => [name, toJson(value(row))])),
  );
}

/** Cells for people, a row of texts each: amounts as decimals alone. */
export function toCells(columns: readonly ReportColumn[], rows: readonly ReportRow[]): string[][] {
  return rows.map((row) =>
    columns.map((column) =>
      column.kind === 'money' ? printMoney(row, column.name) : String(find(row, column.name) ?? ''),
    ),
  );
}

/** A statement that has the rows as its answer. */
export function selectRows(columns: readonly ReportColumn[], rows: readonly ReportRow[]): string {
  const types = columns.map(({ kind }) => SQL_TYPES[kind]);
  const names = columns.map(({ name, kind }) => (kind === 'money' ? minor(name) : name));
  const head = names.map((name, at) => `NULL::${types[at]} AS ${name}`).join(', ');
  const values = rows.map(
    (row) => `SELECT ${names.map((name, at) => printSql(find(row, name), types[at])).join(', ')}`,
  );
  return [`SELECT ${head} WHERE false`, ...values].join(' UNION ALL ');
}

const SQL_TYPES: Readonly<Record<ReportColumn['kind'], string>> = {
  text: 'VARCHAR',
  integer: 'INTEGER',
  money: 'BIGINT',
};

/** A value of a statement. */
export function printSql(cell: Cell, type: string | undefined): string {
  const value = typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell);
  return `${value}::${type}`;
}

function find(row: ReportRow, name: string): Cell {
  return row[name] ?? null;
}

function printMoney(row: ReportRow, name: string): string {
  return printNumber(BigInt(row[minor(name)] ?? 0), String(row['currency']));
}

export function toJson(cell: Cell): Cell {
  return typeof cell === 'bigint' ? cell.toString() : cell;
}
