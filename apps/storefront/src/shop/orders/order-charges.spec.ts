import { expect, it } from 'vitest';
import type { CatalogItem } from '#domain/catalog';
import { orderAggregate } from '#domain/order';
import { shopAggregate } from '#domain/shop';
import { createCommandExecutor, type EventStore } from '#event-store';
import { Ledger, OrderPlacement } from '#nest';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { ItemCounts } from '../catalog/item-counts.js';
import { PlayerCatalogs } from '../catalog/player-catalogs.js';
import type { VisitorContext } from '../http/shop-forms.js';
import { OrderCharges } from './order-charges.js';
import { ShopOrders } from './shop-orders.js';

const clock = { now: () => '2026-01-31T10:00:00.000Z' };
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const SWORD: CatalogItem = {
  ...{ id: 'sword', name: 'Sword', description: '', image: '' },
  ...{ price: { amountMinor: '499', currency: 'USD' }, maxPurchasable: null, expiresAt: null },
};
const context: VisitorContext = {
  ...{ appId: 'app_1', environment: 'test', actor: 'player', player },
  ...{ correlationId: 'request-1', now: clock.now() },
};

function create(language: string, catalogLanguage: string, cartId: string | null = null) {
  const store = new MemoryEventStore() as unknown as EventStore;
  const ledger = new Ledger(createCommandExecutor(store));
  const visitor = {
    ...{ appId: 'app_1', player, sessionId: 'ws_1', accountId: 'ann', csrf: 'token' },
    ...{ language, regionCode: '', personal: {} },
  };
  const { id: itemId, price } = SWORD;
  const items = [{ itemId, name: 'Sword', description: '', image: '', quantity: 1, price }];
  const placement = new OrderPlacement(ledger, clock);
  const orders = new ShopOrders(ledger, placement, 'https://shop');
  const wanted = { visitor, catalogLanguage, items };
  const make = () =>
    cartId === null
      ? orders.makeSingle(context, wanted)
      : orders.makeOfCart(context, { ...wanted, cartId });
  const load = async (orderId: string) => {
    const { state } = await ledger.load(orderAggregate, orderId);
    if (state.status === 'none') throw new Error('the order was made');
    return state;
  };
  const asked: string[] = [];
  const fetch = async (by: { readonly language: string }) => {
    asked.push(by.language);
    return { ok: true, catalog: { rows: [{ header: null, items: [SWORD] }] } } as const;
  };
  const catalogs = new PlayerCatalogs({ fetch }, clock);
  const counts = new ItemCounts(undefined as never, undefined as never);
  const accountId = async () => 'ann';
  const charges = new OrderCharges(ledger, catalogs, counts, placement, { accountId });
  return { ledger, make, load, asked, charges };
}

/** Pays an order. @returns in which languages the catalog was asked. */
async function findAsked(language: string, catalogLanguage: string): Promise<string[]> {
  const { make, load, charges, asked } = create(language, catalogLanguage);
  await charges.request(await load((await make()).orderId), context);
  return asked;
}

/** rules/webshop 4 */
it('an order that another one took the place of is ended by who wants to pay it, where a crash has kept it open', async () => {
  const { ledger, make, load, charges } = create('', 'en', 'cart_1');
  const times = { now: clock.now(), wallNow: clock.now() };
  const open = { kind: 'OpenCart', cartId: 'cart_1', former: null, ...times } as const;
  await ledger.execute(shopAggregate, player, open, context);
  const { orderId } = await make();
  const of = { cartId: 'cart_1', catalogLanguage: 'en', ended: new Set<string>() };
  const begin = { kind: 'BeginOrder', orderId: 'ord_later', ...of, now: clock.now() } as const;
  await ledger.execute(shopAggregate, player, begin, context);
  const paying = charges.request(await load(orderId), context);
  await expect(paying).rejects.toMatchObject({ reason: 'ORDER_CANCELED' });
  expect((await load(orderId)).status).toBe('CANCELED');
});

/** decision 0033 */
it("a payment of an order that the player's shop remembers no more asks for the catalog in English", async () => {
  const { make, load, charges, asked } = create('', 'de');
  const order = await load((await make()).orderId);
  await charges.request({ ...order, orderId: 'ord_long_ago' }, context);
  expect(asked).toEqual(['en']);
});

/** decision 0033 */
it.each([
  ['of the link into the shop', 'fr', 'fr', 'fr'],
  ['of the checkout, where the link named none', '', 'de', 'de'],
])('a payment asks for the catalog in the language %s', async (_what, link, checkout, asked) => {
  expect(await findAsked(link, checkout)).toEqual([asked]);
});
