import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, anonymous } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { passTime, requireOk } from '../support/scenario.js';
import { type ShopClient } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

const ledger = useLedger();
const shop = useWebshop(ledger);
const SWORD = { id: 'sword', price: { currency: 'USD', amount: '4.99' } };
const GEMS = { id: 'gems', price: { currency: 'USD', amount: '10.00' }, max_purchasable: '3' };
const CHEST = { id: 'chest', price: { currency: 'USD', amount: '0.00' }, max_purchasable: 1 };
type Item = Readonly<Record<'id' | 'maxPurchasable' | 'claimed', unknown>>;
const EXCEEDED = [400, 9, 'QUANTITY_EXCEEDED'];

beforeEach(() => {
  shop.catalog.offer(GEMS, CHEST);
  shop.receiver.answerWith(() => 204);
});

const buy = (player: ShopClient, quantity: number) => player.buy('gems', { quantity });
const pay = async (order: Answer) => {
  const { pathname } = new URL(String(requireOk(order).body['url']));
  return anonymous(ledger.standalone.baseUrl).post(`${pathname}/complete`, {
    paymentMethod: 'pm_ok',
  });
};
/** Lets so much of the app's time pass. */
const passMinutes = (minutes: number) => passTime(ledger.operator, ledger.appId, minutes * 60_000);

/** rules/webshop 5 */
describe('an item of which a player can have three', () => {
  it('is paid three times at most, whichever orders are made and however they are paid at once', async () => {
    const player = await shop.open('greedy');
    const orders = [await buy(player, 2), await buy(player, 2), await buy(player, 3)];
    const paid = await Promise.all(orders.map((order) => pay(order)));
    expect(paid.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const refused of paid.filter(({ status }) => status !== 200)) {
      expect(refusal(refused)).toEqual(EXCEEDED);
    }
    expect(refusal(await buy(player, 3))).toEqual(EXCEEDED);
  });

  it('is shown with what is left of it, also to programs', async () => {
    shop.catalog.offer(GEMS, CHEST, { id: 'map', price: CHEST.price });
    const player = await shop.open('counting');
    const listLeft = async () => {
      const [{ items }] = requireOk(await player.shop()).body['rows'] as [{ items: Item[] }];
      return items.map(({ id, maxPurchasable, claimed }) => [id, maxPurchasable, claimed]);
    };
    const untouched = [
      ['gems', 3, false],
      ['chest', 1, false],
      ['map', null, false],
    ];
    expect(await listLeft()).toEqual(untouched);
    requireOk(await pay(await buy(player, 1)));
    requireOk(await player.claim('chest', { claimId: 'c-1' }));
    requireOk(await player.claim('map', { claimId: 'c-2' }));
    expect(await listLeft()).toEqual([
      ['gems', 2, false],
      ['chest', 0, true],
      ['map', null, true],
    ]);
    const { body } = requireOk(await player.get('/shop/items/gems'));
    expect(body['item']).toMatchObject({ id: 'gems', maxPurchasable: 2 });
  });

  it('is counted as the catalog says when it is paid', async () => {
    const player = await shop.open('late');
    const [order, gone] = [await buy(player, 3), await buy(player, 1)];
    shop.catalog.offer({ ...GEMS, max_purchasable: 2 });
    expect(refusal(await pay(order))).toEqual(EXCEEDED);
    const { pathname } = new URL(String(order.body['url']));
    const page = anonymous(ledger.standalone.baseUrl);
    const shown = await page.get(`${pathname}?refusal=QUANTITY_EXCEEDED`);
    expect(shown.text).toContain('That is more than you can buy.');
    shop.catalog.offer(CHEST);
    expect(refusal(await pay(gone))).toEqual([400, 9, 'ITEM_UNAVAILABLE']);
    shop.catalog.answerWith({ status: 500, body: 'oops' });
    expect(refusal(await pay(gone))).toEqual([502, 14, 'CATALOG_UNAVAILABLE']);
    shop.catalog.answerWith(undefined);
  });

  it('counts for ten minutes, and as long as the studio was not sent it', async () => {
    const [player, told] = [await shop.open('untold'), await shop.open('told')];
    shop.receiver.answerWith(({ bytes }) => (bytes.includes('untold') ? 500 : 204));
    for (const each of [player, told]) {
      requireOk(await pay(await buy(each, 3)));
      requireOk(await each.claim('chest', { claimId: 'c-1' }));
      expect(refusal(await buy(each, 1))).toEqual(EXCEEDED);
    }
    await shop.untilSent('told', 'FREE_ITEM_REDEEMED');
    await passMinutes(11);
    await eventually(async () => (await buy(told, 3)).status === 200);
    requireOk(await told.claim('chest', { claimId: 'c-2' }));
    expect(refusal(await buy(player, 1))).toEqual(EXCEEDED);
    const again = await player.claim('chest', { claimId: 'c-2' });
    expect(refusal(again)).toEqual(EXCEEDED);
  });
});

/** rules/webshop 4 */
describe('what a cart is paid for', () => {
  const fill = async (player: ShopClient, itemId: string, quantity = 1) =>
    requireOk(await player.add({ itemId, quantity }));
  const checkOut = (player: ShopClient) => player.checkOut();
  const listOrders = async (player: ShopClient) =>
    (await player.orders()).body['orders'] as Record<string, unknown>[];
  beforeEach(() => shop.catalog.offer(GEMS, SWORD, { id: 'bow' }));

  it('is what lay there at its checkout: what came since begins the next one', async () => {
    const player = await shop.open('pays-late');
    await fill(player, 'sword', 2);
    const { body: before } = await fill(player, 'gems');
    const made = await checkOut(player);
    await fill(player, 'bow');
    await fill(player, 'sword');
    requireOk(await pay(made));
    const left = requireOk(await player.cart()).body;
    const items = [
      { id: 'sword', quantity: 1 },
      { id: 'bow', quantity: 1 },
    ];
    expect(left).toMatchObject({ items, total: '9.98' });
    expect((await player.shop()).body['cart']).toEqual({ quantity: 2 });
    const { body: after } = requireOk(await player.set('bow', { quantity: 0 }));
    expect(after['cartId']).not.toBe(before['cartId']);
    await shop.untilSent('pays-late', 'MUTATE_CART', 5);
    const sent = shop.sentTo('pays-late', 'MUTATE_CART').at(-1);
    expect(sent?.sequence).toBe(1);
    expect(sent?.eventData).toMatchObject({ cartId: after['cartId'], items: [{ id: 'sword' }] });
    requireOk(await checkOut(player));
    expect((await listOrders(player))[0]).toMatchObject({ total: '4.99', status: 'OPEN' });
  });
});
