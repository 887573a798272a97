import { accept, type AnyRejection, type Decision, reject } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { deriveLateRefundId } from '../ids/index.js';
import { isGreater, isPositive } from '../money/index.js';
import type { PaymentEvent } from './payment.events.js';
import { findMadeRefund, findOpenRefund } from './payment.refund-state.js';
import { taxInRefund } from './payment.refund-tax.js';
import { refundable, type RequestedPayment } from './payment.state.js';

/** Commands about refunds of one payment (rules/payments 13). */
export type RefundCommand =
  | {
      readonly kind: 'RequestRefund';
      readonly refundId: string;
      /** In minor units of the payment's currency; all that is left when not given. */
      readonly amountMinor?: string;
      readonly now: Instant;
    }
  /** All that is left is given back by itself; nothing where nothing is, or a dispute is to decide. */
  | { readonly kind: 'ReturnPayment'; readonly now: Instant }
  /** The gateway has given it back. */
  | { readonly kind: 'ConfirmRefund'; readonly refundId: string; readonly now: Instant }
  /** The gateway refuses to. */
  | { readonly kind: 'FailRefund'; readonly refundId: string; readonly now: Instant }
  /** The gateway tells that it could not, also after it had said that it did. */
  | { readonly kind: 'ReverseRefund'; readonly refundId: string; readonly now: Instant };

export interface RefundRejection extends AnyRejection {
  readonly code:
    | 'payment/not_refundable'
    | 'payment/refund_exceeds_remaining'
    | 'payment/refund_not_requested'
    | 'payment/too_many_refunds';
}

type RefundDecision = Decision<PaymentEvent, RefundRejection>;

/** Each is read with the payment for good. */
const REFUNDS_AT_MOST = 100;

/** A known refund changes nothing, also when it is asked for again. */
export function decideRefund(command: RefundCommand, state: RequestedPayment): RefundDecision {
  if (command.kind === 'ReturnPayment') return returnRest(command, state);
  const { kind, refundId, now } = command;
  if (state.refundIds.includes(refundId)) return endedBefore(command, state);
  const open = findOpenRefund(state, refundId);
  if (kind === 'RequestRefund') return open === undefined ? request(command, state) : accept();
  if (open === undefined) return reject('payment/refund_not_requested', refundId);
  const { amount } = open;
  if (kind === 'FailRefund' || kind === 'ReverseRefund') {
    return accept({ type: 'payment.refund_failed.v1', data: { refundId, amount, failedAt: now } });
  }
  return accept({ type: 'payment.refunded.v1', data: { refundId, amount, refundedAt: now } });
}

/** A refund that has ended stays so, unless the gateway itself takes it back. */
function endedBefore(
  { kind, refundId, now }: Exclude<RefundCommand, { kind: 'ReturnPayment' }>,
  state: RequestedPayment,
): RefundDecision {
  const made = findMadeRefund(state, refundId);
  if (kind !== 'ReverseRefund' || made === undefined) return accept();
  const { amount } = made;
  return accept({ type: 'payment.refund_failed.v1', data: { refundId, amount, failedAt: now } });
}

function request(
  { refundId, amountMinor, now }: Extract<RefundCommand, { kind: 'RequestRefund' }>,
  state: RequestedPayment,
): RefundDecision {
  if (state.status !== 'SUCCEEDED' && state.status !== 'PARTIALLY_REFUNDED') {
    return reject('payment/not_refundable', state.status);
  }
  if (state.refundIds.length + state.openRefunds.length >= REFUNDS_AT_MOST) {
    return reject('payment/too_many_refunds', String(REFUNDS_AT_MOST));
  }
  const rest = refundable(state);
  const given = amountMinor === undefined ? rest : { ...rest, amountMinor };
  if (!isPositive(given) || isGreater(given, rest)) {
    return reject('payment/refund_exceeds_remaining', rest.amountMinor);
  }
  const tax = taxInRefund(given, state);
  return accept({
    type: 'payment.refund_requested.v1',
    data: { refundId, amount: given, tax, requestedAt: now },
  });
}

/**
 * It is tried once, and once more after each dispute that is closed: the gateway may have refused it for the
 * dispute, of which it knew first (rules/payments 14).
 */
function returnRest(
  { now }: Extract<RefundCommand, { kind: 'ReturnPayment' }>,
  state: RequestedPayment,
): RefundDecision {
  const refundId = deriveLateRefundId(state.paymentId, state.disputeIds.length);
  const asked = decideRefund({ kind: 'RequestRefund', refundId, now }, state);
  return asked.accepted ? asked : accept();
}
