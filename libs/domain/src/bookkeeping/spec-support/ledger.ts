import {
  type ChargeRequest,
  paymentAggregate,
  type PaymentCommand,
  type RequestedPayment,
} from '../../payment/index.js';
import { periodAt } from '../days.js';
import type { JournalRow } from '../journal-row.js';
import { DEFAULT_POLICY, type PostingPolicy } from '../policy.js';
import {
  evolveBooks,
  type MoneyEvent,
  NO_BOOKS,
  type PaymentBooks,
  type Recorded,
} from '../post/books.js';
import { post } from '../post/post.js';
import type { Schedule } from '../schedule.js';

/** An event with its rows, and the months that were closed before. */
export interface Entry {
  readonly event: Recorded;
  readonly rows: readonly JournalRow[];
  readonly closedThrough: string;
}

/** One payment by the domain's own decisions, with its subscription's end, and its books. */
export class PaymentLedger {
  books: PaymentBooks = NO_BOOKS;
  closedThrough = '';
  readonly entries: Entry[] = [];

  constructor(readonly policy: PostingPolicy = DEFAULT_POLICY) {}

  get rows(): JournalRow[] {
    return this.entries.flatMap(({ rows }) => rows);
  }

  get schedules(): Schedule[] {
    return [...this.books.schedules.values()];
  }

  /** @throws Error before the charge. */
  get payment(): RequestedPayment {
    const { payment } = this.books;
    if (payment.status === 'none') throw new Error('nothing is charged');
    return payment;
  }

  charge(charge: ChargeRequest, now: string): void {
    this.command({ kind: 'RequestPayment', charge, now });
  }

  /** Nothing where the payment refuses it. */
  command(command: PaymentCommand): void {
    const decision = paymentAggregate.decider.decide(command, this.books.payment);
    for (const event of decision.accepted ? decision.events : [])
      this.append(event, 'payment-pay_1');
  }

  /** All money that is left is asked for and given back. */
  refund(refundId: string, now: string, amountMinor?: string): void {
    const amount = amountMinor === undefined ? {} : { amountMinor };
    this.command({ kind: 'RequestRefund', refundId, now, ...amount });
    this.command({ kind: 'ConfirmRefund', refundId, now });
  }

  capture(now: string): void {
    this.command({
      kind: 'CapturePayment',
      method: { paymentMethodSubType: '', issuerBank: '' },
      now,
    });
  }

  expire(expiredAt: string): void {
    const data = { cause: 'canceled_at_once', expiredAt, canceledAt: expiredAt } as const;
    this.append({ type: 'subscription.expired.v1', data }, 'subscription-sub_1');
  }

  append(event: MoneyEvent, streamName: string): void {
    const leaf = this.entries.length;
    const metadata = {
      $correlationId: 'r',
      actor: 'app',
      appId: 'app_1',
      environment: 'test',
      occurredAt: '',
    } as const;
    const recorded = { ...event, id: `e${leaf}`, streamName, metadata };
    const { policy, closedThrough } = this;
    const context = {
      leaf: BigInt(leaf),
      bookedAt: '2030-01-01T00:00:00.000Z',
      policy,
      closedThrough,
    };
    const rows = post(recorded, [this.books], context);
    this.books = evolveBooks(this.books, recorded, rows);
    this.entries.push({ event: recorded, rows, closedThrough });
  }

  /** Months are closed up to the one before this moment's. */
  closeBefore(now: string): void {
    const [year = 0, month = 0] = periodAt(now).split('-').map(Number);
    const before = month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`;
    if (before > this.closedThrough) this.closedThrough = before;
  }
}

/** A credit is above zero. */
export function signed({ side, amountMinor }: JournalRow): bigint {
  return side === 'credit' ? amountMinor : -amountMinor;
}

/** By account, without those on which nothing is left. */
export function balances(rows: readonly JournalRow[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const row of rows) sums[row.account] = (sums[row.account] ?? 0n) + signed(row);
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, sum]) => sum !== 0n)
      .sort(),
  );
}
