import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { requireOk } from '../support/scenario.js';
import type { ShopClient } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

const ledger = useLedger();
const shop = useWebshop(ledger);
const open = (player: string, more = {}) => shop.open(player, more);
const SWORD = { id: 'sword', price: { currency: 'USD', amount: '4.99' } };
const GEMS = { id: 'gems', price: { currency: 'USD', amount: '10.00' }, max_purchasable: '3' };
const CHEST = { id: 'chest', price: { currency: 'USD', amount: '0.00' } };
const EURO = { id: 'euro', price: { currency: 'EUR', amount: '1.00' } };

/** rules/webshop 4 */
describe('the cart', () => {
  it('takes items at the price of the catalog, and is sent whole with each change', async () => {
    shop.catalog.offer(SWORD, GEMS);
    const player = await open('carts', { regionCode: 'US' });
    const added = requireOk(await player.add({ itemId: 'sword', quantity: 2 }));
    const { cartId } = added.body;
    expect(added.body).toEqual({
      ...{ csrf: player.csrf, cartId: expect.stringMatching(/^cart_/) },
      items: [
        {
          ...{ id: 'sword', name: 'Item sword', quantity: 2 },
          ...{ price: '4.99', total: '9.98', problem: null },
        },
      ],
      ...{ currency: 'USD', subtotal: '9.98', tax: '0.00', total: '9.98' },
    });
    requireOk(await player.add({ itemId: 'gems', quantity: 1 }));
    const set = requireOk(await player.set('sword', { quantity: 1 }));
    expect(set.body['total']).toBe('14.99');
    requireOk(await player.set('gems', { quantity: 0 }));
    await shop.untilSent('carts', 'MUTATE_CART', 4);
    const messages = shop.sentTo('carts', 'MUTATE_CART');
    expect(messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(messages[1]?.eventData).toEqual({
      ...{ timeMillis: expect.any(Number), cartId, userId: 'carts' },
      items: [
        { id: 'sword', quantity: 2, price: '4.99', metadata: {} },
        { id: 'gems', quantity: 1, price: '10.00', metadata: {} },
      ],
      ...{ regionCode: 'US', source: 'Cart', ipAddress: '127.0.0.1' },
    });
    expect(messages[3]?.eventData['items']).toHaveLength(1);
  });

  it('is changed once by a form that is sent twice, also at once', async () => {
    shop.catalog.offer(SWORD);
    const player = await open('clicks');
    const form = { formId: randomUUID(), itemId: 'sword', quantity: 2 };
    const sent = await Promise.all([1, 2, 3].map(() => player.add(form)));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    const other = await player.add({ ...form, quantity: 3 });
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
    const { body } = await player.cart();
    expect(body['items']).toEqual([expect.objectContaining({ quantity: 2 })]);
  });

  it('is one for two windows, and another one for another player', async () => {
    shop.catalog.offer(SWORD, GEMS);
    const [player, other] = [await open('windows'), await open('windows-other')];
    await Promise.all([
      player.add({ itemId: 'sword', quantity: 1 }),
      player.add({ itemId: 'gems', quantity: 1 }),
    ]);
    expect((await player.cart()).body['items']).toHaveLength(2);
    expect((await other.cart()).body).toMatchObject({ cartId: '', items: [] });
    expect((await player.shop()).body['cart']).toEqual({ quantity: 2 });
  });

  it.each([
    ['more than the catalog leaves', { itemId: 'gems', quantity: 4 }, 'QUANTITY_EXCEEDED'],
    ['another currency', { itemId: 'euro', quantity: 1 }, 'CURRENCY_MISMATCH'],
    ['what the catalog does not have', { itemId: 'none', quantity: 1 }, 'ITEM_UNAVAILABLE'],
    ['what costs nothing', { itemId: 'chest', quantity: 1 }, 'ITEM_UNAVAILABLE'],
    ['what has expired', { itemId: 'old', quantity: 1 }, 'ITEM_UNAVAILABLE'],
  ])('takes not %s', async (_what, wanted, reason) => {
    shop.catalog.offer(SWORD, GEMS, EURO, CHEST, {
      id: 'old',
      expiration_time_seconds: '1700000000',
    });
    const player = await open(`refused-${wanted.itemId}`);
    requireOk(await player.add({ itemId: 'sword', quantity: 1 }));
    expect(refusal(await player.add(wanted))).toEqual([400, 9, reason]);
  });

  it('tells of its button', async () => {
    const player = await open('buttons', { regionCode: 'FR' });
    requireOk(await player.cart());
    requireOk(await player.get('/shop/cart?from=button'));
    const type = 'CART_BUTTON_CLICK';
    await shop.untilSent('buttons', type);
    expect(shop.sentTo('buttons', type).map(({ eventData }) => eventData)).toEqual([
      { userId: 'buttons', regionCode: 'FR' },
    ]);
  });
});

/** rules/webshop 4 */
describe('a checkout', () => {
  const fill = async (player: ShopClient, itemId = 'sword', quantity = 1) =>
    requireOk(await player.add({ itemId, quantity }));
  const checkOut = (player: ShopClient, form = {}) => player.checkOut(form);
  const violations = ({ body }: Answer) =>
    (body.details?.[1]?.['fieldViolations'] as { field: string; description: string }[]).map(
      ({ field, description }) => [field, description],
    );
  const listOrders = async (player: ShopClient) =>
    (await player.orders()).body['orders'] as Record<string, unknown>[];

  it('of a cart makes one order, however often its form is sent', async () => {
    shop.catalog.offer(SWORD, GEMS);
    const player = await open('checks-out');
    await fill(player, 'sword', 2);
    await fill(player, 'gems');
    const form = { formId: randomUUID() };
    const sent = await Promise.all(Array.from({ length: 8 }, () => checkOut(player, form)));
    const [first] = sent.map(requireOk);
    expect(new Set(sent.map(({ text }) => text))).toEqual(new Set([first?.text]));
    expect(first?.body).toEqual({
      orderId: expect.stringMatching(/^ord_/),
      url: expect.stringContaining('/checkout/co_'),
    });
    expect(await listOrders(player)).toEqual([
      {
        ...{ orderId: first?.body['orderId'], createdAt: expect.stringMatching(/Z$/) },
        items: [
          { id: 'sword', name: 'Item sword', quantity: 2, price: '4.99' },
          { id: 'gems', name: 'Item gems', quantity: 1, price: '10.00' },
        ],
        ...{ total: '19.98', currency: 'USD', status: 'OPEN' },
      },
    ]);
  });

  it('ends the earlier unpaid order of its cart, and of no other', async () => {
    shop.catalog.offer(SWORD);
    const player = await open('checks-out-again');
    await fill(player);
    requireOk(await player.buy('sword', { quantity: 1 }));
    requireOk(await checkOut(player));
    requireOk(await checkOut(player));
    const statuses = (await listOrders(player)).map(({ status }) => status);
    expect(statuses).toEqual(['OPEN', 'CANCELED', 'OPEN']);
  });

  it('tells at once what has changed, makes nothing, and takes the cart as it was shown the next time', async () => {
    shop.catalog.offer(SWORD, GEMS, { id: 'bow' });
    const player = await open('checks-out-late');
    await fill(player, 'sword', 2);
    await fill(player, 'gems', 3);
    await fill(player, 'bow');
    shop.catalog.offer(
      { ...SWORD, price: { currency: 'USD', amount: '5.99' } },
      { ...GEMS, max_purchasable: 2, price: { currency: 'USD', amount: '11.00' } },
    );
    const form = { formId: randomUUID() };
    const refused = await checkOut(player, form);
    expect(refusal(refused)).toEqual([400, 9, 'CART_CHANGED']);
    const changes = [
      ['items.sword', 'PRICE_CHANGED: it costs 5.99 USD now'],
      ['items.gems', 'QUANTITY: the player can buy 2 of it; PRICE_CHANGED: it costs 11.00 USD now'],
      ['items.bow', 'GONE: it is no longer for sale'],
    ];
    expect(violations(refused)).toEqual(changes);
    // A double click has seen nothing of it.
    expect(violations(await checkOut(player, form))).toEqual(changes);
    expect(await listOrders(player)).toEqual([]);
    const { body } = requireOk(await player.cart());
    expect(body['total']).toBe('33.98');
    expect(body['items']).toMatchObject([
      { problem: 'PRICE_CHANGED' },
      { problem: 'QUANTITY', quantity: 2, price: '11.00' },
      { problem: 'GONE' },
    ]);
    const without = requireOk(await player.set('bow', { quantity: 0 }));
    expect(without.body['items']).toHaveLength(2);
    requireOk(await checkOut(player));
    expect((await listOrders(player))[0]).toMatchObject({
      total: '33.98',
      items: [
        { id: 'sword', quantity: 2, price: '5.99' },
        { id: 'gems', quantity: 2, price: '11.00' },
      ],
    });
  });

  it('of a single item makes an order beside the cart, once for its form', async () => {
    shop.catalog.offer(SWORD, GEMS, CHEST);
    const player = await open('buys-now', { regionCode: 'DE' });
    const form = { formId: randomUUID(), quantity: 3 };
    const path = '/shop/items/gems/buy';
    const sent = await Promise.all([1, 2].map(() => player.post(path, form)));
    expect(requireOk(sent[0]!).body).toEqual(requireOk(sent[1]!).body);
    const other = await player.post(path, { ...form, quantity: 2 });
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
    const more = await player.post(path, { quantity: 4 });
    expect(refusal(more)).toEqual([400, 9, 'QUANTITY_EXCEEDED']);
    const free = await player.buy('chest', { quantity: 1 });
    expect(refusal(free)).toEqual([400, 9, 'ITEM_UNAVAILABLE']);
    expect(await listOrders(player)).toHaveLength(1);
    expect((await player.cart()).body['items']).toEqual([]);
  });
});
