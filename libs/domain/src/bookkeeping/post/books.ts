import type { RecordedEvent } from '../../event/index.js';
import type { OrderEvent } from '../../order/index.js';
import {
  isGivenUp,
  noPayment,
  type Payment,
  paymentAggregate,
  type PaymentEvent,
} from '../../payment/index.js';
import type { SettlementEvent } from '../../settlement/index.js';
import type { SubscriptionEvent } from '../../subscription/index.js';
import type { JournalRow } from '../journal-row.js';
import { evolveSchedule, isOfSchedule, type Schedule, scheduleKey } from '../schedule.js';

/** Events that may move money, and all others of their streams. */
export type MoneyEvent = PaymentEvent | OrderEvent | SubscriptionEvent | SettlementEvent;

/** Such an event as it was read back. */
export type Recorded<Event extends MoneyEvent = MoneyEvent> = Event &
  Pick<RecordedEvent, 'id' | 'streamName' | 'metadata'>;

/** Everything that the posting of a payment's next event needs (rules/finance 2). */
export interface PaymentBooks {
  readonly payment: Payment;
  /** By their keys. */
  readonly schedules: ReadonlyMap<string, Schedule>;
  /** The balance of each account in minor units: credits above zero. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** The rows of refunds that were made and did not fail later, by the refund's id. */
  readonly refunds: ReadonlyMap<string, readonly JournalRow[]>;
  /** Whether the payment buys nothing, so that its money is the player's. */
  readonly isOwedBack: boolean;
  /** Whether the subscription has ended: no money is earned over later days. */
  readonly hasEnded: boolean;
}

export const NO_BOOKS: PaymentBooks = {
  payment: noPayment,
  schedules: new Map(),
  balances: new Map(),
  refunds: new Map(),
  isOwedBack: false,
  hasEnded: false,
};

/**
 * Folds an event with the rows that were posted for it. Total.
 *
 * @param rows maybe those of other payments, too, where the event is of a subscription with several.
 */
export function evolveBooks(
  books: PaymentBooks,
  event: Recorded,
  rows: readonly JournalRow[],
): PaymentBooks {
  const payment = isOfPayment(event)
    ? paymentAggregate.decider.evolve(books.payment, event)
    : books.payment;
  const own =
    payment.status === 'none' ? [] : rows.filter((row) => row.payment === payment.paymentId);
  return {
    payment,
    schedules: fold(books.schedules, own),
    balances: addUp(books.balances, own),
    refunds: evolveRefunds(books.refunds, event, own),
    isOwedBack: books.isOwedBack || isReturned(books, event),
    hasEnded: books.hasEnded || event.type === 'subscription.expired.v1',
  };
}

export function isOfPayment(event: MoneyEvent): event is PaymentEvent {
  return event.type.startsWith('payment.');
}

/** Of several accounts together. */
export function sumBalances({ balances }: PaymentBooks, ...accounts: readonly string[]): bigint {
  return accounts.reduce((sum, account) => sum + (balances.get(account) ?? 0n), 0n);
}

function fold(
  before: ReadonlyMap<string, Schedule>,
  rows: readonly JournalRow[],
): ReadonlyMap<string, Schedule> {
  const deferred = rows.filter(isOfSchedule);
  if (deferred.length === 0) return before;
  const schedules = new Map(before);
  for (const row of deferred) {
    const key = scheduleKey(row);
    schedules.set(key, evolveSchedule(schedules.get(key), row));
  }
  return schedules;
}

function addUp(
  before: ReadonlyMap<string, bigint>,
  rows: readonly JournalRow[],
): ReadonlyMap<string, bigint> {
  if (rows.length === 0) return before;
  const balances = new Map(before);
  for (const { account, side, amountMinor } of rows) {
    const change = side === 'credit' ? amountMinor : -amountMinor;
    balances.set(account, (balances.get(account) ?? 0n) + change);
  }
  return balances;
}

function evolveRefunds(
  refunds: PaymentBooks['refunds'],
  { type, data }: Recorded,
  rows: readonly JournalRow[],
): PaymentBooks['refunds'] {
  if (type === 'payment.refunded.v1') return new Map(refunds).set(data.refundId, rows);
  if (type !== 'payment.refund_failed.v1') return refunds;
  return new Map([...refunds].filter(([refundId]) => refundId !== data.refundId));
}

/** Whether an event says that the payment buys nothing. A capture says so where the charge was given up before. */
function isReturned({ payment }: PaymentBooks, { type, data }: Recorded): boolean {
  switch (type) {
    case 'payment.unapplied.v1':
    case 'order.late_outcome_recorded.v1':
      return true;
    case 'subscription.late_outcome_recorded.v1':
      return data.captured;
    case 'payment.captured.v1':
      return payment.status !== 'none' && isGivenUp(payment);
    default:
      return false;
  }
}
