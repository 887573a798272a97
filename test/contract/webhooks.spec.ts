import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '#domain/event';
import { cartAggregate } from '#domain/cart';
import { loyaltyAggregate } from '#domain/loyalty';
import { paymentAggregate } from '#domain/payment';
import { orderAggregate } from '#domain/order';
import { shopAggregate } from '#domain/shop';
import { subscriptionAggregate } from '#domain/subscription';
import type { WebhookMessage } from '#webhooks';
import { CATALOGUE } from '../../libs/webhooks/src/catalogue.js';
import { golden, goldenNames } from './golden-files.js';
import { changedSubscription, changePayments } from './stories/changes.js';
import { disputedPayment, disputedSubscription } from './stories/disputes.js';
import {
  abandonedSubscription,
  declinedCheckout,
  payment,
  refundedSubscription,
  renewalPaid,
  renewalPaymentId,
  subscription,
  trialSubscription,
  unappliedPayment,
} from './stories/purchase.js';
import {
  canceledCartOrder,
  claimedOrder,
  expiredOrder,
  lateOrder,
  latePayments,
  orderPayments,
  paidCartOrder,
  paidOrder,
} from './stories/orders.js';
import { type CountingAggregate, renderShortLived, renderStory } from './stories/render-stream.js';
import { sealNotices } from './stories/seals.js';
import { activity, cart, loyalty, shop } from './stories/webshop.js';

/** Webhooks to merchants, byte for byte (rules/webhooks 2, rules/webhooks 3). */
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const RENEWAL = { amountMinor: '999', currency: 'USD' };
const PAYMENTS: Readonly<Record<string, readonly DomainEvent[]>> = {
  pay_01first: payment.events,
  [renewalPaymentId(1)]: renewalPaid(RENEWAL, 'declined').events,
  [renewalPaymentId(2)]: renewalPaid(RENEWAL, 'captured').events,
};
const YEN = { amountMinor: '980', currency: 'JPY' };
const DINAR = { amountMinor: '9990', currency: 'KWD' };

const life = renderStream(subscriptionAggregate, 'sub_01gold', subscription.events);
const refunds = renderStream(subscriptionAggregate, 'sub_01gold', refundedSubscription.events);
const disputes = renderStream(subscriptionAggregate, 'sub_01gold', disputedSubscription.events, {
  pay_01first: disputedPayment.events,
});
const changes = renderStream(subscriptionAggregate, 'sub_01gold', changedSubscription.events, {
  ...PAYMENTS,
  ...changePayments,
});
const declined = renderStream(paymentAggregate, 'pay_01first', declinedCheckout.events);
const unapplied = renderStream(paymentAggregate, 'pay_01first', unappliedPayment.events);
const orders = renderOrder('ord_01gold', paidOrder.events);
const late = renderOrder('ord_01gold', lateOrder.events, latePayments);
const cartOrders = renderOrder('ord_01cart', paidCartOrder.events);
const canceledOrders = renderOrder('ord_01cart', canceledCartOrder.events);
const expired = renderOrder('ord_01gold', expiredOrder.events);
const claimed = renderOrder('ord_01gold', claimedOrder.events);
const carts = renderStream(cartAggregate, 'cart_01gold', cart.events);
const claims = renderStream(shopAggregate, PLAYER, shop.events);
const milestones = renderStream(loyaltyAggregate, PLAYER, loyalty.events);
const views = renderShortLived(`activity-${PLAYER}`, activity);
const sealed = renderShortLived('seal_notice-app_01gold', sealNotices.events);
const trial = renderStream(subscriptionAggregate, 'sub_01gold', trialSubscription.events);

