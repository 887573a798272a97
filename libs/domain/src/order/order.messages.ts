import type { OrderEvent, OrderSource, OrderStatus } from './order.events.js';

/** The part of an order's state that decides its messages. */
interface Told {
  readonly source: OrderSource;
  readonly status: OrderStatus;
  readonly lateCaptures: readonly string[];
}

/**
 * Whether messages of the second family, `payment.*` and `dispute.*`, tell of its payments: those of the studio's
 * own payment links do (rules/orders 6).
 */
export function tellsOfPayments({ source }: Pick<Told, 'source'>): boolean {
  return source === 'ServicePay';
}

/** Whether a payment bought the order: a late capture bought nothing. */
export function isOfPurchase({ lateCaptures }: Told, paymentId: string): boolean {
  return !lateCaptures.includes(paymentId);
}

/** Whether a decline is a purchase's: once the order has ended, that of a replaced attempt says nothing of it. */
export function isPurchaseFailed({ status }: Told): boolean {
  return status === 'OPEN';
}

/**
 * How many messages to merchants an event gives rise to (rules/webhooks 5). The fold adds them up, so that a
 * message's number follows from the order's stream alone. The catalogue of webhooks says which messages they
 * are, and is tested against this count.
 *
 * @param order as the event left it.
 */
export function countMessages(event: OrderEvent, order: Told): number {
  const ofPayment = tellsOfPayments(order) ? 1 : 0;
  switch (event.type) {
    // A checkout of the shop has begun by then; that of a payment link begins with its page.
    case 'order.created.v1':
      return 1 - ofPayment;
    case 'order.checkout_opened.v1':
      return ofPayment;
    case 'order.payment_declined.v1':
      return ofPayment + (isPurchaseFailed(order) ? 1 : 0);
    case 'order.paid.v1':
      return ofPayment + 1;
    case 'order.late_outcome_recorded.v1':
      return ofPayment;
    case 'order.dispute_recorded.v1':
      return ofPayment + Number(event.data.taken !== undefined);
    case 'order.refund_recorded.v1':
      if (event.data.amount === null) return 0;
      return ofPayment + (isOfPurchase(order, event.data.paymentId) ? 1 : 0);
    case 'order.item_redeemed.v1':
    case 'order.canceled.v1':
    case 'order.expired.v1':
      return 1;
    default:
      return 0;
  }
}
