import { EXPIRY_CAUSES } from '#domain/subscription';
import { LEDGER_SEALED } from '#domain/webhook-endpoint';
import type { WebhookType } from '#webhooks';
import {
  anything,
  count,
  decimal,
  type Fields,
  flag,
  instant,
  list,
  millis,
  object,
  oneValue,
  type Schema,
  text,
} from './schemas.js';

type V1 = Extract<WebhookType, Uppercase<string>>;
type V2 = Exclude<WebhookType, V1>;
type ObjectSchema = Exclude<Schema, { readonly $ref: string }>;

const item = object({ id: text, quantity: count, price: decimal }, { metadata: anything });
const reward = object({ itemId: text, quantity: count, type: text });
const taxDetails = object({
  items: list(
    object({
      ...{ label: text, isInclusive: flag, amount: decimal, percentage: decimal },
      ...{ country: text, state: text },
    }),
  ),
});

/** The order's id by the source of the purchase: one of both is there. */
const ids: Fields = { transactionId: text, orderId: text };
const purchase: Fields = {
  ...{ checkoutLinkId: text, currency: text, userId: text },
  items: list(item),
};
/** Empty where nothing is known. */
const place: Fields = { regionCode: text, ipAddress: text };
const source = oneValue('ServicePay', 'Cart', 'BuyNow');
const view: Fields = { userId: text, itemId: text, regionCode: text };

/** The payloads of v1 messages (rules/webhooks 2). */
const PAYLOADS: Readonly<Record<V1, Schema>> = {
  PURCHASE_SUCCEEDED: object(
    {
      ...{ timeMillis: millis, ...purchase, tax: decimal, total: decimal, taxDetails },
      ...{ emailMarketingOptIn: flag, source, ...place },
    },
    ids,
  ),
  PURCHASE_FAILED: object(
    { ...purchase, tax: decimal, total: decimal, source, reason: text, ...place },
    ids,
  ),
  PURCHASE_REFUNDED: object(
    {
      ...{ timeMillis: millis, ...purchase, total: decimal },
      ...{ refundedAmount: decimal, totalRefunded: decimal, isFullRefund: flag, source },
      regionCode: text,
    },
    ids,
  ),
  CREATE_PAYMENT_INTENT: object(
    { orderId: text, userId: text, items: list(item), source },
    { transactionId: text, cartId: text },
  ),
  FREE_ITEM_REDEEMED: object(
    { timeMillis: millis, userId: text, itemId: text, ipAddress: text },
    { metadata: anything },
  ),
  MUTATE_CART: object({
    ...{ timeMillis: millis, cartId: text, userId: text, items: list(item) },
    ...{ source: oneValue('Cart'), ...place },
  }),
  VIEW_ITEM: object(view),
  VIEW_PRODUCT_DETAIL_PAGE: object(view),
  VIEW_CHECKOUT_PAGE: object({ userId: text, regionCode: text }),
  CART_BUTTON_CLICK: object({ userId: text, regionCode: text }),
  LOYALTY_MILESTONE_CLAIMED: object({
    ...{ timeMillis: millis, userId: text, campaignId: text, milestoneId: text },
    rewards: list(reward),
  }),
};

/** The fields that a payment's object has beside those of all (rules/webhooks 2). */
const PAYMENT_FIELDS: Readonly<Partial<Record<V2, readonly [Fields, Fields?]>>> = {
  'payment.succeeded': [{ succeeded_at: instant, total: decimal }, { tax: decimal }],
  'payment.failed': [{ failed_at: instant, reason: text, total: decimal }, { tax: decimal }],
  'payment.refunded': [
    { refunded_at: instant, total_refunded: decimal },
    { refund_reason: oneValue('unused_credit') },
  ],
  'dispute.opened': [{ total_disputed: decimal }],
  'dispute.closed': [{ total_disputed: decimal, won: flag }],
};

/** The fields that a subscription's object has in messages of one type alone (rules/webhooks 2). */
const SUBSCRIPTION_FIELDS: Readonly<Partial<Record<V2, readonly [Fields, Fields?]>>> = {
  'subscription.expired': [{ reason: oneValue(...EXPIRY_CAUSES) }],
  // The refund of a change, which failed.
  'subscription.updated': [
    {},
    { refund_failed: object({ payment_id: text, currency: text, total: decimal }) },
  ],
  'subscription.currency_change_scheduled': [
    { effective_at: instant, currency: text, total: decimal },
    { tax: decimal },
  ],
};

/** A checkpoint of the whole ledger (rules/evidence 10). */
const SEALED = object({ size: count, note: text, previous_size: count, hashes: list(text) });

/** The body of a type's messages. @param subscription its object, as the document has it. */
export function webhookBody(type: WebhookType, subscription: ObjectSchema): Schema {
  if (!isV1(type)) return object({ type: oneValue(type), data: webhookData(type, subscription) });
  const container = type === 'PURCHASE_SUCCEEDED' ? 'purchaseSucceeded' : 'eventData';
  const environment = oneValue('test', 'production');
  return object({ type: oneValue(type), environment, [container]: PAYLOADS[type] });
}

function webhookData(type: V2, subscription: ObjectSchema): Schema {
  if (type === LEDGER_SEALED) return SEALED;
  const more = SUBSCRIPTION_FIELDS[type];
  if (more !== undefined) return withFields(subscription, ...more);
  const own = PAYMENT_FIELDS[type];
  if (own === undefined) return { $ref: '#/components/schemas/SubscriptionDto' };
  const [fields, optional] = own;
  return object(
    { id: text, external_account_id: text, currency: text, ...fields },
    { subscription_id: text, ...optional, reference_id: text, metadata: anything },
  );
}

/** The subscription's object, with more about its event. */
function withFields(
  { properties, required = [], ...subscription }: ObjectSchema,
  fields: Fields,
  optional: Fields = {},
): Schema {
  return {
    ...subscription,
    required: [...required, ...Object.keys(fields)],
    properties: { ...properties, ...fields, ...optional },
  };
}

function isV1(type: WebhookType): type is V1 {
  return type in PAYLOADS;
}
