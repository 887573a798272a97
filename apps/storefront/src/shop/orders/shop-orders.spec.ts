import { beforeEach, describe, expect, it } from 'vitest';
import { type CreatedOrder, orderAggregate, type OrderCommand } from '#domain/order';
import { shopAggregate } from '#domain/shop';
import { createCommandExecutor, type EventStore } from '#event-store';
import { Ledger, OrderPlacement } from '#nest';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { EndedOrders } from '../charges/ended-orders.js';
import type { VisitorContext } from '../http/shop-forms.js';
import { ShopOrders, type WantedCart } from './shop-orders.js';

const NOW = '2026-01-31T10:00:00.000Z';
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const price = { amountMinor: '499', currency: 'USD' };
const wanted: WantedCart = {
  visitor: {
    ...{ appId: 'app_1', player, sessionId: 'ws_1', accountId: 'ann', csrf: 'token' },
    ...{ language: '', regionCode: '', personal: {} },
  },
  catalogLanguage: 'en',
  cartId: 'cart_1',
  items: [{ itemId: 'sword', name: 'Sword', description: '', image: '', quantity: 1, price }],
};
const form = (id: string): VisitorContext => ({
  ...{ appId: 'app_1', environment: 'test', actor: 'player', player },
  ...{ correlationId: 'request-1', now: NOW, commandId: `checkout ${id}`, commandHash: 'hash' },
});

let store: MemoryEventStore;
let ledger: Ledger;
let placement: OrderPlacement;
let orders: ShopOrders;
let ended: EndedOrders;

beforeEach(async () => {
  store = new MemoryEventStore();
  ledger = new Ledger(createCommandExecutor(store as unknown as EventStore));
  placement = new OrderPlacement(ledger, { now: () => NOW });
  orders = new ShopOrders(ledger, placement, 'https://shop');
  ended = new EndedOrders(ledger, undefined as never);
  const { commandId: _id, commandHash: _hash, ...context } = form('');
  const open = {
    kind: 'OpenCart',
    cartId: 'cart_1',
    former: null,
    now: NOW,
    wallNow: NOW,
  } as const;
  await ledger.execute(shopAggregate, player, open, context);
});

/** The player pays on the page of an order, which is decided in the player's own stream first. @returns the payment. */
async function attempt(orderId: string, cartId: string | null = 'cart_1'): Promise<string> {
  const { state } = await ledger.load(orderAggregate, orderId);
  if (state.status === 'none') throw new Error('the order was made');
  const { commandId: _id, commandHash: _hash, ...context } = form('');
  const none = { over: new Set<string>(), undelivered: new Set<string>() };
  const charge = { kind: 'RequestCharge', orderId, cartId, items: [], ...none, now: NOW } as const;
  await ledger.execute(shopAggregate, player, charge, context);
  const after = await change(orderId, {
    ...{ kind: 'AttemptOrder', quote: state.quote, emailMarketingOptIn: false, personal: {} },
    ...{ playerIsErased: false, paymentMethod: 'pm_ok', shown: null, now: NOW, wallNow: NOW },
  });
  return after.attempts[0]?.paymentId ?? '';
}
async function change(orderId: string, command: OrderCommand): Promise<CreatedOrder> {
  const { commandId: _id, commandHash: _hash, ...context } = form('');
  const { state } = await ledger.execute(orderAggregate, orderId, command, context);
  if (state.status === 'none') throw new Error('the order was made');
  return state;
}
const capture = (orderId: string, paymentId: string) =>
  change(orderId, {
    ...{ kind: 'SettleOrder', outcome: 'captured', paymentId, paymentRevision: 1, now: NOW },
  });
const findStatus = async (orderId: string) =>
  (await ledger.load(orderAggregate, orderId)).state.status;
/** Runs once, before the first append of a stream of this category. */
const beforeAppend = (category: string, run: () => Promise<unknown>) => {
  store.onAppend = async (streamName) => {
    if (!streamName.startsWith(`${category}-`)) return;
    store.onAppend = () => undefined;
    await run();
  };
};

/** The event that closes the player's cart. */
const findPaid = async () => {
  const { state: shop } = await ledger.load(shopAggregate, player);
  return shop.cart && ended.findPaid(shop, shop.cart);
};

