import { deriveDisputeRecordingId } from '../ids/index.js';
import { findSubscriptionId, isOfSubscription, paymentAggregate } from '../payment/index.js';
import { subscriptionAggregate } from '../subscription/index.js';
import { defineRoutes, type ProcessRoute } from './process-route.js';
import { onSubscription, returnLate, returnLateUndisputed } from './steps.js';

/** Disputes of a subscription's payments, and of those that bought nothing (rules/payments 14). */
export const DISPUTE_ROUTES: readonly ProcessRoute[] = [
  // The subscription's stream notes each, once. Lost, it ends the subscription where the app wants that (rules/lifecycle 12).
  ...defineRoutes({
    on: ['payment.dispute_opened.v1', 'payment.dispute_closed.v1'],
    process: 'record_dispute_on_dispute',
    stream: paymentAggregate,
    needs: ['onLostDispute'],
    when: isOfSubscription,
    decide: ({ data, state: { paymentId, purpose }, revision, onLostDispute }) => {
      const closed = 'closedAt' in data;
      const endsSubscription = closed && !data.won && onLostDispute === 'end';
      const now = closed ? data.closedAt : data.openedAt;
      const noted = { paymentId, paymentRevision: revision };
      const command = { kind: 'RecordDispute', ...noted, closed, endsSubscription, now } as const;
      return [
        onSubscription(findSubscriptionId(purpose), command, deriveDisputeRecordingId(noted)),
      ];
    },
  }),
  // A payment that buys nothing was not given back while it was disputed: it is, where the dispute left any of it.
  ...defineRoutes({
    on: ['payment.dispute_closed.v1'],
    process: 'return_on_closed_dispute',
    stream: paymentAggregate,
    when: ({ unappliedAt }) => unappliedAt !== null,
    decide: ({ data, state: { paymentId } }) => [returnLate(paymentId, data.closedAt)],
  }),
  // The same of a payment that was captured too late for its subscription, which knows of it.
  ...defineRoutes({
    on: ['subscription.dispute_recorded.v1'],
    process: 'return_late_on_closed_dispute',
    stream: subscriptionAggregate,
    decide: ({ data, state }) => returnLateUndisputed(data, state.lateCaptures),
  }),
];
