import { toMilliseconds } from '#domain/calendar';
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
  type ScoredMember,
  type TimeRange,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';

interface PaymentQueries {
  byId(id: string): Promise<Document<RequestedPayment> | undefined>;
  /** Newest first. */
  list(
    subscriptionId: string,
    options: DocumentPageOptions,
  ): Promise<DocumentPage<RequestedPayment>>;
  /** The ids of payments without an outcome, by the time they were asked for, the oldest first. */
  pending(range: TimeRange): Promise<ScoredMember[]>;
}

/** What was charged, and what for? (rules/payments 7) */
export const payments: Projection<Payment, PaymentQueries> = {
  ...foldedBy(paymentAggregate),
  name: 'payments',
  version: 5,
  indexes: (id, payment) => {
    if (payment.status === 'none') return [];
    // A checkout that was declined left no subscription, so that there is no list for it (rules/payments 7).
    if (startsSubscription(payment.purpose) && payment.status === 'FAILED') return [];
    const { purpose, requestedAt, status } = payment;
    const listed = byCreation(paymentList(purpose.subscriptionId), requestedAt, id);
    if (status !== 'PENDING') return [listed];
    return [listed, { index: PENDING, member: id, score: toMilliseconds(requestedAt) }];
  },
  queries: (read) => ({
    byId: async (id) => onlyExisting(await read.find(id)),
    list: async (subscriptionId, options) => {
      const index = paymentList(subscriptionId);
      return pageOfExisting(await read.page(index, { id: subscriptionId }, options));
    },
    pending: (range) => read.range(PENDING, range),
  }),
};

const PENDING: IndexName = ['pending'];

/** The payments of a subscription (rules/api 16). */
function paymentList(subscriptionId: string): IndexName {
  return ['payments', subscriptionId];
}
