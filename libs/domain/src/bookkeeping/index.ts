export { compareRows, entryId, JOURNAL_COLUMNS, type JournalRow } from './journal-row.js';
