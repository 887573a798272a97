import { type Cell, JOURNAL_COLUMNS, type JournalRow } from '#domain/bookkeeping';
import { toJson } from './print-summary.js';

/** An entry for programs, by the names of the journal's columns: minor units are digits. */
export function toJsonEntry(row: JournalRow): Readonly<Record<string, Cell>> {
  return Object.fromEntries(JOURNAL_COLUMNS.map(({ name, value }) => [name, toJson(value(row))]));
}
