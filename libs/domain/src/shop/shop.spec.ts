import { describe, expect, it } from 'vitest';
import { addHours, addMilliseconds } from '../calendar/index.js';
import { given } from '../decider/spec-support/given.js';
import type { ShopEvent } from './shop.events.js';
import { countLeft, findCatalogLanguage, shopAggregate, type ShopCommand } from './index.js';

const { decider } = shopAggregate;
const NOW = '2027-01-31T10:00:00.000Z';
const TEN_MINUTES_ON = addMilliseconds(NOW, 600_000);
const NONE: ReadonlySet<string> = new Set();

const cartOpened = (cartId: string, wallOpenedAt = NOW): ShopEvent => ({
  type: 'shop.cart_opened.v2',
  data: { cartId, openedAt: NOW, wallOpenedAt },
});
const openCart = (cartId: string, former: string | null) =>
  ({ kind: 'OpenCart', cartId, former, now: NOW, wallNow: NOW }) as const;
const begun = (orderId: string, cartId: string | null): ShopEvent => ({
  type: 'shop.order_begun.v2',
  data: { orderId, cartId, catalogLanguage: 'de', begunAt: NOW },
});
const charged = (orderId: string, quantity: number, requestedAt = NOW): ShopEvent => ({
  type: 'shop.charge_requested.v1',
  data: { orderId, items: [{ itemId: 'sword', quantity }], requestedAt },
});
const claimed = (claimId: string, claimedAt = NOW): ShopEvent => ({
  type: 'shop.item_claimed.v1',
  data: { claimId, itemId: 'chest', personal: {}, claimedAt },
});
type Charge = Extract<ShopCommand, { kind: 'RequestCharge' }>;
const charge = (orderId: string, quantity: number, over: Partial<Charge> = {}): Charge => ({
  ...{ kind: 'RequestCharge', orderId, cartId: null, over: NONE, undelivered: NONE, now: NOW },
  items: [{ itemId: 'sword', quantity, maxPurchasable: 3 }],
  ...over,
});
type Claim = Extract<ShopCommand, { kind: 'ClaimItem' }>;
const claim = (claimId: string, over: Partial<Claim> = {}): Claim => ({
  ...{ kind: 'ClaimItem', claimId, itemId: 'chest', maxPurchasable: null, personal: {} },
  ...{ over: NONE, undelivered: NONE, now: NOW, ...over },
});
const EXCEEDED = 'shop/quantity_exceeded';
const REPLACED = 'shop/order_replaced';

/** rules/webshop 4 */
describe('the cart of a player', () => {
  it('is one, however many windows open it at once', () => {
    expect(given(decider).when(openCart('cart_1', null))).toEqual([cartOpened('cart_1')]);
    expect(given(decider, cartOpened('cart_1')).when(openCart('cart_2', null))).toEqual([]);
  });

  it('is followed by another one when it was paid', () => {
    const after = given(decider, cartOpened('cart_1'), begun('ord_1', 'cart_1'));
    expect(after.when(openCart('cart_2', 'cart_1'))).toEqual([cartOpened('cart_2')]);
    // A machine whose clock is behind does not say that it was opened before the one that it follows.
    const late = { ...openCart('cart_2', 'cart_1'), wallNow: addHours(NOW, -1) };
    expect(after.when(late)).toEqual([cartOpened('cart_2')]);
  });

  it('knows the order that its last checkout made, and none of others', () => {
    const history = [cartOpened('cart_1'), begun('ord_1', 'cart_1'), begun('ord_2', null)];
    const { cart, orders } = given(decider, ...history).state;
    expect(cart).toMatchObject({ cartId: 'cart_1', orderId: 'ord_1' });
    expect(orders.map(({ orderId }) => orderId)).toEqual(['ord_2', 'ord_1']);
    const late = given(decider, ...history, cartOpened('cart_2'), begun('ord_3', 'cart_1'));
    expect(late.state.cart).toMatchObject({ cartId: 'cart_2', orderId: null });
  });

  it('knows those before it as long as a form of them may be sent again, by the wall clock', () => {
    const former = (...events: ShopEvent[]) =>
      given(decider, ...events).state.formerCarts.map(({ cartId }) => cartId);
    const soon = addHours(NOW, 12 - 0.001);
    const carts = [cartOpened('cart_1'), cartOpened('cart_2'), cartOpened('cart_3', soon)];
    expect(former(...carts)).toEqual(['cart_2', 'cart_1']);
    expect(former(...carts, cartOpened('cart_4', addHours(NOW, 12)))).toEqual(['cart_3', 'cart_2']);
    const many = Array.from({ length: 120 }, (_, at) => cartOpened(`cart_${at}`));
    expect(former(...many)).toHaveLength(100);
  });
});

