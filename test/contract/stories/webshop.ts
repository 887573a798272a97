import type { ActivityEvent } from '#domain/activity';
import { cartAggregate } from '#domain/cart';
import { loyaltyAggregate } from '#domain/loyalty';
import { type CampaignTerms, loyaltyProgramAggregate } from '#domain/loyalty-program';
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
      linkExpiresAt: '2027-01-31T10:05:00.000Z',
    },
    now: AT,
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

/** The player's place when something changed. */
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

/** A cart that begins with the rest of the one before it. */
export const nextCart = play(cartAggregate.decider, {
  ...{ kind: 'CarryOver', items: [{ ...GEMS, quantity: 2, shown: null }], now: AT },
});

/** A cart, until its order was paid and the next one began. */
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
  { kind: 'CloseCart', now: AT },
);

const NOTHING_BEFORE = { over: new Set<string>(), undelivered: new Set<string>() };

/** A player's events in the shop. */
export const shop = play(
  shopAggregate.decider,
  { kind: 'OpenCart', cartId: 'cart_01gold', former: null, now: AT, wallNow: AT },
  {
    ...{ kind: 'BeginOrder', orderId: 'ord_01gold', cartId: 'cart_01gold' },
    ...{ catalogLanguage: 'de', ended: new Set<string>(), now: AT },
  },
  {
    ...{ kind: 'RequestCharge', orderId: 'ord_01gold', cartId: 'cart_01gold' },
    ...{ ...NOTHING_BEFORE, now: AT },
    items: [{ itemId: 'gems-100', quantity: 1, maxPurchasable: 5 }],
  },
  {
    ...{ kind: 'ClaimItem', claimId: 'claim-1', itemId: 'daily-chest', maxPurchasable: null },
    ...{ personal: ORIGIN.personal, ...NOTHING_BEFORE, now: AT },
  },
);

const CAMPAIGN: CampaignTerms = {
  name: 'Winter',
  points: [{ currency: 'USD', perMajorUnit: '2.5' }],
  milestones: [
    { id: 'bronze', points: 20, rewards: [{ itemId: 'gems-100', quantity: 2, type: 'item' }] },
    { id: 'silver', points: 100, rewards: [{ itemId: 'crown', quantity: 1, type: 'skin' }] },
  ],
  ...{ from: '2027-01-01T00:00:00.000Z', until: '2027-03-01T00:00:00.000Z' },
  delivery: 'async_webhook',
};
const CAMPAIGN_ID = 'loy_01gold';

/** The campaigns of an app. */
export const loyaltyProgram = play(
  loyaltyProgramAggregate.decider,
  { kind: 'CreateCampaign', campaignId: CAMPAIGN_ID, terms: CAMPAIGN, now: AT },
  {
    ...{ kind: 'ReviseCampaign', campaignId: CAMPAIGN_ID, now: AT },
    changes: { name: 'Winter sale', until: '2027-04-01T00:00:00.000Z' },
  },
);

/** The orders and claims of a player. */
export const loyalty = play(
  loyaltyAggregate.decider,
  {
    kind: 'RecordOrder',
    order: {
      ...{ orderId: 'ord_01gold', orderRevision: 3, paidAt: AT },
      spent: { amountMinor: '999', currency: 'USD' },
    },
    now: AT,
  },
  {
    ...{ kind: 'ClaimMilestone', milestoneId: 'bronze', now: AT },
    campaign: { ...CAMPAIGN, campaignId: CAMPAIGN_ID, createdAt: AT, updatedAt: AT },
  },
);

/** The views of a player. */
const SEEN = { regionCode: 'DE-BE', seenAt: AT };
export const activity: readonly ActivityEvent[] = [
  { type: 'activity.item_viewed.v1', data: { itemId: 'sword', ...SEEN } },
  { type: 'activity.item_page_viewed.v1', data: { itemId: 'sword', ...SEEN } },
  { type: 'activity.cart_button_clicked.v1', data: SEEN },
  { type: 'activity.checkout_page_viewed.v1', data: SEEN },
];
