export { AccountNames } from './accounts/account-names.js';
export {
  type AccountNamesReading,
  type BadAccountRow,
  readAccountNames,
  writeAccountNames,
} from './accounts/accounts-csv.js';
export { JOURNAL_FORMATS, type JournalFormat } from './accounts/name-rules.js';
export { type CsvColumn, writeCsv } from './csv/csv-writer.js';
export { writeJournalCsv } from './csv/journal-csv.js';
export { comparePlaces, createPlacer } from './journals/journal-order.js';
export { type JournalOptions, writeJournal } from './journals/write-journal.js';
export type { Rows } from './pieces.js';
export { type AccountTotal, totalRows } from './totals.js';
export { REPORTS, type ReportChoice, type ReportFormat } from './report/formats.js';
export { PeriodBooks } from './report/period-books.js';
export { printReport } from './report/print-report.js';
export type { ReportHead } from './report/report-head.js';
export { writeReportFolder } from './report/write-folder.js';
