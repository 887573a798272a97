import type { ActivityEvent } from '#domain/activity';
import { cartAggregate } from '#domain/cart';
import { shopAggregate } from '#domain/shop';
import { shopSessionAggregate } from '#domain/shop-session';
import { play } from '../../support/play.js';

const AT = '2027-01-31T10:00:00.000Z';
const SESSION = 'ws_01gold';

/** A session of the webshop, from its link to its end. */
export const shopSession = play(
  shopSessionAggregate.decider,
  {
    kind: 'LinkSession',
    link: {
      sessionId: SESSION,
      appId: 'app_01gold',
      player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
      registration: '0123456789abcdef0123456789abcdef',
      language: 'de',
      regionCode: 'DE-BE',
      personal: { email: 'p1.0a1b2c3d.iv.tag.email' },
      linkedAt: AT,
      linkExpiresAt: '2027-01-31T10:05:00.000Z',
    },
  },
  {
    kind: 'OpenSession',
    sessionId: SESSION,
    registration: '0123456789abcdef0123456789abcdef',
    now: '2027-01-31T10:00:30.000Z',
    wallNow: '2027-01-31T10:00:30.000Z',
  },
  { kind: 'EndSession', sessionId: SESSION, now: '2027-01-31T11:00:00.000Z' },
);

/** Where the player was who changed something. */
const ORIGIN = { regionCode: 'DE-BE', personal: { ipAddress: 'p1.0a1b2c3d.iv.tag.address' } };
const image = (name: string) => `https://cdn.example/${name}.png`;
const SWORD = {
  ...{ itemId: 'sword', name: 'Sword', image: image('sword') },
  price: { amountMinor: '499', currency: 'USD' },
};
const GEMS = {
  ...{ itemId: 'gems-100', name: '100 gems', image: image('gems') },
  price: { amountMinor: '999', currency: 'USD' },
};

/** A cart, until what is in it has changed. */
export const cart = play(
  cartAggregate.decider,
  { kind: 'AddItem', terms: SWORD, quantity: 2, limit: 9_999, ...ORIGIN, now: AT },
  { kind: 'AddItem', terms: GEMS, quantity: 1, limit: 5, ...ORIGIN, now: AT },
  {
    kind: 'ShowProblems',
    items: [
      {
        ...{ itemId: 'sword', problem: 'PRICE_CHANGED', quantity: 2 },
        price: { amountMinor: '599', currency: 'USD' },
      },
    ],
    now: AT,
  },
  { kind: 'RemoveItem', itemId: 'sword', ...ORIGIN, now: AT },
);

const NOTHING_BEFORE = { over: new Set<string>(), undelivered: new Set<string>() };

/** What a player does in the shop. */
export const shop = play(
  shopAggregate.decider,
  { kind: 'OpenCart', cartId: 'cart_01gold', former: null, now: AT },
  { kind: 'BeginOrder', orderId: 'ord_01gold', cartId: 'cart_01gold', now: AT },
  {
    ...{ kind: 'RequestCharge', orderId: 'ord_01gold', ...NOTHING_BEFORE, now: AT },
    items: [{ itemId: 'gems-100', quantity: 1, maxPurchasable: 5 }],
  },
  {
    ...{ kind: 'ClaimItem', claimId: 'claim-1', itemId: 'daily-chest', maxPurchasable: null },
    ...{ personal: ORIGIN.personal, ...NOTHING_BEFORE, now: AT },
  },
);

/** What a player looks at. */
const SEEN = { regionCode: 'DE-BE', seenAt: AT };
export const activity: readonly ActivityEvent[] = [
  { type: 'activity.item_viewed.v1', data: { itemId: 'sword', ...SEEN } },
  { type: 'activity.item_page_viewed.v1', data: { itemId: 'sword', ...SEEN } },
  { type: 'activity.cart_button_clicked.v1', data: SEEN },
  { type: 'activity.checkout_page_viewed.v1', data: SEEN },
];