/** rules/webshop 4 */
describe('the orders of a cart', () => {
  const history = [cartOpened('cart_1'), begun('ord_1', 'cart_1'), begun('ord_2', 'cart_1')];
  const ofCart = (orderId: string, cartId: string | null = 'cart_1') =>
    charge(orderId, 1, { cartId });

  it('are one: what a later checkout took the place of is paid no more, however it is asked', () => {
    expect(given(decider, ...history).when(ofCart('ord_2'))).toEqual([charged('ord_2', 1)]);
    expect(given(decider, ...history).when(ofCart('ord_1'))).toBe(REPLACED);
    expect(given(decider, ...history, charged('ord_1', 1)).when(ofCart('ord_1'))).toBe(REPLACED);
    const single = begun('ord_3', null);
    expect(given(decider, ...history, single).when(ofCart('ord_2'))).toHaveLength(1);
    expect(given(decider, ...history, single).when(ofCart('ord_3', null))).toHaveLength(1);
  });

  it('are over when the cart was paid', () => {
    const next = given(decider, ...history, cartOpened('cart_2'));
    expect(next.when(ofCart('ord_2'))).toBe(REPLACED);
  });

  it('are not begun while one of them may be on its way to the bank that was not seen to have ended', () => {
    const begin = (cartId: string | null, ...ended: string[]): ShopCommand => ({
      ...{ kind: 'BeginOrder', orderId: 'ord_9', cartId, catalogLanguage: 'de', now: NOW },
      ended: new Set(ended),
    });
    const PENDING = 'shop/order_pending';
    const paying = given(decider, ...history, charged('ord_2', 1));
    expect(paying.when(begin('cart_1'))).toBe(PENDING);
    expect(paying.when(begin('cart_1', 'ord_1'))).toBe(PENDING);
    expect(paying.when(begin('cart_1', 'ord_2'))).toEqual([begun('ord_9', 'cart_1')]);
    expect(given(decider, ...history).when(begin('cart_1'))).toHaveLength(1);
    expect(paying.when(begin('cart_2'))).toHaveLength(1);
    expect(
      given(decider, begun('ord_1', null), charged('ord_1', 1)).when(begin(null)),
    ).toHaveLength(1);
  });

  it('know the language of the catalog that they were made from', () => {
    const beginOrder = { kind: 'BeginOrder', orderId: 'ord_1', cartId: null, now: NOW } as const;
    const command = { ...beginOrder, catalogLanguage: 'de', ended: NONE };
    expect(given(decider).when(command)).toEqual([begun('ord_1', null)]);
    const { state } = given(decider, begun('ord_1', null), begun('ord_2', null));
    expect(findCatalogLanguage(state, 'ord_1')).toBe('de');
    expect(findCatalogLanguage(state, 'ord_3')).toBe('');
  });
});

