import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { Decline, NotedPayment, PaymentStatus } from '../payment/index.js';
import type { PersonalTexts } from '../personal-data/index.js';
import type { OrderItem, OrderQuote } from './order.items.js';

/** The maker of an order: the studio's backend by a payment link, or the player in the webshop (rules/orders 1). */
export const ORDER_SOURCES = ['ServicePay', 'Cart', 'BuyNow'] as const;
export type OrderSource = (typeof ORDER_SOURCES)[number];

/** The status of an order for others (rules/orders 3); once it is paid, its payment decides. */
export const ORDER_STATUSES = [
  'OPEN',
  'PAID',
  'FAILED',
  'CANCELED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Why an order ended unpaid without running out: the player said so, or a later checkout of its cart took its place. */
export type CancelReason = 'canceled_by_player' | 'replaced';

export type OrderCreated = DomainEvent<
  'order.created.v1',
  {
    readonly orderId: string;
    readonly appId: string;
    /** The player's pseudonym (rules/storage 6). */
    readonly player: string;
    readonly source: OrderSource;
    /** The backend's own id of the purchase; empty where it named none. */
    readonly transactionId: string;
    /** The cart that is bought; empty where none is. */
    readonly cartId: string;
    readonly checkoutLinkId: string;
    readonly items: readonly OrderItem[];
    /** The amount to pay, until the player pays. */
    readonly quote: OrderQuote;
    /** The link's region, `DE` or `US-NY`; empty where it named none. */
    readonly regionCode: string;
    /** The language of the page as a tag of BCP 47; empty where the browser decides. */
    readonly language: string;
    /** The page's way back; empty where no address was named. */
    readonly returnUrl: string;
    readonly personal: PersonalTexts;
    readonly createdAt: Instant;
    /** By the app's clock: an unpaid order ends then (rules/orders 5). */
    readonly expiresAt: Instant;
    /** The same on the wall clock: no attempt begins after it. */
    readonly wallExpiresAt: Instant;
  }
>;
/** The player has opened the page of the order: noted once. */
export type OrderCheckoutOpened = DomainEvent<
  'order.checkout_opened.v1',
  { readonly openedAt: Instant }
>;
/** The data that the player's click adds to an order. */
interface Click {
  /** The amount in the player's region, as of the click. */
  readonly quote: OrderQuote;
  readonly emailMarketingOptIn: boolean;
  /** The address that the click came from, sealed. */
  readonly personal: Pick<PersonalTexts, 'ipAddress'>;
}
/** The player pays: from here on the attempt is carried to its end, also by a process that restarts. */
export type OrderAttempted = DomainEvent<
  'order.attempted.v1',
  Click & {
    readonly attempt: number;
    readonly paymentMethod: string;
    readonly paymentId: string;
    readonly attemptedAt: Instant;
    /** The same moment on the wall clock: pauses and the wait for an answer keep to it. */
    readonly wallAttemptedAt: Instant;
  }
>;
/** The bank wants the player to confirm the charge of an attempt, at this address (rules/payments 19). */
export type OrderChallenged = DomainEvent<
  'order.challenged.v1',
  { readonly attempt: number; readonly sealedUrl: string; readonly challengedAt: Instant }
>;
/** An attempt was declined, or given up: the order can be paid by another one. */
export type OrderPaymentDeclined = DomainEvent<
  'order.payment_declined.v1',
  NotedPayment &
    Pick<Decline, 'reason' | 'declineClass'> & {
      readonly attempt: number;
      readonly declinedAt: Instant;
    }
>;
/** This payment is the one that the order keeps; from here on no other one can buy anything. */
export type OrderPaid = DomainEvent<
  'order.paid.v1',
  NotedPayment & { readonly attempt: number; readonly paidAt: Instant }
>;
/** An order that costs nothing was claimed: it is paid without a payment. */
export type OrderClaimed = DomainEvent<'order.claimed.v1', Click & { readonly claimedAt: Instant }>;
/** One piece of an item of a claimed order, counted from 0 as the items of the order are. */
export type OrderItemRedeemed = DomainEvent<
  'order.item_redeemed.v1',
  { readonly item: number; readonly redeemedAt: Instant }
>;
export type OrderCanceled = DomainEvent<
  'order.canceled.v1',
  {
    readonly reason: CancelReason;
    readonly personal: Pick<PersonalTexts, 'ipAddress'>;
    readonly canceledAt: Instant;
  }
>;
/** The link has run out unpaid. */
export type OrderExpired = DomainEvent<'order.expired.v1', { readonly expiredAt: Instant }>;
/** The capture of a payment that the order did not wait for any more; it is given back. */
export type OrderLateOutcomeRecorded = DomainEvent<
  'order.late_outcome_recorded.v1',
  NotedPayment & { readonly recordedAt: Instant }
>;
/** A payment of the order was refunded in whole or in part, or a refund that was made has failed after all. */
export type OrderRefundRecorded = DomainEvent<
  'order.refund_recorded.v1',
  NotedPayment & {
    readonly paymentStatus: PaymentStatus;
    /** Of this refund; null where it has failed after all. */
    readonly amount: Money | null;
    readonly totalRefunded: Money;
    readonly recordedAt: Instant;
  }
>;
/** A payment of the order is disputed, or a dispute of it was closed. */
export type OrderDisputeRecorded = DomainEvent<
  'order.dispute_recorded.v1',
  NotedPayment & {
    readonly paymentStatus: PaymentStatus;
    readonly closed: boolean;
    readonly totalRefunded: Money;
    /** The amount that lost disputes have taken of the purchase (decision 0024). Left out where it took nothing. */
    readonly taken?: Money;
    readonly recordedAt: Instant;
  }
>;

export type OrderEvent =
  | OrderCreated
  | OrderCheckoutOpened
  | OrderAttempted
  | OrderChallenged
  | OrderPaymentDeclined
  | OrderPaid
  | OrderClaimed
  | OrderItemRedeemed
  | OrderCanceled
  | OrderExpired
  | OrderLateOutcomeRecorded
  | OrderRefundRecorded
  | OrderDisputeRecorded;