/** Where each golden body comes from: the message itself, or the last one of a type in a story. */
const BODIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...changes,
      ...disputes,
      ...refunds,
      ...carts,
      ...claims,
      ...milestones,
      ...views,
      ...life,
      ...orders,
      ...sealed,
    ]
      .reverse()
      .map(({ type, body }) => [type, body]),
  ),
  CREATE_PAYMENT_INTENT: findBody(cartOrders, 'CREATE_PAYMENT_INTENT'),
  'CREATE_PAYMENT_INTENT-link': findBody(orders, 'CREATE_PAYMENT_INTENT'),
  'FREE_ITEM_REDEEMED-order': findBody(claimed, 'FREE_ITEM_REDEEMED'),
  'PURCHASE_FAILED-canceled': findBody(canceledOrders.slice(2), 'PURCHASE_FAILED'),
  'PURCHASE_FAILED-expired': findBody(expired, 'PURCHASE_FAILED'),
  'PURCHASE_REFUNDED-cart': findBody(cartOrders, 'PURCHASE_REFUNDED'),
  'PURCHASE_REFUNDED-lost': findBody(cartOrders.slice(3), 'PURCHASE_REFUNDED'),
  'PURCHASE_SUCCEEDED-cart': findBody(cartOrders, 'PURCHASE_SUCCEEDED'),
  'payment.succeeded-order': findBody(orders, 'payment.succeeded'),
  'payment.failed': findBody(declined, 'payment.failed'),
  'payment.failed-dinar': renewal(DINAR, 'declined'),
  'payment.succeeded-unapplied': findBody(unapplied, 'payment.succeeded'),
  'payment.succeeded-yen': renewal(YEN, 'captured'),
  'subscription.updated-not-refunded': changes.at(-1)?.body ?? '',
  'subscription.created-on-trial': findBody(trial, 'subscription.created'),
};

describe('a webhook', () => {
  it.each(Object.keys(BODIES))('%s has the golden body', (name) => {
    expect(BODIES[name]).toBe(golden('webhooks', name, BODIES[name] ?? ''));
  });

  it('of every row of the catalogue has a golden file, and no other file is there', () => {
    expect(CATALOGUE.map(({ type }) => type).filter((type) => !(type in BODIES))).toEqual([]);
    expect(goldenNames('webhooks').sort()).toEqual(Object.keys(BODIES).sort());
  });
});

describe('the data of a webhook', () => {
  it('is the subject as it stood at that event', () => {
    const statuses = life
      .filter(({ type }) => type.startsWith('subscription.'))
      .map(({ type, body }) => [
        type,
        (JSON.parse(body) as { data: { status: string } }).data.status,
      ]);
    expect(statuses).toEqual([
      ['subscription.created', 'active'],
      ['subscription.payment_failed', 'past_due'],
      ['subscription.payment_succeeded', 'active'],
      ['subscription.canceled', 'canceled'],
      ['subscription.reactivated', 'active'],
      ['subscription.canceled', 'canceled'],
      ['subscription.expired', 'expired'],
    ]);
  });

  it('is the payment as it stood at the event that is noted: refunds are counted together', () => {
    const totals = refunds.map(
      ({ body }) => (JSON.parse(body) as { data: Record<string, string> }).data['total_refunded'],
    );
    expect(totals).toEqual([undefined, undefined, '4.00', '9.99']);
  });
});

/** rules/webhooks 14 */
describe('the message that a checkout has begun', () => {
  const begun = (messages: readonly WebhookMessage[]) =>
    (JSON.parse(findBody(messages, 'CREATE_PAYMENT_INTENT')) as { eventData: object }).eventData;
  const withoutOwnId = ordersWith({ transactionId: '' });

  it.each([
    ['a cart', cartOrders, { orderId: 'ord_01cart', cartId: 'cart_01gold' }],
    ['a link', orders, { orderId: 'ord_01gold', transactionId: 'txn-77' }],
    ['a link without an id of the studio', withoutOwnId, { orderId: 'ord_01gold' }],
  ])('names the order of %s, and what its studio named it', (_of, messages, named) => {
    const { userId, items, source, ...ids } = begun(messages) as Record<string, unknown>;
    expect([userId, source, items]).not.toContain(undefined);
    expect(ids).toEqual(named);
  });
});

