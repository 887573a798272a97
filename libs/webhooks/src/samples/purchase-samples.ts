import type { WebhookType } from '../webhook-types.js';

/** The payload of a v1 message; its name is `eventData` but for PURCHASE_SUCCEEDED. */
type Payload = Readonly<Record<string, unknown>>;

const TIME_MILLIS = Date.UTC(2027, 0, 31, 10);
/** No player has it, so that a receiver which takes a test for a purchase grants to none. */
export const SAMPLE_PLAYER = 'sample-player';
const IP_ADDRESS = '203.0.113.7';
const REGION = 'US';

const ITEMS = [{ id: 'gems-100', quantity: 2, price: '4.99', metadata: { chest: 'gold' } }];
const FREE_ITEM = 'daily-chest';
const USER = { userId: SAMPLE_PLAYER, regionCode: REGION };

/** A purchase by a link of the studio's own backend. */
const PURCHASE = {
  transactionId: 'txn-sample-1',
  checkoutLinkId: 'chk_sample',
  currency: 'USD',
  userId: SAMPLE_PLAYER,
  items: ITEMS,
};
const AMOUNTS = { tax: '0.81', total: '10.79' };
const ORIGIN = { regionCode: REGION, source: 'ServicePay', ipAddress: IP_ADDRESS };
const CART = { cartId: 'cart_sample', userId: SAMPLE_PLAYER, items: ITEMS };

/** The payloads of v1 messages: each field that the type can have in a purchase of this kind. */
export const V1_SAMPLES: Readonly<Record<WebhookType<'v1'>, Payload>> = {
  PURCHASE_SUCCEEDED: {
    timeMillis: TIME_MILLIS,
    ...PURCHASE,
    ...AMOUNTS,
    taxDetails: {
      items: [
        {
          ...{ label: 'Sales tax', isInclusive: false, amount: '0.81', percentage: '8.125' },
          ...{ country: 'US', state: 'NY' },
        },
      ],
    },
    emailMarketingOptIn: false,
    ...ORIGIN,
  },
  PURCHASE_FAILED: { ...PURCHASE, ...AMOUNTS, ...ORIGIN, reason: 'insufficient_funds' },
  PURCHASE_REFUNDED: {
    timeMillis: TIME_MILLIS,
    ...PURCHASE,
    total: AMOUNTS.total,
    ...{ refundedAmount: '4.00', totalRefunded: '4.00', isFullRefund: false },
    ...{ regionCode: REGION, source: ORIGIN.source },
  },
  CREATE_PAYMENT_INTENT: { orderId: 'ord_sample', ...CART, source: 'Cart' },
  FREE_ITEM_REDEEMED: {
    ...{ timeMillis: TIME_MILLIS, userId: SAMPLE_PLAYER, itemId: FREE_ITEM },
    ...{ ipAddress: IP_ADDRESS, metadata: { chest: 'wood' } },
  },
  MUTATE_CART: { timeMillis: TIME_MILLIS, ...CART, ...ORIGIN, source: 'Cart' },
  VIEW_ITEM: { userId: SAMPLE_PLAYER, itemId: FREE_ITEM, regionCode: REGION },
  VIEW_PRODUCT_DETAIL_PAGE: { userId: SAMPLE_PLAYER, itemId: FREE_ITEM, regionCode: REGION },
  VIEW_CHECKOUT_PAGE: USER,
  CART_BUTTON_CLICK: USER,
  LOYALTY_MILESTONE_CLAIMED: {
    ...{ timeMillis: TIME_MILLIS, userId: SAMPLE_PLAYER },
    ...{ campaignId: 'winter', milestoneId: 'winter-3' },
    rewards: [{ itemId: 'gems-100', quantity: 1, type: 'item' }],
  },
};
