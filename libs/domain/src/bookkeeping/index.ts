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
export { evolveBooks, NO_BOOKS, type PaymentBooks } from './post/books.js';
export { findSubject, isMoneyEvent, post, type Subject } from './post/post.js';
