import { beforeEach, describe, expect, it } from '@jest/globals';
import { addMilliseconds } from '#domain/calendar';
import { type Answer, anonymous } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { advanceTo, requireOk } from '../support/scenario.js';
import type { ShopClient } from '../support/shop-client.js';
import { useWebshop } from '../support/webshop.js';

const ledger = useLedger();
const shop = useWebshop(ledger);
const GEMS = { id: 'gems', price: { currency: 'USD', amount: '10.00' }, max_purchasable: '3' };
const CHEST = { id: 'chest', price: { currency: 'USD', amount: '0.00' }, max_purchasable: 1 };
const EXCEEDED = [400, 9, 'QUANTITY_EXCEEDED'];

beforeEach(() => {
  shop.catalog.offer(GEMS, CHEST);
  shop.receiver.answerWith(() => 204);
});

const buy = (player: ShopClient, quantity: number) =>
  player.post('/shop/items/gems/buy', { quantity });
const pay = async (order: Answer, paymentMethod = 'pm_ok') => {
  const { pathname } = new URL(String(requireOk(order).body['url']));
  return anonymous(ledger.standalone.baseUrl).post(`${pathname}/complete`, { paymentMethod });
};
/** Lets so much of the app's time pass. */
const passMinutes = async (minutes: number) => {
  const clock = `/manage/apps/${ledger.appId}/test-clock`;
  const { body } = requireOk(await ledger.operator.get(clock));
  const to = addMilliseconds(String(body['now']), minutes * 60_000);
  await advanceTo(ledger.operator, ledger.appId, to);
};

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

  it('counts as soon as it is paid, and not where the bank has declined', async () => {
    const player = await shop.open('declined');
    const order = await buy(player, 3);
    expect(refusal(await pay(order, 'pm_decline_do_not_honor'))).toEqual([
      ...[400, 9, 'PAYMENT_DECLINED'],
    ]);
    const other = await buy(player, 3);
    requireOk(await pay(order));
    expect(refusal(await pay(other))).toEqual(EXCEEDED);
    // The order that has them is paid, whatever it is asked again.
    expect(requireOk(await pay(order)).body).toMatchObject({ status: 'PAID' });
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
      requireOk(await each.post('/shop/items/chest/claim', { claimId: 'c-1' }));
      expect(refusal(await buy(each, 1))).toEqual(EXCEEDED);
    }
    await shop.untilSent('told', 'FREE_ITEM_REDEEMED');
    await passMinutes(11);
    await eventually(async () => (await buy(told, 3)).status === 200);
    requireOk(await told.post('/shop/items/chest/claim', { claimId: 'c-2' }));
    expect(refusal(await buy(player, 1))).toEqual(EXCEEDED);
    const again = await player.post('/shop/items/chest/claim', { claimId: 'c-2' });
    expect(refusal(again)).toEqual(EXCEEDED);
  });
});
