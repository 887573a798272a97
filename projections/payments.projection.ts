import { toMilliseconds } from '#domain/calendar';
import type { RecordedEvent } from '#domain/event';
import {
  evolvePaymentSummary,
  findReference,
  type PaymentEvent,
  type PaymentSummary,
  type ShownPayment,
  startsSubscription,
} from '#domain/payment';
import {
  byCreation,
  codecByFields,
  type Document,
  type DocumentPage,
  type DocumentPageOptions,
  eventTypesIn,
  ID,
  type IndexName,
  INSTANT,
  type Projection,
  type ScoredMember,
  type TimeRange,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';
import { paymentRecipe } from './recipes/payments.js';

interface PaymentQueries {
  byId(id: string): Promise<Document<PaymentSummary> | undefined>;
  /** Newest first. */
  list(subscriptionId: string, options: DocumentPageOptions): Promise<DocumentPage<PaymentSummary>>;
  /** The ids of payments without an outcome, by the time they were asked for, the oldest first. */
  pending(range: TimeRange): Promise<ScoredMember[]>;
  /** The ids of payments with a refund without an outcome, by the time the first of these was asked for. */
  refunding(range: TimeRange): Promise<ScoredMember[]>;
}

const NOTHING = { amountMinor: '0', currency: 'USD' };

/** Fields in the order in which they are stored, with their usual values. */
const STORED = {
  ...{ status: 'SUCCEEDED', appId: '', player: '', checkoutLinkId: '' },
  amount: { amountMinor: '', currency: 'USD' },
  purpose: {
    kind: 'subscription_period',
    // A payment has one or the other.
    ...{ subscriptionId: undefined, orderId: undefined },
    ...{ period: undefined, attempt: 1 },
  },
  ...{ requestedAt: INSTANT, updatedAt: INSTANT, capturedAt: INSTANT },
  method: { paymentMethodSubType: '', issuerBank: '' },
  ...{ tax: null, messageCount: 0, pendingSince: INSTANT, failedAt: INSTANT, decline: null },
  ...{ totalRefunded: NOTHING, refundedTax: NOTHING, lostTotal: NOTHING },
  ...{ refundIds: [], lastRefundAt: INSTANT, openRefunds: [], madeRefunds: [] },
  ...{ openDisputes: [], disputeIds: [], lastDispute: null, unappliedAt: INSTANT, givenUp: null },
  paymentId: ID,
};

/** What was charged, and what for? (rules/payments 7) */
export const payments: Projection<ShownPayment, PaymentQueries> = {
  name: 'payments',
  version: 12,
  categories: ['payment'],
  eventTypes: eventTypesIn('payment'),
  documents: { of: 'stream' },
  codec: codecByFields<ShownPayment>(STORED),
  initialState: { status: 'none' },
  // It is given only events of the types that it names.
  project: (before, event) => evolvePaymentSummary(before, event as RecordedEvent & PaymentEvent),
  indexes: (id, payment) => {
    if (payment.status === 'none') return [];
    // A checkout that was declined left no subscription, so that there is no list for it (rules/payments 7).
    if (startsSubscription(payment.purpose) && payment.status === 'FAILED') return [];
    const { purpose, requestedAt, status } = payment;
    const listed = byCreation(paymentList(findReference(purpose)), requestedAt, id);
    const [refund] = payment.openRefunds;
    if (refund !== undefined) {
      const score = toMilliseconds(refund.requestedAt);
      return [listed, { index: REFUNDING, member: id, score }];
    }
    if (status !== 'PENDING') return [listed];
    return [listed, { index: PENDING, member: id, score: toMilliseconds(requestedAt) }];
  },
  recipe: paymentRecipe,
  queries: (read) => ({
    byId: async (id) => onlyExisting(await read.find(id)),
    list: async (subscriptionId, options) => {
      const lists = [paymentList(subscriptionId)];
      const page = { ...options, isRemembered: true };
      return pageOfExisting(await read.page(lists, { id: subscriptionId }, page));
    },
    pending: (range) => read.range(PENDING, range),
    refunding: (range) => read.range(REFUNDING, range),
  }),
};

const PENDING: IndexName = ['pending'];
const REFUNDING: IndexName = ['refunding'];

/** The payments of a subscription (rules/api 16). */
function paymentList(subscriptionId: string): IndexName {
  return ['of', subscriptionId];
}
