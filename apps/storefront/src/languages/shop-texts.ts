import { PLAIN, takes } from './message-types.js';

const NOTICE = { title: PLAIN, text: PLAIN } as const;

/** The texts of the pages of orders, of the webshop and of loyalty. */
export const SHOP_TEXTS = {
  /** Of an order: its page at the checkout, and as one of a player's orders. */
  order: {
    title: PLAIN,
    number: takes({ orderId: 'ord_1' }),
    items: PLAIN,
    quantity: PLAIN,
    /** The price for one of several pieces. */
    each: takes({ price: '$9.99' }),
    subtotal: PLAIN,
    total: PLAIN,
    free: PLAIN,
    /** The terms that the player agrees to by paying. */
    terms: PLAIN,
    emailOptIn: PLAIN,
    claim: PLAIN,
    cancel: PLAIN,
    paid: NOTICE,
    claimed: NOTICE,
    canceled: NOTICE,
    expired: NOTICE,
    refunded: NOTICE,
    states: {
      OPEN: PLAIN,
      PAID: PLAIN,
      FAILED: PLAIN,
      CANCELED: PLAIN,
      PARTIALLY_REFUNDED: PLAIN,
      REFUNDED: PLAIN,
      DISPUTED: PLAIN,
    },
  },
  shop: {
    title: PLAIN,
    cart: PLAIN,
    /** The link to a cart with something in it. */
    cartOf: takes({ count: 3 }),
    orders: PLAIN,
    back: PLAIN,
    addToCart: PLAIN,
    buyNow: PLAIN,
    claim: PLAIN,
    claimed: PLAIN,
    quantity: PLAIN,
    update: PLAIN,
    remove: PLAIN,
    checkout: PLAIN,
    pay: PLAIN,
    signOut: PLAIN,
    tryAgain: PLAIN,
    details: PLAIN,
    left: takes({ count: 3 }),
    expires: takes({ time: '31 January 2026' }),
    limitReached: PLAIN,
    empty: PLAIN,
    added: PLAIN,
    itemClaimed: PLAIN,
  },
  cart: {
    title: PLAIN,
    empty: PLAIN,
    taxLater: PLAIN,
    changed: PLAIN,
    /** Of one item, by the code of its problem. */
    problems: { PRICE_CHANGED: PLAIN, GONE: PLAIN, EXPIRED: PLAIN, QUANTITY: PLAIN },
  },
  /** Why a click in the shop changed nothing, by the reason of the refusal. */
  shopRefusals: {
    AMOUNT_EXCEEDED: PLAIN,
    CURRENCY_MISMATCH: PLAIN,
    QUANTITY_EXCEEDED: PLAIN,
    ITEM_UNAVAILABLE: PLAIN,
    CART_CHANGED: PLAIN,
    CART_EMPTY: PLAIN,
    TOO_MANY_REQUESTS: PLAIN,
    MILESTONE_LOCKED: PLAIN,
    other: PLAIN,
  },
  orders: { title: PLAIN, empty: PLAIN, date: PLAIN, state: PLAIN, more: PLAIN },
  /** The studio's catalog did not answer; the player can tell the reference to its support. */
  catalogFailed: { ...NOTICE, reference: takes({ reference: 'K7Q2' }) },
  /** The page at a link into the shop, whose one button opens it. */
  entrance: { ...NOTICE, enter: PLAIN },
  noSession: NOTICE,
  signedOut: NOTICE,
  linkSpent: NOTICE,
  /** A form that is not of this session. */
  formRefused: NOTICE,
  missingItem: NOTICE,
  loyalty: {
    title: PLAIN,
    points: takes({ points: 120 }),
    milestone: takes({ points: 500 }),
    missing: takes({ points: 380 }),
    allReached: PLAIN,
    reward: takes({ quantity: '3', item: 'gold-chest' }),
    states: { locked: PLAIN, open: PLAIN, claimed: PLAIN },
    claimed: PLAIN,
  },
} as const;
