import type { RecordedEvent } from '#domain/event';
import { type CreatedOrder, type OrderEvent, openAttempts, orderDueAt } from '#domain/order';
import { describeWith, sayMoney, type Words } from './timeline.js';

/** Every event of an order in plain words. */
const WORDS: Words<OrderEvent> = {
  'order.created.v1': ({ items, quote, source, checkoutLinkId }) =>
    `${items.map(({ itemId, quantity }) => `${quantity} x ${itemId}`).join(', ')} for ` +
    `${sayMoney(quote.amount)}, by ${source}, to be paid on link ${checkoutLinkId}`,
  'order.checkout_opened.v1': () => 'its checkout was opened',
  'order.attempted.v1': ({ attempt, quote, paymentMethod, paymentId }) =>
    `attempt ${attempt} to pay ${sayMoney(quote.amount)} by ${paymentMethod}, as ${paymentId}`,
  'order.challenged.v1': ({ attempt }) => `the bank wants the player to confirm attempt ${attempt}`,
  'order.payment_declined.v1': ({ attempt, paymentId, reason, declineClass }) =>
    `attempt ${attempt} was declined (${reason}, ${declineClass}), as ${paymentId}`,
  'order.paid.v1': ({ paymentId, attempt }) => `paid by ${paymentId}, attempt ${attempt}`,
  'order.claimed.v1': () => 'claimed: it costs nothing',
  'order.item_redeemed.v1': ({ item }) => `one piece of item ${item} was redeemed`,
  'order.canceled.v1': ({ reason }) =>
    reason === 'replaced' ? 'a later checkout of its cart took its place' : 'canceled',
  'order.expired.v1': () => 'it ran out unpaid',
  'order.late_outcome_recorded.v1': ({ paymentId }) =>
    `${paymentId} was captured too late: it buys nothing and goes back`,
  'order.refund_recorded.v1': ({ amount, paymentId, totalRefunded }) =>
    amount === null
      ? `a refund of ${paymentId} was not made after all`
      : `${sayMoney(amount)} of ${paymentId} given back, ${sayMoney(totalRefunded)} in all`,
  'order.dispute_recorded.v1': ({ paymentId, closed, paymentStatus }) =>
    closed
      ? `a dispute of ${paymentId} was closed: the payment is ${paymentStatus}`
      : `${paymentId} is disputed`,
};

/** An event of an order's stream in plain words. */
export function describeOrderEvent(event: RecordedEvent): string {
  return describeWith(WORDS, event);
}

/** The next step that comes by itself, its time, and why (rules/orders 5). */
export function describeNextOfOrder(order: CreatedOrder): {
  readonly at: string | null;
  readonly why: string;
} {
  const at = orderDueAt(order);
  if (at === null) return { at, why: 'nothing' };
  if (order.status === 'OPEN' && at === order.expiresAt) return { at, why: 'it runs out unpaid' };
  const [{ paymentId } = { paymentId: '' }] = openAttempts(order);
  return { at, why: `the gateway has not answered for ${paymentId}, which is given up` };
}
