import type { Instant } from '../event/index.js';
import { accept, type Decision } from '../decider/index.js';
import { isPositive, type Money, proportion, subtract } from '../money/index.js';
import type { PaymentEvent } from './payment.events.js';
import { type PaymentLine, sumLines } from './payment.lines.js';
import { decideRefund } from './payment.refunds.js';
import type { Payment, RequestedPayment } from './payment.state.js';

/**
 * Paid time that a change of the plan did not use up is given back (rules/payments 20). A refund that is impossible by
 * now has failed: the studio learns of it, and nothing is tried again.
 */
export interface RefundUnusedCredit {
  readonly kind: 'RefundUnusedCredit';
  readonly refundId: string;
  /** Of the unused time, as a plan's price is meant. */
  readonly price: Money;
  readonly now: Instant;
}

/** The refund for a part of a price, and whether the payment can bear it now. */
export interface CreditRefund {
  readonly amount: Money;
  readonly isBorne: boolean;
}

/** The charged amount and its lines. */
interface Charge {
  readonly amount: Money;
  readonly lines: readonly PaymentLine[];
}

/** Decides about it as about any other refund; a refund that is known already changes nothing. */
export function refundCredit(
  { refundId, price, now }: RefundUnusedCredit,
  state: RequestedPayment,
): Decision<PaymentEvent, never> {
  const amount = withAddedTax(price, state);
  const asked = requestRefund(state, { refundId, amount, now });
  if (asked.accepted) return asked;
  return accept({ type: 'payment.refund_failed.v1', data: { refundId, amount, failedAt: now } });
}

/** The present result of `refundCredit`, of a payment that may not be there. */
export function quoteCreditRefund(price: Money, payment: Payment): CreditRefund {
  if (payment.status === 'none') return { amount: price, isBorne: false };
  const amount = withAddedTax(price, payment);
  const asked = requestRefund(payment, { refundId: '', amount, now: payment.updatedAt });
  return { amount, isBorne: asked.accepted };
}

/**
 * A part of a price with the tax that was added to it when it was charged: that goes back, whatever the rate is by now.
 * A tax that the price contained is in it already.
 */
export function withAddedTax(price: Money, { amount, lines }: Charge): Money {
  const added = lines.filter((line) => line.kind === 'tax' && !line.inclusive);
  if (added.length === 0) return price;
  const charged = subtract(amount, sumLines(added));
  return isPositive(charged) ? proportion(amount, price, charged) : price;
}

function requestRefund(
  state: RequestedPayment,
  { refundId, amount, now }: { refundId: string; amount: Money; now: Instant },
) {
  const { amountMinor } = amount;
  return decideRefund({ kind: 'RequestRefund', refundId, amountMinor, now }, state);
}
