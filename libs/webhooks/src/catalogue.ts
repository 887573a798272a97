import type { RecordedEvent } from '#domain/event';
import type { Payment, PaymentEvent } from '#domain/payment';
import type { Subscription, SubscriptionEvent } from '#domain/subscription';
import { renderPaymentObject, renderSubscription, subscriptionIdOf } from '#representations';

/** What an event becomes for merchants: a type, the object that it is about, and the data of then. */
interface Rendered {
  /** Messages of one subject are delivered in order (decisions 8). */
  readonly subject: string;
  readonly data: unknown;
}

interface Entry {
  readonly type: string;
  /** Whose folded state the data is rendered from. */
  readonly of: 'subscription' | 'payment';
  /** @param state of the event's stream, folded up to and including the event. */
  readonly render: (state: never) => Rendered | null;
}

type WebhookEvent = SubscriptionEvent['type'] | PaymentEvent['type'];

/**
 * The catalogue of v2 webhooks (interface 6.3 and 6.4): which event is told, as what. A new type of
 * webhook is one entry here and one golden file.
 */
const CATALOGUE: Readonly<Partial<Record<WebhookEvent, Entry>>> = {
  'subscription.created.v1': subscription('subscription.created'),
  'subscription.renewed.v1': subscription('subscription.payment_succeeded'),
  'subscription.renewal_failed.v1': subscription('subscription.payment_failed'),
  'subscription.canceled.v1': subscription('subscription.canceled'),
  'subscription.reactivated.v1': subscription('subscription.reactivated'),
  'subscription.expired.v1': subscription('subscription.expired'),
  'payment.captured.v1': payment('payment.succeeded', 'succeeded'),
  'payment.declined.v1': payment('payment.failed', 'failed'),
  'payment.refunded.v1': payment('payment.refunded', 'refunded'),
};

/** Every type that merchants can be told of. */
export const WEBHOOK_TYPES: readonly string[] = Object.values(CATALOGUE).map(({ type }) => type);

/** Whether an event of this stored type is told to merchants. */
export function isWebhookEvent(eventType: string): eventType is WebhookEvent {
  return Object.hasOwn(CATALOGUE, eventType);
}

/** The catalogue's entry of an event. */
export function entryOf(event: Pick<RecordedEvent, 'type'>): Entry | undefined {
  return isWebhookEvent(event.type) ? CATALOGUE[event.type] : undefined;
}

/** What an endpoint may ask for: `*`, a family's wildcard (`payment.*`), or a type. */
export const SELECTORS: readonly string[] = [
  '*',
  ...new Set(WEBHOOK_TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...WEBHOOK_TYPES,
];

function subscription(type: string): Entry {
  return {
    type,
    of: 'subscription',
    render: (state: Subscription) =>
      state.status === 'none'
        ? null
        : { subject: state.subscriptionId, data: renderSubscription(state) },
  };
}

function payment(type: string, event: 'succeeded' | 'failed' | 'refunded'): Entry {
  return {
    type,
    of: 'payment',
    render: (state: Payment) =>
      state.status === 'none'
        ? null
        : {
            // What belongs to a subscription is told in that subscription's order (decisions 8).
            subject: subscriptionIdOf(state) ?? state.paymentId,
            data: renderPaymentObject(state, event),
          },
  };
}