/** rules/webshop 5 */
describe('what a player may still buy', () => {
  it('is what the catalog says, less what was charged for and is not known to be over', () => {
    expect(given(decider).when(charge('ord_1', 3))).toEqual([charged('ord_1', 3)]);
    expect(given(decider).when(charge('ord_1', 4))).toBe(EXCEEDED);
    expect(given(decider, charged('ord_1', 2)).when(charge('ord_2', 1))).toHaveLength(1);
    expect(given(decider, charged('ord_1', 2)).when(charge('ord_2', 2))).toBe(EXCEEDED);
    const over = new Set(['ord_1']);
    expect(given(decider, charged('ord_1', 2)).when(charge('ord_2', 3, { over }))).toHaveLength(1);
  });

  it('is not less for an order that is paid by another card, or by a second click', () => {
    expect(given(decider, charged('ord_1', 3)).when(charge('ord_1', 3))).toEqual([]);
    const over = new Set(['ord_1']);
    const again = charge('ord_1', 3, { over });
    expect(given(decider, charged('ord_1', 3)).when(again)).toEqual([charged('ord_1', 3)]);
    const others = given(decider, charged('ord_1', 3), charged('ord_2', 1));
    expect(others.when(again)).toBe(EXCEEDED);
  });

  it('has no end where the catalog names none', () => {
    const items = [{ itemId: 'sword', quantity: 5_000, maxPurchasable: null }];
    expect(
      given(decider, charged('ord_1', 5_000)).when(charge('ord_2', 0, { items })),
    ).toHaveLength(1);
  });

  it('counts claims of ten minutes, too', () => {
    const { state } = given(decider, claimed('a'), claimed('b'));
    const left = (now: string, undelivered = NONE) =>
      countLeft(state, 'chest', 3, { over: NONE, undelivered, now });
    expect(left(NOW)).toBe(1);
    expect(left(addMilliseconds(TEN_MINUTES_ON, -1))).toBe(1);
    expect(left(TEN_MINUTES_ON)).toBe(3);
    expect(left(addHours(NOW, 90), new Set(['a', 'x']))).toBe(2);
  });

  it('remembers claims for a week, and a hundred of an item beside those of ten minutes', () => {
    const lately = (...claims: ShopEvent[]) =>
      given(decider, ...claims)
        .state.claims.get('chest')
        ?.lately.map(({ claimId }) => claimId);
    const after = claimed('b', addHours(NOW, 7 * 24));
    expect(lately(claimed('a'), after)).toEqual(['b']);
    expect(lately(claimed('a'), claimed('b', addHours(NOW, 7 * 24 - 1)))).toEqual(['a', 'b']);
    const many = Array.from({ length: 102 }, (_, at) => claimed(`c${at}`));
    expect(lately(...many)).toHaveLength(102);
    expect(lately(...many, claimed('b', TEN_MINUTES_ON))).toHaveLength(101);
  });

  it('remembers charges until they have their outcome, and not for ever', () => {
    const late = charged('ord_2', 1, addHours(NOW, 7 * 24));
    const { charges } = given(decider, charged('ord_1', 1), late).state;
    expect(charges.map(({ orderId }) => orderId)).toEqual(['ord_2']);
  });
});

/** rules/webshop 6 */
describe('a free item', () => {
  it('is claimed once where the catalog names no number, for good', () => {
    expect(given(decider).when(claim('a'))).toEqual([claimed('a')]);
    expect(given(decider, claimed('a')).when(claim('b'))).toBe(EXCEEDED);
    const later = claim('b', { now: addHours(NOW, 9_000) });
    expect(given(decider, claimed('a')).when(later)).toBe(EXCEEDED);
  });

  it('is claimed as often as the catalog says', () => {
    const two = (claimId: string, now = NOW) => claim(claimId, { maxPurchasable: 2, now });
    expect(given(decider, claimed('a')).when(two('b'))).toHaveLength(1);
    expect(given(decider, claimed('a'), claimed('b')).when(two('c'))).toBe(EXCEEDED);
    const after = given(decider, claimed('a'), claimed('b')).when(two('c', TEN_MINUTES_ON));
    expect(after).toHaveLength(1);
    expect(given(decider).when(claim('a', { maxPurchasable: 0 }))).toBe(EXCEEDED);
  });

  it('counts a message for each claim', () => {
    const history = [claimed('a'), claimed('b'), begun('ord_1', null)];
    expect(given(decider, ...history).state.messageCount).toBe(2);
  });
});
