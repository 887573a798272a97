export {
  addDays,
  bookOn,
  dayAt,
  firstDay,
  lastDay,
  laterDay,
  nextPeriod,
  periodAt,
} from './days.js';
export {
  type AccountingPeriod,
  type Cell,
  compareRows,
  type Day,
  entryId,
  JOURNAL_COLUMNS,
  type JournalRow,
} from './journal-row.js';
export { MRR_MOVEMENTS, type MrrMovementKind } from './measures/mrr-movements.js';
export { type Measured, SubscriptionMeasures } from './measures/subscription-measures.js';
export { evolveBooks, NO_BOOKS, type PaymentBooks } from './post/books.js';
export { findSubject, isMoneyEvent, isOfNoBooks, post, RULES, type Subject } from './post/post.js';
export { findCapturedLine } from './post/captured-line.js';
export {
  DEFAULT_POLICY,
  type ItemClass,
  type ItemMatch,
  pickClassing,
  type PostingPolicy,
} from './policy.js';
export { recognize } from './recognize.js';
export {
  earned,
  evolveSchedule,
  findEnd,
  isOfSchedule,
  type Schedule,
  scheduleKey,
} from './schedule.js';
