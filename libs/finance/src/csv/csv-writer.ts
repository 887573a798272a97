import type { Cell } from '#domain/bookkeeping';
import { csvField } from '#platform';
import { gatherPieces, type Rows } from '../pieces.js';
import { guardText } from './guard-text.js';

/** A column of a report: its name, and its value in a row. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => Cell;
  /** Whether its texts are decimal numbers: a negative one begins with `-` and is no formula. */
  readonly isDecimal?: boolean;
}

/** A decimal number, as amounts and rates are printed. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * Rows as CSV of RFC 4180, with a header and CRLF, in pieces of text. Nothing is an empty cell, and texts are guarded
 * against spreadsheets (rules/finance 20).
 */
export function writeCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: Rows<Row>,
): AsyncGenerator<string> {
  return gatherPieces(printLines(columns, rows));
}

async function* printLines<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: Rows<Row>,
): AsyncGenerator<string> {
  yield `${columns.map(({ name }) => csvField(name)).join(',')}\r\n`;
  for await (const row of rows) {
    yield `${columns.map((column) => printCell(column, column.value(row))).join(',')}\r\n`;
  }
}

function printCell<Row>({ isDecimal = false }: CsvColumn<Row>, cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  return isDecimal && DECIMAL.test(cell) ? cell : csvField(guardText(cell));
}
