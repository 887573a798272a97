import { toMilliseconds } from '#domain/calendar';
import {
  type Payment,
  paymentAggregate,
  type PaymentPurpose,
  type RequestedPayment,
  totalTax,
} from '#domain/payment';
import type { IndexEntry, StreamRecipe } from '#projection-engine/define';
import { byAggregate } from './by-aggregate.js';
import { idBehindTime, inOrderOfTime } from './in-order-of-time.js';

/**
 * The summary of a payment, derived from all of it: without payer, region, payment method, challenge and lines, of which
 * their tax is shown, and without the dates of its purpose (rules/payments 7).
 */
export const paymentRecipe: StreamRecipe<Payment> = {
  ...byAggregate(paymentAggregate),
  render: (id, payment) => {
    if (payment.status === 'none') return { state: payment, entries: [] };
    const { personal: _personal, paymentMethod: _method, regionCode: _region, ...others } = payment;
    const { challengedAt: _at, lines, purpose, ...shown } = others;
    const state = { ...shown, purpose: withoutDates(purpose), tax: totalTax(lines) };
    return { state, entries: list(id, payment) };
  },
  findId: ([name], member) => (name === 'of' ? idBehindTime(member) : member),
};

function withoutDates(purpose: PaymentPurpose) {
  if (purpose.kind === 'order') return purpose;
  const { kind, subscriptionId, period, attempt } = purpose;
  return { kind, subscriptionId, period: { number: period.number }, attempt };
}

/** A checkout that failed left no subscription, and is in no list (rules/payments 7). */
function list(id: string, payment: RequestedPayment): IndexEntry[] {
  const { purpose, status, requestedAt, openRefunds } = payment;
  const isOfCheckout = purpose.kind === 'subscription_period' && purpose.period.number === 1;
  if (isOfCheckout && status === 'FAILED') return [];
  const subject = purpose.kind === 'order' ? purpose.orderId : purpose.subscriptionId;
  const entries = [inOrderOfTime(['of', subject], requestedAt, id)];
  const [refund] = openRefunds;
  if (refund !== undefined) {
    entries.push({ index: ['refunding'], member: id, score: toMilliseconds(refund.requestedAt) });
  } else if (status === 'PENDING') {
    entries.push({ index: ['pending'], member: id, score: toMilliseconds(requestedAt) });
  }
  return entries;
}
