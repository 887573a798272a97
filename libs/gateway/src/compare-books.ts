import type { Instant } from '#domain/event';
import { add, isGreater, isPositive, type Money, toMajor, zero } from '#domain/money';
import { findOpenDispute, isGivenUp, type Payment, type RequestedPayment } from '#domain/payment';
import type { BookedCharge } from './gateway-books.js';

/** What reconciliation finds (rules/payments 16). */
export type DifferenceKind =
  | 'charge_not_in_ledger'
  | 'charge_unknown_at_gateway'
  | 'amount_differs'
  | 'outcome_differs'
  | 'returned_differs'
  | 'dispute_not_in_ledger'
  | 'dispute_not_closed'
  | 'dispute_unknown_at_gateway'
  | 'pending_too_long'
  | 'refund_open_too_long';

/** One thing that gateway and ledger do not agree on, or that has been open for too long. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly paymentId: string;
  /** As each of them has it, for people. */
  readonly gateway: string;
  readonly ledger: string;
}

/** A payment of the ledger, also one that is not there. */
export interface LedgerPayment {
  readonly paymentId: string;
  readonly payment: Payment;
}

/** Compares one payment with the gateway's charge, both ways; `undefined` for what the gateway never had. */
export function compareBooks(
  { paymentId, payment }: LedgerPayment,
  booked: BookedCharge | undefined,
  openBefore: Instant,
): Difference[] {
  const found: Difference[] = [];
  const note = (kind: DifferenceKind, gateway: string, ledger: string) =>
    void found.push({ kind, paymentId, gateway, ledger });
  if (payment.status === 'none') {
    if (booked === undefined || booked.status === 'declined') return found;
    note('charge_not_in_ledger', `${booked.status} ${say(booked.amount)}`, 'none');
    return found;
  }
  if (payment.status === 'PENDING' && payment.requestedAt < openBefore) {
    note('pending_too_long', booked?.status ?? 'unknown', `asked for at ${payment.requestedAt}`);
  }
  for (const { refundId, amount, requestedAt: askedAt } of payment.openRefunds) {
    const isMade = booked?.refunds.some(({ key }) => key === refundId) === true;
    if (askedAt >= openBefore) continue;
    const asked = `${refundId} of ${say(amount)} asked for at ${askedAt}`;
    note('refund_open_too_long', isMade ? 'refunded' : 'not refunded', asked);
  }
  if (booked !== undefined) compareCharge(payment, booked, note);
  // A payment of 0 is captured without the gateway (decision 0162).
  else if (payment.capturedAt !== null && isPositive(payment.amount)) {
    note('charge_unknown_at_gateway', 'none', `captured ${say(payment.amount)}`);
  }
  return found;
}

type Note = (kind: DifferenceKind, gateway: string, ledger: string) => void;

function compareCharge(payment: RequestedPayment, booked: BookedCharge, note: Note): void {
  if (!isSame(payment.amount, booked.amount)) {
    note('amount_differs', say(booked.amount), say(payment.amount));
    if (payment.amount.currency !== booked.amount.currency) return;
  }
  const outcome = readOutcome(payment);
  if (outcome !== booked.status && !isUnconfirmed(payment, booked)) {
    note('outcome_differs', booked.status, isGivenUp(payment) ? 'given up' : outcome);
  }
  const returned = sumReturned(booked);
  // Refunds on their way while a dispute took the rest are not counted above the payment (rules/payments 14).
  const counted = isGreater(returned, booked.amount) ? booked.amount : returned;
  if (outcome === 'captured' && !isSame(counted, payment.totalRefunded)) {
    note('returned_differs', say(returned), say(payment.totalRefunded));
  }
  compareDisputes(payment, booked, note);
}

function compareDisputes(payment: RequestedPayment, booked: BookedCharge, note: Note): void {
  for (const { disputeId, amount, won } of booked.disputes) {
    const isOpen = findOpenDispute(payment, disputeId) !== undefined;
    const state = won === null ? 'open' : won ? 'won' : 'lost';
    if (!isOpen && !payment.disputeIds.includes(disputeId)) {
      note('dispute_not_in_ledger', `${disputeId} of ${say(amount)}, ${state}`, 'none');
    } else if (isOpen && won !== null) {
      note('dispute_not_closed', `${disputeId} ${state}`, 'open');
    }
  }
  for (const { disputeId, amount } of payment.openDisputes) {
    if (booked.disputes.some((one) => one.disputeId === disputeId)) continue;
    note('dispute_unknown_at_gateway', 'none', `${disputeId} of ${say(amount)}, open`);
  }
}

/** The player never confirmed it: the gateway waits for that, perhaps for ever, and nothing is amiss. */
function isUnconfirmed(payment: RequestedPayment, booked: BookedCharge): boolean {
  return isGivenUp(payment) && payment.challengedAt !== null && booked.status === 'pending';
}

function readOutcome({ capturedAt, status }: RequestedPayment): BookedCharge['status'] {
  if (capturedAt !== null) return 'captured';
  return status === 'FAILED' ? 'declined' : 'pending';
}

function sumReturned({ amount: { currency }, refunds, disputes }: BookedCharge): Money {
  const lost = disputes.filter(({ won }) => won === false);
  return [...refunds, ...lost]
    .filter(({ amount }) => amount.currency === currency)
    .reduce((sum, { amount }) => add(sum, amount), zero(currency));
}

function isSame(left: Money, right: Money): boolean {
  return left.currency === right.currency && left.amountMinor === right.amountMinor;
}

function say(amount: Money): string {
  return `${toMajor(amount)} ${amount.currency}`;
}
