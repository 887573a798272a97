import {
  type PaymentEvent,
  findOpenRefund,
  type RequestedPayment,
  taxInRefund,
} from '../../payment/index.js';
import type { Money } from '../../money/index.js';
import { ACCOUNTS, readCountry, isDeferred, taxPayable } from '../accounts.js';
import type { JournalRow } from '../journal-row.js';
import { type Schedule, unearned } from '../schedule.js';
import { sumBalances, type PaymentBooks } from './books.js';
import { defer } from './captured.js';
import { credit, debit, type Leg, type PostedOn, spread } from './legs.js';

type Of<Type extends PaymentEvent['type']> = Extract<PaymentEvent, { readonly type: Type }>;

/** Money goes back by a refund. Its own tax is no longer owed. */
export function refunded(
  { data }: Of<'payment.refunded.v1'>,
  books: PaymentBooks,
  on: PostedOn,
): Leg[] {
  const { payment } = books;
  if (!isCaptured(payment)) return [];
  const { refundId, amount } = data;
  const tax = findOpenRefund(payment, refundId)?.tax ?? null;
  const back = credit(ACCOUNTS.gatewayClearing, minor(amount), { gatewayRef: refundId });
  return [...takeBack(books, { amount, tax, contra: ACCOUNTS.refunds }, on), back];
}

/** A refund that was made has failed after all: its money is there again. One that was not made moves nothing. */
export function refundFailed(
  { data: { refundId, amount } }: Of<'payment.refund_failed.v1'>,
  books: PaymentBooks,
  on: PostedOn,
): Leg[] {
  const rows = books.refunds.get(refundId);
  if (rows === undefined) return [];
  if (!books.isOwedBack) return rows.map((row) => reverse(row, books, on));
  return [
    debit(ACCOUNTS.gatewayClearing, minor(amount), { gatewayRef: refundId }),
    credit(ACCOUNTS.playerCredit, minor(amount)),
  ];
}

/** The gateway keeps disputed money back until it knows the outcome. */
export function disputeOpened(
  { data: { disputeId: gatewayRef, amount } }: Of<'payment.dispute_opened.v1'>,
  { payment }: PaymentBooks,
): Leg[] {
  if (!isCaptured(payment)) return [];
  return [
    debit(ACCOUNTS.disputesReceivable, minor(amount), { gatewayRef }),
    credit(ACCOUNTS.gatewayClearing, minor(amount), { gatewayRef }),
  ];
}

/** A dispute that was won gives the money back to the merchant, a lost one to the player. */
export function disputeClosed(
  { data: { disputeId: gatewayRef, won } }: Of<'payment.dispute_closed.v1'>,
  books: PaymentBooks,
  on: PostedOn,
): Leg[] {
  const { payment } = books;
  if (!isCaptured(payment)) return [];
  const open = payment.openDisputes.find(({ disputeId }) => disputeId === gatewayRef);
  if (open === undefined) return [];
  const { amount } = open;
  const received = credit(ACCOUNTS.disputesReceivable, minor(amount), { gatewayRef });
  if (won) return [debit(ACCOUNTS.gatewayClearing, minor(amount), { gatewayRef }), received];
  const tax = taxInRefund(amount, payment);
  return [...takeBack(books, { amount, tax, contra: ACCOUNTS.disputes }, on), received];
}

/** The payment buys nothing: all that is left of it is the player's. */
export function unapplied(_event: unknown, books: PaymentBooks, on: PostedOn): Leg[] {
  if (books.isOwedBack || !isCaptured(books.payment)) return [];
  const left = -sumBalances(books, ACCOUNTS.gatewayClearing, ACCOUNTS.disputesReceivable);
  const taxes = debitTax(books.payment, sumBalances(books, taxAccount(books.payment)));
  const taken = [...books.schedules.values()].map((one) => takeFrom(one, unearned(one, on.at), on));
  const gone = [...taxes, ...taken].reduce((sum, { amountMinor }) => sum - amountMinor, 0n);
  const contra = debit(ACCOUNTS.refunds, left - gone);
  return [...taxes, ...taken, contra, credit(ACCOUNTS.playerCredit, left)];
}

/** Money of the schedule leaves its deferred account. @param amountMinor of a credit, below zero. */
export function takeFrom(
  { origin }: Schedule,
  amountMinor: bigint,
  { at: coversFrom }: PostedOn,
): Leg {
  const { account, plan, itemClass, coversUntil } = origin;
  const details = { plan, itemClass, coversFrom, coversUntil };
  return { ...debit(account, amountMinor, details), isTaken: true };
}

interface TakenBack {
  readonly amount: Money;
  readonly tax: Money | null;
  /** The account that shows the part that was earned before. */
  readonly contra: string;
}

/** The tax in it first, then money that is not earned yet, and the rest out of earned money. */
function takeBack(books: PaymentBooks, { amount, tax, contra }: TakenBack, on: PostedOn): Leg[] {
  const { payment } = books;
  const whole = minor(amount);
  if (books.isOwedBack || !isCaptured(payment)) return [debit(ACCOUNTS.playerCredit, whole)];
  // A dispute and a refund may have taken the same money: tax is not owed twice.
  const owed = least(tax === null ? 0n : minor(tax), sumBalances(books, taxAccount(payment)));
  const schedules = [...books.schedules.values()];
  const rests = schedules.map((schedule) => unearned(schedule, on.at));
  const rest = rests.reduce((sum, one) => sum + one, 0n);
  const fromRest = rest > 0n ? least(whole - owed, rest) : 0n;
  const parts = fromRest > 0n ? spread(fromRest, rests) : [];
  return [
    ...debitTax(payment, owed),
    ...schedules.map((schedule, index) => takeFrom(schedule, parts[index] ?? 0n, on)),
    debit(contra, whole - owed - fromRest),
  ];
}

/** By its rates, as the lines have them. */
function debitTax(payment: RequestedPayment, amountMinor: bigint): Leg[] {
  const taxes = payment.lines.filter((line) => line.kind === 'tax');
  if (amountMinor === 0n || taxes.length === 0) return [];
  const parts = spread(
    amountMinor,
    taxes.map(({ amount }) => minor(amount)),
  );
  return taxes.map(({ rate, origin }, index) =>
    debit(taxAccount(payment), parts[index] ?? 0n, {
      ...{ plan: origin?.planId ?? '', taxRate: rate.rate, taxRatesVersion: rate.version },
    }),
  );
}

/** Deferred money comes back over the days that are left, or is earned at once where none are. */
function reverse(row: JournalRow, { hasEnded }: PaymentBooks, { at }: PostedOn): Leg {
  const { account, side, plan, itemClass, taxRate, taxRatesVersion, gatewayRef } = row;
  const amountMinor = side === 'credit' ? -row.amountMinor : row.amountMinor;
  const details = { plan, itemClass, taxRate, taxRatesVersion, gatewayRef };
  if (!isDeferred(account)) return credit(account, amountMinor, details);
  const coversUntil = hasEnded ? at : (row.coversUntil ?? at);
  return defer(account, amountMinor, { ...details, coversFrom: at, coversUntil });
}

function isCaptured(payment: PaymentBooks['payment']): payment is RequestedPayment {
  return payment.status !== 'none' && payment.capturedAt !== null;
}

function taxAccount({ regionCode }: RequestedPayment): string {
  return taxPayable(readCountry(regionCode));
}

function minor({ amountMinor }: Money): bigint {
  return BigInt(amountMinor);
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
