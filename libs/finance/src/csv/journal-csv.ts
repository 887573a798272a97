import { JOURNAL_COLUMNS, type JournalRow } from '#domain/bookkeeping';
import type { Rows } from '../pieces.js';
import { type CsvColumn, writeCsv } from './csv-writer.js';

/** Columns of the journal that print numbers as decimal texts. */
const DECIMALS: ReadonlySet<string> = new Set(['amount', 'tax_rate']);

const COLUMNS: readonly CsvColumn<JournalRow>[] = JOURNAL_COLUMNS.map(({ name, value }) => ({
  ...{ name, value },
  isDecimal: DECIMALS.has(name),
}));

/** `journal.csv`, in pieces of text: its rows in the order in which they come (rules/finance 20). */
export function writeJournalCsv(rows: Rows<JournalRow>): AsyncGenerator<string> {
  return writeCsv(COLUMNS, rows);
}
