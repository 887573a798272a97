export { dayAt, firstDay, lastDay, laterDay, nextPeriod, periodAt } from './days.js';
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
export { findSubject, isMoneyEvent, isOfNoBooks, post, RULES, type Subject } from './post/post.js';
export { DEFAULT_POLICY } from './policy.js';
export { recognize } from './recognize.js';
export { earned, evolveSchedule, type Schedule, scheduleKey } from './schedule.js';
