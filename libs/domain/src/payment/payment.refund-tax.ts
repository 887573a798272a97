import {
  add,
  isGreater,
  isPositive,
  type Money,
  proportion,
  subtract,
  zero,
} from '../money/index.js';
import { totalTax } from './payment.lines.js';
import type { RequestedPayment } from './payment.state.js';

/** Money, and the tax in it. */
interface Taxed {
  readonly amount: Money;
  readonly tax: Money;
}

/**
 * The tax in a part of a payment that is to be given back (rules/payments 13); null where the payment has none.
 *
 * @param given at most the remaining amount of the payment.
 */
export function taxInRefund(given: Money, state: RequestedPayment): Money | null {
  const tax = totalTax(state.lines);
  if (tax === null) return null;
  const whole = { amount: state.amount, tax: tax.amount };
  const refunds = sumRefunds(state);
  // No event says how much tax a lost dispute has taken: its share is counted behind that of the refunds.
  const lost = { amount: state.lostTotal, tax: taxInPart(state.lostTotal, refunds, whole) };
  const taken = { amount: add(refunds.amount, lost.amount), tax: add(refunds.tax, lost.tax) };
  return taxInPart(given, taken, whole);
}

/**
 * The tax of all parts together is rounded, and a part has the tax that the parts before it have not taken: so the
 * roundings do not add up. A part has neither less than none nor more than itself, also after a refund that failed has
 * given back another tax than its share.
 */
function taxInPart(part: Money, taken: Taxed, whole: Taxed): Money {
  const upTo = proportion(whole.tax, add(taken.amount, part), whole.amount);
  const share = subtract(upTo, taken.tax);
  if (!isPositive(share)) return zero(share.currency);
  return isGreater(share, part) ? part : share;
}

/** All that refunds have taken, or are to take. */
function sumRefunds({ openRefunds, madeRefunds, amount }: RequestedPayment): Taxed {
  const none = zero(amount.currency);
  return [...madeRefunds, ...openRefunds].reduce<Taxed>(
    (sum, refund) => ({
      amount: add(sum.amount, refund.amount),
      tax: refund.tax === null ? sum.tax : add(sum.tax, refund.tax),
    }),
    { amount: none, tax: none },
  );
}
