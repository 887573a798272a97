import {
  isOwnSubject,
  type NotedPayment,
  paymentAggregate,
  type PaymentEvent,
} from '#domain/payment';
import { toMajor } from '#domain/money';
import {
  type CreditRefundFailed,
  subscriptionAggregate,
  type SubscriptionEvent,
} from '#domain/subscription';
import { renderCurrencyChange, renderPaymentObject, renderSubscription } from '#representations';
import { defineRow, type PaymentType, renderNoted, type WebhookRow } from './webhook-row.js';
import type { WebhookType } from './webhook-types.js';
import { ORDER_ROWS } from './order-rows.js';
import { SEAL_ROW } from './seal-rows.js';
import { WEBSHOP_ROWS } from './webshop-rows.js';

/**
 * The catalogue of webhooks (rules/webhooks 1): which event is sent as which messages, in this order. Every message is
 * one of the event's own stream, which is its subject: events of a subscription's payments are noted in the
 * subscription's stream and sent from there.
 */
export const CATALOGUE: readonly WebhookRow[] = [
  notedPaymentRow('subscription.created.v2', 'payment.succeeded', (data) => data.initialPayment),
  subscriptionRow('subscription.created.v2', 'subscription.created'),
  notedPaymentRow('subscription.renewed.v1', 'payment.succeeded', (data) => data),
  subscriptionRow('subscription.renewed.v1', 'subscription.payment_succeeded'),
  notedPaymentRow('subscription.renewal_failed.v2', 'payment.failed', (data) => data),
  subscriptionRow('subscription.renewal_failed.v2', 'subscription.payment_failed'),
  notedPaymentRow('subscription.late_outcome_recorded.v1', 'payment.succeeded', (data) =>
    data.captured ? data : null,
  ),
  notedPaymentRow('subscription.late_outcome_recorded.v1', 'payment.failed', (data) =>
    data.captured ? null : data,
  ),
  notedPaymentRow('subscription.refund_recorded.v1', 'payment.refunded', (data) => data),
  notedPaymentRow('subscription.dispute_recorded.v1', 'dispute.opened', (data) =>
    data.closed ? null : data,
  ),
  notedPaymentRow('subscription.dispute_recorded.v1', 'dispute.closed', (data) =>
    data.closed ? data : null,
  ),
  notedPaymentRow('subscription.plan_changed.v1', 'payment.succeeded', (data) => data.payment),
  subscriptionRow('subscription.plan_changed.v1', 'subscription.updated'),
  subscriptionRow('subscription.region_changed.v1', 'subscription.updated'),
  defineRow({
    on: 'subscription.credit_refund_failed.v1',
    family: 'v2',
    type: 'subscription.updated',
    stream: subscriptionAggregate,
    render: ({ event, state, open }) => ({
      data: { ...renderSubscription(state, open(state)), refund_failed: renderFailed(event.data) },
    }),
  }),
  defineRow({
    on: 'subscription.currency_change_scheduled.v1',
    family: 'v2',
    type: 'subscription.currency_change_scheduled',
    stream: subscriptionAggregate,
    render: ({ event, state, open }) => ({
      data: { ...renderSubscription(state, open(state)), ...renderCurrencyChange(event.data) },
    }),
  }),
  notedPaymentRow('subscription.change_declined.v1', 'payment.failed', (data) => data),
  subscriptionRow('subscription.canceled.v1', 'subscription.canceled'),
  subscriptionRow('subscription.reactivated.v1', 'subscription.reactivated'),
  defineRow({
    on: 'subscription.expired.v1',
    family: 'v2',
    type: 'subscription.expired',
    stream: subscriptionAggregate,
    render: ({ event, state, open }) => ({
      data: { ...renderSubscription(state, open(state)), reason: event.data.cause },
    }),
  }),
  ownPaymentRow('payment.declined.v1', 'payment.failed'),
  ownPaymentRow('payment.given_up.v1', 'payment.failed'),
  ownPaymentRow('payment.unapplied.v1', 'payment.succeeded'),
  ownPaymentRow('payment.refunded.v1', 'payment.refunded'),
  ownPaymentRow('payment.dispute_opened.v1', 'dispute.opened'),
  ownPaymentRow('payment.dispute_closed.v1', 'dispute.closed'),
  ...ORDER_ROWS,
  ...WEBSHOP_ROWS,
  SEAL_ROW,
];

/** The categories of the streams whose events are sent. An event's name begins with it, too. */
export const SENT_CATEGORIES: readonly string[] = [
  ...new Set(CATALOGUE.map(({ on }) => on.slice(0, on.indexOf('.')))),
];

const ROWS_BY_EVENT = new Map(
  CATALOGUE.map(({ on }) => [on, CATALOGUE.filter((row) => row.on === on)] as const),
);
const NO_ROWS: readonly WebhookRow[] = [];

/** The rows of an event, in the order of their messages; none for an event that is not sent. */
export function rowsFor(eventType: string): readonly WebhookRow[] {
  return ROWS_BY_EVENT.get(eventType) ?? NO_ROWS;
}

/** The refund of a change, which failed (rules/webhooks 2). */
function renderFailed({ paymentId, amount }: CreditRefundFailed['data']) {
  return { payment_id: paymentId, currency: amount.currency, total: toMajor(amount) };
}

type SubscriptionType = Extract<WebhookType<'v2'>, `subscription.${string}`>;
type DataOf<Event extends { type: string; data: unknown }, Type> = Extract<
  Event,
  { type: Type }
>['data'];

/** A message about the subscription, as the event left it. */
function subscriptionRow(on: SubscriptionEvent['type'], type: SubscriptionType): WebhookRow {
  return defineRow({
    on,
    family: 'v2',
    type,
    stream: subscriptionAggregate,
    render: ({ state, open }) => ({ data: renderSubscription(state, open(state)) }),
  });
}

/** A message about a payment of the subscription, as the event notes it. */
function notedPaymentRow<Type extends SubscriptionEvent['type']>(
  on: Type,
  type: PaymentType,
  notes: (data: DataOf<SubscriptionEvent, Type>) => NotedPayment | null,
): WebhookRow {
  return defineRow({
    on,
    family: 'v2',
    type,
    stream: subscriptionAggregate,
    // `DataOf` of the type is the data of the row's event; the compiler does not unfold it here.
    notes: notes as never,
    render: renderNoted(type),
  });
}

/** A message about a payment that is no subscription's: it is its own subject. */
function ownPaymentRow(on: PaymentEvent['type'], type: PaymentType): WebhookRow {
  return defineRow({
    on,
    family: 'v2',
    type,
    stream: paymentAggregate,
    when: isOwnSubject,
    render: ({ state, open }) => ({ data: renderPaymentObject(state, type, open(state)) }),
  });
}
