export { dayAt, firstDay, nextPeriod } from './days.js';
export {
  type AccountingPeriod,
  type Cell,
  compareRows,
  type Day,
  entryId,
  JOURNAL_COLUMNS,
  type JournalRow,
} from './journal-row.js';
