import type { Instant } from '#domain/event';
import { isPositive, isSameMoney, type Money, toMajor } from '#domain/money';
import { findOpenRefund, isGivenUp, type RequestedPayment } from '#domain/payment';
import type { BookedCharge, BookedDispute } from './gateway-books.js';
import type { LedgerPayment } from './ledger-payment.js';

/** The differences that reconciliation finds (rules/payments 16). */
export type DifferenceKind =
  | 'charge_not_in_ledger'
  | 'charge_unknown_at_gateway'
  | 'amount_differs'
  | 'outcome_differs'
  | 'refund_not_in_ledger'
  | 'refund_unknown_at_gateway'
  | 'refund_differs'
  | 'dispute_not_in_ledger'
  | 'dispute_not_closed'
  | 'dispute_differs'
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

/** Compares one payment with the gateway's charge, both ways; `undefined` for a charge that the gateway never had. */
export function compareBooks(
  { paymentId, payment, disputes }: LedgerPayment,
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
  if (booked !== undefined) compareCharge({ payment, disputes }, booked, note);
  // A payment of 0 is captured without the gateway (decision 0019).
  else if (payment.capturedAt !== null && isPositive(payment.amount)) {
    note('charge_unknown_at_gateway', 'none', `captured ${say(payment.amount)}`);
  }
  return found;
}

type Note = (kind: DifferenceKind, gateway: string, ledger: string) => void;

function compareCharge(
  { payment, disputes }: Pick<LedgerPayment, 'disputes'> & { readonly payment: RequestedPayment },
  booked: BookedCharge,
  note: Note,
): void {
  if (!isSameMoney(payment.amount, booked.amount)) {
    note('amount_differs', say(booked.amount), say(payment.amount));
    if (payment.amount.currency !== booked.amount.currency) return;
  }
  const outcome = readOutcome(payment);
  if (outcome !== booked.status && !isUnconfirmed(payment, booked)) {
    note('outcome_differs', booked.status, isGivenUp(payment) ? 'given up' : outcome);
  }
  if (outcome === 'captured') compareRefunds(payment, booked, note);
  compareDisputes(disputes, booked, note);
}

/** One by one: another refund of the same sum is another refund. */
function compareRefunds(payment: RequestedPayment, booked: BookedCharge, note: Note): void {
  for (const { key, amount } of booked.refunds) {
    const made = payment.madeRefunds.find(({ refundId }) => refundId === key);
    const there = `${key} of ${say(amount)}`;
    if (made === undefined) note('refund_not_in_ledger', there, sayUnmade(payment, key));
    else if (!isSameMoney(made.amount, amount)) note('refund_differs', there, say(made.amount));
  }
  for (const { refundId, amount } of payment.madeRefunds) {
    if (booked.refunds.some(({ key }) => key === refundId)) continue;
    note('refund_unknown_at_gateway', 'none', `${refundId} of ${say(amount)}`);
  }
}

function sayUnmade(payment: RequestedPayment, refundId: string): string {
  if (findOpenRefund(payment, refundId) !== undefined) return 'asked for';
  return payment.refundIds.includes(refundId) ? 'failed' : 'none';
}

function compareDisputes(known: LedgerPayment['disputes'], booked: BookedCharge, note: Note): void {
  for (const there of booked.disputes) {
    const here = known.find(({ disputeId }) => disputeId === there.disputeId);
    if (here === undefined) note('dispute_not_in_ledger', sayDispute(there), 'none');
    else if (
      !isSameMoney(here.amount, there.amount) ||
      (here.won !== there.won && here.won !== null)
    ) {
      note('dispute_differs', sayDispute(there), sayDispute(here));
    } else if (here.won !== there.won) note('dispute_not_closed', sayDispute(there), 'open');
  }
  for (const here of known) {
    if (booked.disputes.some(({ disputeId }) => disputeId === here.disputeId)) continue;
    note('dispute_unknown_at_gateway', 'none', sayDispute(here));
  }
}

function sayDispute({ disputeId, amount, won }: BookedDispute): string {
  return `${disputeId} of ${say(amount)}, ${won === null ? 'open' : won ? 'won' : 'lost'}`;
}

/** The player never confirmed it: the gateway waits for that, perhaps for ever, and nothing is amiss. */
function isUnconfirmed(payment: RequestedPayment, booked: BookedCharge): boolean {
  return isGivenUp(payment) && payment.challengedAt !== null && booked.status === 'pending';
}

function readOutcome({ capturedAt, status }: RequestedPayment): BookedCharge['status'] {
  if (capturedAt !== null) return 'captured';
  return status === 'FAILED' ? 'declined' : 'pending';
}

function say(amount: Money): string {
  return `${toMajor(amount)} ${amount.currency}`;
}