describe('the subject of a webhook', () => {
  it('is the subscription, also of the payments that belong to it', () => {
    const subjects = [...life, ...refunds, ...trial].map(({ subject }) => subject);
    expect(new Set(subjects)).toEqual(new Set(['sub_01gold']));
  });

  it.each([
    ['was declined and left no subscription', declined],
    ['was captured too late to buy anything', unapplied],
  ])('is the payment itself where it %s', (_why, messages) => {
    for (const { subject, body } of messages) {
      expect(subject).toBe('pay_01first');
      expect(body).not.toContain('subscription_id');
    }
  });
});

describe('the number of a webhook', () => {
  it.each([
    ['a subscription', life, 10],
    ['a refunded one', refunds, 4],
    ['a disputed one', disputes, 4],
    ['a changed one', changes, 8],
    ['a trial', trial, 1],
    ['an order', orders, 9],
    ['an order that was paid too late', late, 3],
    ['an order of a cart', cartOrders, 4],
    ['a canceled order of a cart', canceledOrders, 3],
    ['an order that ran out', expired, 1],
    ['a claimed order', claimed, 3],
    ['a cart', carts, 3],
    ['claims', claims, 1],
    ['milestones', milestones, 1],
    ['what a player looks at', views, 4],
    ['one that ended before its charge was captured', abandoned(), 4],
    ['a declined payment', declined, 1],
    ['an unapplied payment', unapplied, 2],
  ])('counts 1, 2, 3 ... over the messages of %s', (_of, messages, count) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    expect(messages.map(({ sequence }) => sequence)).toEqual(numbers);
  });

  it('is none of a payment whose outcome its subscription sends', () => {
    expect(renderStream(paymentAggregate, 'pay_01first', payment.events)).toEqual([]);
    for (const outcome of ['captured', 'declined'] as const) {
      const { events } = renewalPaid(RENEWAL, outcome);
      expect(renderStream(paymentAggregate, 'pay_01renewal1', events)).toEqual([]);
    }
  });
});

function abandoned(): WebhookMessage[] {
  return renderStream(subscriptionAggregate, 'sub_01gold', abandonedSubscription.events);
}

/** The body of the message about a renewal in another currency. */
function renewal(amount: typeof RENEWAL, outcome: 'captured' | 'declined'): string {
  const { events } = renewalPaid(amount, outcome);
  const settled = subscription.events.slice(0, outcome === 'declined' ? 3 : 5);
  const messages = renderStream(subscriptionAggregate, 'sub_01gold', settled, {
    ...PAYMENTS,
    [renewalPaymentId(1)]: events,
    [renewalPaymentId(2)]: events,
  });
  return findBody(
    messages.slice(-2),
    outcome === 'captured' ? 'payment.succeeded' : 'payment.failed',
  );
}

function findBody(messages: readonly WebhookMessage[], type: string): string {
  const message = messages.find((one) => one.type === type);
  if (message === undefined) throw new Error(`the story sends no ${type}`);
  return message.body;
}

function renderStream(
  aggregate: CountingAggregate,
  id: string,
  events: readonly DomainEvent[],
  payments = PAYMENTS,
): WebhookMessage[] {
  return renderStory(aggregate, id, events, payments);
}

/** The messages of the order that is paid, had it been made with other fields. */
function ordersWith(fields: { readonly transactionId: string }): WebhookMessage[] {
  const [created, ...later] = paidOrder.events;
  const changed = { ...created, data: { ...created?.data, ...fields } };
  return renderOrder('ord_01gold', [changed as DomainEvent, ...later]);
}

function renderOrder(
  orderId: string,
  events: readonly DomainEvent[],
  payments: Readonly<Record<string, readonly DomainEvent[]>> = orderPayments,
): WebhookMessage[] {
  return renderStream(orderAggregate, orderId, events, payments);
}
