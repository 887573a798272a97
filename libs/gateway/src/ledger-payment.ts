import { type Payment, paymentAggregate, type PaymentEvent } from '#domain/payment';
import type { BookedDispute } from './gateway-books.js';

/** A payment of the ledger, also one that is not there, as reconciliation compares it (rules/payments 16). */
export interface LedgerPayment {
  readonly paymentId: string;
  readonly payment: Payment;
  /** With the outcomes of closed ones, of which the payment itself keeps the ids alone. */
  readonly disputes: readonly BookedDispute[];
}

/** A payment before its first event. */
export function noLedgerPayment(paymentId: string): LedgerPayment {
  return { paymentId, payment: paymentAggregate.decider.initialState, disputes: [] };
}

/** Folds one event of a payment. Total. */
export function evolveLedgerPayment(state: LedgerPayment, event: PaymentEvent): LedgerPayment {
  const payment = paymentAggregate.decider.evolve(state.payment, event);
  return { ...state, payment, disputes: evolveDisputes(state.disputes, event) };
}

function evolveDisputes(
  disputes: LedgerPayment['disputes'],
  event: PaymentEvent,
): LedgerPayment['disputes'] {
  if (event.type === 'payment.dispute_opened.v1') {
    const { disputeId, amount } = event.data;
    return [...disputes, { disputeId, amount, won: null }];
  }
  if (event.type !== 'payment.dispute_closed.v1') return disputes;
  const { disputeId, won } = event.data;
  return disputes.map((one) => (one.disputeId === disputeId ? { ...one, won } : one));
}
