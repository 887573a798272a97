import {
  type Payment,
  paymentAggregate,
  type RequestedPayment,
  startsSubscription,
} from '#domain/payment';
import {
  byCreation,
  type Document,
  type DocumentPage,
  type DocumentPageOptions,
  foldedBy,
  type IndexName,
  type Projection,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';

interface PaymentQueries {
  byId(id: string): Promise<Document<RequestedPayment> | undefined>;
  /** Newest first. */
  list(
    subscriptionId: string,
    options: DocumentPageOptions,
  ): Promise<DocumentPage<RequestedPayment>>;
}

/** What was charged, and what for? (rules/payments 7) */
export const payments: Projection<Payment, PaymentQueries> = {
  ...foldedBy(paymentAggregate),
  name: 'payments',
  version: 4,
  indexes: (id, payment) => {
    if (payment.status === 'none') return [];
    // A checkout that was declined left no subscription, so that there is no list for it (rules/payments 7).
    if (startsSubscription(payment.purpose) && payment.status === 'FAILED') return [];
    return [byCreation(paymentList(payment.purpose.subscriptionId), payment.requestedAt, id)];
  },
  queries: (read) => ({
    byId: async (id) => onlyExisting(await read.find(id)),
    list: async (subscriptionId, options) => {
      const index = paymentList(subscriptionId);
      return pageOfExisting(await read.page(index, { id: subscriptionId }, options));
    },
  }),
};

/** The payments of a subscription (rules/api 16). */
function paymentList(subscriptionId: string): IndexName {
  return ['payments', subscriptionId];
}
