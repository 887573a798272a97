import type { Instant } from '../../event/index.js';
import type { MoneyEvent, PaymentBooks, Recorded } from './books.js';
import { captured } from './captured.js';
import { changed, ended } from './ended.js';
import type { EventLegs, Leg, PostedOn } from './legs.js';
import { disputeClosed, disputeOpened, refunded, refundFailed, unapplied } from './returned.js';
import { settled } from './settled.js';

/** A rule of `rules.v1`: the entries of a type of event, or why it has none (rules/finance 2). */
export type PostingRule<Event extends MoneyEvent> =
  OfPayments<Event> | OfGateway<Event> | { readonly nothing: string };

interface Moving<Event extends MoneyEvent> {
  /** The name of the rule, as rows have it. */
  readonly rule: string;
  readonly happenedAt: (data: Event['data']) => Instant;
  /** In words, where the event has one. */
  readonly reason?: (data: Event['data']) => string;
}

interface OfPayments<Event extends MoneyEvent> extends Moving<Event> {
  /** Whose payments it moves: that of the event's own stream, the one that its data names, or all of its subscription. */
  readonly moves: 'own' | 'named' | 'subscription';
  readonly legs: (
    event: Recorded<Event>,
    books: PaymentBooks,
    on: PostedOn,
    /** The books of all payments of the subscription, where the event is one of a subscription. */
    peers: readonly PaymentBooks[],
  ) => readonly Leg[];
}

/** An event that says all by itself: no payment's books are needed, or changed. */
interface OfGateway<Event extends MoneyEvent> extends Moving<Event> {
  readonly moves: 'gateway';
  readonly legs: (event: Recorded<Event>) => readonly EventLegs[];
}

type OfType<Type extends MoneyEvent['type']> = Extract<MoneyEvent, { readonly type: Type }>;

/** Two reasons that many rows have. */
const NOTED = { nothing: 'the event of the payment that it notes has moved the money' };
const NO_MONEY = { nothing: 'no money moves: what is charged has its own payment' };

/** Every type of event of payments, orders, subscriptions and settlement: one that is left out does not compile. */
export const POSTINGS: { readonly [Type in MoneyEvent['type']]: PostingRule<OfType<Type>> } = {
  'payment.requested.v3': { nothing: 'the gateway is only asked for the money' },
  'payment.pending.v1': { nothing: 'the gateway has not decided' },
  'payment.challenged.v2': { nothing: 'the player has not confirmed the charge' },
  'payment.captured.v1': {
    ...{ rule: 'captured', moves: 'own', legs: captured },
    happenedAt: ({ capturedAt }) => capturedAt,
  },
  'payment.declined.v1': { nothing: 'no money has come' },
  'payment.given_up.v1': { nothing: 'no money has come; a late capture posts itself' },
  'payment.refund_requested.v1': { nothing: 'the money goes when the gateway has made the refund' },
  'payment.refunded.v1': {
    ...{ rule: 'refunded', moves: 'own', legs: refunded },
    happenedAt: ({ refundedAt }) => refundedAt,
  },
  'payment.refund_failed.v1': {
    ...{ rule: 'refund_failed', moves: 'own', legs: refundFailed },
    happenedAt: ({ failedAt }) => failedAt,
  },
  'payment.unapplied.v1': {
    ...{ rule: 'unapplied', moves: 'own', legs: unapplied },
    happenedAt: ({ unappliedAt }) => unappliedAt,
  },
  'payment.dispute_opened.v1': {
    ...{ rule: 'dispute_opened', moves: 'own', legs: disputeOpened },
    happenedAt: ({ openedAt }) => openedAt,
  },
  'payment.dispute_closed.v1': {
    ...{ rule: 'dispute_closed', moves: 'own', legs: disputeClosed },
    happenedAt: ({ closedAt }) => closedAt,
    reason: ({ won }) => (won ? 'won' : 'lost'),
  },
  'order.created.v1': NO_MONEY,
  'order.checkout_opened.v1': NO_MONEY,
  'order.attempted.v1': NO_MONEY,
  'order.challenged.v1': NO_MONEY,
  'order.payment_declined.v1': NOTED,
  'order.paid.v1': NOTED,
  'order.claimed.v1': { nothing: 'the order costs nothing' },
  'order.item_redeemed.v1': { nothing: 'the order costs nothing' },
  'order.canceled.v1': NO_MONEY,
  'order.expired.v1': NO_MONEY,
  'order.late_outcome_recorded.v1': {
    ...{ rule: 'unapplied', moves: 'named', legs: unapplied },
    happenedAt: ({ recordedAt }) => recordedAt,
  },
  'order.refund_recorded.v1': NOTED,
  'order.dispute_recorded.v1': NOTED,
  'subscription.created.v2': NOTED,
  'subscription.renewal_requested.v1': NO_MONEY,
  'subscription.renewed.v1': NOTED,
  'subscription.renewal_failed.v2': NOTED,
  'subscription.late_outcome_recorded.v1': {
    ...{ rule: 'unapplied', moves: 'named' },
    legs: (event, books, on) => (event.data.captured ? unapplied(event, books, on) : []),
    happenedAt: ({ recordedAt }) => recordedAt,
  },
  'subscription.refund_recorded.v1': NOTED,
  'subscription.dispute_recorded.v1': NOTED,
  'subscription.canceled.v1': { nothing: 'paid time goes on to its end' },
  'subscription.reactivated.v1': NO_MONEY,
  'subscription.expired.v1': {
    ...{ rule: 'expired', moves: 'subscription', legs: ended },
    happenedAt: ({ expiredAt }) => expiredAt,
    reason: ({ cause }) => cause,
  },
  'subscription.change_requested.v1': NO_MONEY,
  'subscription.change_declined.v1': NOTED,
  'subscription.change_refused.v1': NO_MONEY,
  'subscription.plan_change_scheduled.v1': NO_MONEY,
  'subscription.currency_change_scheduled.v1': NO_MONEY,
  'subscription.plan_change_dropped.v1': NO_MONEY,
  'subscription.plan_changed.v1': {
    ...{ rule: 'changed', moves: 'subscription', legs: changed },
    happenedAt: ({ changedAt }) => changedAt,
  },
  'subscription.payment_method_changed.v1': NO_MONEY,
  'subscription.credit_refund_failed.v1': NOTED,
  'subscription.region_changed.v1': { nothing: 'the next charge has the tax of the new region' },
  'settlement.row_imported.v1': {
    ...{ rule: 'settled', moves: 'gateway', legs: settled },
    happenedAt: ({ createdAt }) => createdAt,
    reason: ({ category }) => category,
  },
  'settlement.payout_noted.v1': { nothing: 'the row of the payout itself moves its money' },
};
