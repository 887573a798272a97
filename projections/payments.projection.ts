import { type Payment, paymentAggregate, startsSubscription } from '#domain/payment';
import { byCreation, foldedBy, type IndexName, type Projection } from './projection.js';

/** The payments of a subscription (rules/api 16). */
export function paymentList(subscriptionId: string): IndexName {
  return ['payments', subscriptionId];
}

/** What was charged, and what for? (rules/payments 7) */
export const payments: Projection<Payment> = {
  ...foldedBy(paymentAggregate),
  name: 'payments',
  version: 4,
  indexes: (id, payment) => {
    if (payment.status === 'none') return [];
    // A checkout that was declined left no subscription, so that there is no list for it (rules/payments 7).
    if (startsSubscription(payment.purpose) && payment.status === 'FAILED') return [];
    const list = paymentList(payment.purpose.subscriptionId);
    return [byCreation(list, payment.requestedAt, id)];
  },
};
