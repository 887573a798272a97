export { AccountNames } from './accounts/account-names.js';
export {
  type AccountNamesReading,
  type BadAccountRow,
  readAccountNames,
  writeAccountNames,
} from './accounts/accounts-csv.js';
export { explain, type FinanceExplanation, toJsonExplanation } from './explain/explain.js';
export type { ExplainedEntry, ExplainedLine } from './explain/explain-entry.js';
export type { ExplainedEvent } from './explain/explain-event.js';
export type { ExplainedCharge } from './explain/explain-next-charge.js';
export type { ExplainedPayment } from './explain/explain-payment.js';
export type { ExplainedFigure } from './explain/figure.js';
export { type Explainable, EXPLAINABLE, readExplainable } from './explain/question.js';
export { JOURNAL_FORMATS, type JournalFormat } from './accounts/name-rules.js';
export { type CsvColumn, writeCsv } from './csv/csv-writer.js';
export { writeJournalCsv } from './csv/journal-csv.js';
export { comparePlaces, createPlacer } from './journals/journal-order.js';
export { type JournalOptions, writeJournal } from './journals/write-journal.js';
export type { Rows } from './pieces.js';
export { type AccountTotal, totalRows } from './totals.js';
export { REPORTS, type ReportChoice, type ReportFormat } from './report/formats.js';
export { toJsonEntry } from './report/journal-json.js';
export { PeriodBooks } from './report/period-books.js';
export { printReport, writeReportParquet } from './report/print-report.js';
export type { ReportHead } from './report/report-head.js';
export { writeReportFolder } from './report/write-folder.js';
export { type OpenReport, type ReportSources, withReport } from './report/open-report.js';
export {
  A_DAY,
  A_MONTH,
  AN_END,
  isDay,
  isDayIn,
  isPeriod,
  printReportEnd,
  readQuestion,
  readReportEnd,
  type QuestionTexts,
  type ReportEnd,
  type ReportQuestion,
} from './report/question.js';
export { type FinanceApp, findFinanceApp } from './finance-app.js';
export { FinanceRefusal, type FinanceRefusalReason } from './finance-refusal.js';
export { importPayout } from './settlement/import-payout.js';
export { type ImportReport, importRows } from './settlement/import-rows.js';
export { readStripeReport } from './settlement/read-stripe-report.js';
export { type ComparedRow, reconcilePayout } from './settlement/reconcile-payout.js';
export { requireRow } from './settlement/require-row.js';
export { answerTask } from './handover/answer-task.js';
export { type BookkeeperTask, printTask, readTask } from './handover/task.js';
export { HANDOVER_KEYS, isSignedQuestion, signQuestion } from './handover/signature.js';
export type { WithBooks } from './report/read-books.js';
export {
  approveClose,
  type CloseMeans,
  closePeriod,
  type CloseWish,
  describeClose,
  prepareClose,
} from './close/close-period.js';
export { countClose, type CountedClose } from './close/count-close.js';
export type { EntryDifference } from './close/journal-differences.js';
export { findOpenDifferences } from './close/open-differences.js';
export { restateClose, type Restatement, toJsonRestatement } from './close/restate-close.js';
export {
  readCloses,
  type VerifiedClose,
  verifyCloses,
  type WantedCloses,
} from './close/verify-closes.js';
export { printNumber } from './journals/amounts.js';
