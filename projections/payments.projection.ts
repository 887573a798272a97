import { type Payment, paymentAggregate, startsSubscription } from '#domain/payment';
import { byCreation, foldedBy, type IndexName, type Projection } from './projection.js';

/** The payments of a subscription (interface 4.1). */
export function paymentsOfSubscription(subscriptionId: string): IndexName {
  return ['payments', subscriptionId];
}

/** What was charged, and what for? (decisions 7) */
export const payments: Projection<Payment> = {
  ...foldedBy(paymentAggregate),
  name: 'payments',
  version: 3,
  partitionBy: 'player',
  indexes: (id, payment) => {
    if (payment.status === 'none') return [];
    // A checkout that was declined left no subscription, so that there is no list for it (decisions 6).
    if (startsSubscription(payment.purpose) && payment.status === 'FAILED') return [];
    const list = paymentsOfSubscription(payment.purpose.subscriptionId);
    return [byCreation(list, payment.requestedAt, id)];
  },
};
