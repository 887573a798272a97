import { LEDGER_SEALED } from '#domain/webhook-endpoint';

/**
 * v1 is of purchases, carts and views, v2 of subscriptions, payments and disputes. A type's body is
 * built as its family has it (rules/webhooks 2).
 */
export type Family = 'v1' | 'v2';

/** Every type that merchants can subscribe to, sent by this release or not yet (rules/webhooks 7). */
const TYPES = {
  v1: [
    'PURCHASE_SUCCEEDED',
    'PURCHASE_FAILED',
    'PURCHASE_REFUNDED',
    'CREATE_PAYMENT_INTENT',
    'FREE_ITEM_REDEEMED',
    'MUTATE_CART',
    'VIEW_ITEM',
    'VIEW_CHECKOUT_PAGE',
    'VIEW_PRODUCT_DETAIL_PAGE',
    'CART_BUTTON_CLICK',
    'LOYALTY_MILESTONE_CLAIMED',
  ],
  v2: [
    'subscription.created',
    'subscription.updated',
    'subscription.currency_change_scheduled',
    'subscription.canceled',
    'subscription.reactivated',
    'subscription.expired',
    'subscription.payment_failed',
    'subscription.payment_succeeded',
    'payment.succeeded',
    'payment.failed',
    'payment.refunded',
    'dispute.opened',
    'dispute.closed',
    'ledger.sealed',
  ],
} as const satisfies Record<Family, readonly string[]>;

/** A type of one family. */
export type WebhookType<Of extends Family = Family> = (typeof TYPES)[Of][number];

const FAMILIES: readonly Family[] = ['v1', 'v2'];

export const WEBHOOK_TYPES: readonly WebhookType[] = [...TYPES.v1, ...TYPES.v2];

/**
 * The selectors of an endpoint: `*`, a family, a wildcard of v2 types (`payment.*`), or a type. The checkpoints of the
 * ledger are asked for by their name alone.
 */
export const SELECTORS: readonly string[] = [
  '*',
  ...FAMILIES,
  ...new Set(
    TYPES.v2
      .filter((type) => type !== LEDGER_SEALED)
      .map((type) => `${type.slice(0, type.indexOf('.'))}.*`),
  ),
  ...WEBHOOK_TYPES,
];