/** rules/webshop 4 */
describe('two checkouts of one cart at once', () => {
  it.each([
    ['before the one has begun its order', 'shop'],
    ['before the one has made its order', 'order'],
    ['before the one has made its link', 'order_link'],
  ])('make one order that can be paid: the other comes %s', async (_when, category) => {
    let other: { readonly orderId: string } | undefined;
    beforeAppend(category, async () => (other = await orders.makeOfCart(form('b'), wanted)));
    const one = await orders.makeOfCart(form('a'), wanted);
    const statuses = [await findStatus(one.orderId), await findStatus(other?.orderId ?? '')];
    const { cart } = (await ledger.load(shopAggregate, player)).state;
    const isLast = [one, other].map((order) => order?.orderId === cart?.orderId);
    expect(statuses).toEqual(isLast.map((last) => (last ? 'OPEN' : 'CANCELED')));
  });

  it.each([
    ['is being paid', 'PAYMENT_PENDING'],
    ['was paid', 'CART_EMPTY'],
  ])('leave the one alone that %s, and begin nothing', async (_what, reason) => {
    const other = { orderId: '', paymentId: '' };
    beforeAppend('shop', async () => {
      other.orderId = (await orders.makeOfCart(form('b'), wanted)).orderId;
      other.paymentId = await attempt(other.orderId);
      if (reason === 'CART_EMPTY') await capture(other.orderId, other.paymentId);
    });
    await expect(orders.makeOfCart(form('a'), wanted)).rejects.toMatchObject({ reason });
    const { state: shop } = await ledger.load(shopAggregate, player);
    expect(shop.cart?.orderId).toBe(other.orderId);
    if (reason !== 'CART_EMPTY') {
      expect(await findPaid()).toBeUndefined();
      await capture(other.orderId, other.paymentId);
    }
    expect(await findPaid()).toMatchObject({ orderId: other.orderId });
  });
});

it('a checkout takes the place of an order that another window began, and whose bank declined, in between', async () => {
  let other = '';
  beforeAppend('shop', async () => {
    other = (await orders.makeOfCart(form('b'), wanted)).orderId;
    const paymentId = await attempt(other);
    await change(other, {
      ...{ kind: 'SettleOrder', paymentId, paymentRevision: 1, now: NOW },
      outcome: { reason: 'card_declined', declineClass: 'soft', rawDeclineCode: '' },
    });
  });
  const { orderId } = await orders.makeOfCart(form('a'), wanted);
  expect([await findStatus(other), await findStatus(orderId)]).toEqual(['CANCELED', 'OPEN']);
});

it('begins nothing where an order that was begun by another window is made, and being paid, in between', async () => {
  const orderId = 'ord_01jz8m0000000000000000003f';
  const { commandId: _id, commandHash: _hash, ...context } = form('');
  const of = { cartId: 'cart_1', catalogLanguage: 'en', ended: new Set<string>() };
  const begin = { kind: 'BeginOrder', orderId, ...of, now: NOW } as const;
  await ledger.execute(shopAggregate, player, begin, context);
  beforeAppend('shop', async () => {
    const { items } = wanted;
    const order = { orderId, source: 'Cart', cartId: 'cart_1', items, currency: 'USD' } as const;
    await placement.place({ ...order, personal: {} }, context);
    await attempt(orderId);
  });
  const refused = orders.makeOfCart(form('a'), wanted);
  await expect(refused).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
  expect((await ledger.load(shopAggregate, player)).state.cart?.orderId).toBe(orderId);
});

it('begins nothing while an earlier order of the cart is being paid', async () => {
  const { orderId } = await orders.makeOfCart(form('a'), wanted);
  await attempt(orderId);
  const refused = orders.makeOfCart(form('b'), wanted);
  await expect(refused).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' });
  const { state: shop } = await ledger.load(shopAggregate, player);
  // It can be paid by another card, should the bank decline.
  expect(shop.cart?.orderId).toBe(orderId);
});

it('the cart stays closed, however many orders come after the one that was paid', async () => {
  const { orderId } = await orders.makeOfCart(form('a'), wanted);
  await capture(orderId, await attempt(orderId));
  const { cartId: _cart, ...single } = wanted;
  for (let count = 0; count < 101; count += 1) {
    await orders.makeSingle(form(`single ${count}`), single);
  }
  expect(await findPaid()).toMatchObject({ orderId });
});
