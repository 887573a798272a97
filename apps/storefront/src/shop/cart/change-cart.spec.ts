import { beforeEach, expect, it } from 'vitest';
import { cartAggregate } from '#domain/cart';
import type { CatalogItem } from '#domain/catalog';
import type { CreatedOrder } from '#domain/order';
import { shopAggregate } from '#domain/shop';
import { createCommandExecutor, type EventStore } from '#event-store';
import { type CommandContexts, Ledger } from '#nest';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import type { ItemCounts } from '../catalog/item-counts.js';
import type { PlayerCatalogs } from '../catalog/player-catalogs.js';
import type { EndedOrders } from '../charges/ended-orders.js';
import { type ShopForm, ShopForms, type VisitorContext } from '../http/shop-forms.js';
import { VisitLimits } from '../http/visit-limits.js';
import { ChangeCart, ChangeCartHandler, type WantedItem } from './change-cart.js';
import { OpenCarts } from './open-carts.js';

const NOW = '2026-01-31T10:00:00.000Z';
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const visitor = {
  ...{ appId: 'app_1', player, sessionId: 'ws_1', accountId: 'ann', csrf: 'token' },
  ...{ language: '', regionCode: '', personal: {} },
};
const plain: VisitorContext = {
  ...{ appId: 'app_1', environment: 'test', actor: 'player', player },
  ...{ correlationId: 'request-1', now: NOW },
};
const offer = (id: string): CatalogItem => ({
  ...{ id, name: id, description: '', image: '', maxPurchasable: null, expiresAt: null },
  price: { amountMinor: '499', currency: 'USD' },
});

let store: MemoryEventStore;
let ledger: Ledger;
let handler: ChangeCartHandler;
/** Carts whose orders were paid, with the items of these. */
let paid: Map<string, readonly { readonly itemId: string; readonly quantity: number }[]>;
let forms = 0;

beforeEach(() => {
  store = new MemoryEventStore();
  paid = new Map();
  ledger = new Ledger(createCommandExecutor(store as unknown as EventStore));
  // As much of an order as is looked at.
  const ended: Pick<EndedOrders, 'findPaid'> = {
    findPaid: async (_shop, { cartId }) => {
      const items = paid.get(cartId);
      return items && ({ items } as CreatedOrder);
    },
  };
  const contexts: Partial<CommandContexts> = {
    withFormKey: async (_source, _appId, { commandId, asked }) => ({
      ...{ ...plain, commandId, commandHash: asked },
    }),
  };
  const counts: Partial<ItemCounts> = {
    count: async () => ({ left: () => 99 }) as unknown as Awaited<ReturnType<ItemCounts['count']>>,
  };
  const catalogs: Partial<PlayerCatalogs> = { requireItem: async (_form, id) => offer(id) };
  handler = new ChangeCartHandler(
    ...([ledger, new ShopForms(contexts as CommandContexts, new VisitLimits())] as const),
    new OpenCarts(ledger, ended as EndedOrders, { now: () => NOW }),
    ...([counts as ItemCounts, catalogs as PlayerCatalogs] as const),
    { sealPresent: async () => ({}) },
  );
});

function change(kind: WantedItem['kind'], itemId: string, quantity: number): Promise<void> {
  forms += 1;
  const form = { visitor, formId: `form ${forms}`, address: '', pageLanguage: 'en' };
  // The origin of a form is not looked at here.
  return handler.execute(
    new ChangeCart({ form: form as ShopForm, wanted: { kind, itemId, quantity } }),
  );
}

async function readCart() {
  const { state: shop } = await ledger.load(shopAggregate, player);
  const { cartId = '' } = shop.cart ?? {};
  const { items } = (await ledger.load(cartAggregate, cartId)).state;
  return { cartId, items: items.map(({ itemId, quantity }) => [itemId, quantity]) };
}

/** Runs once, before the next append to a stream. */
const beforeAppend = (streamName: string, run: () => Promise<unknown>) => {
  store.onAppend = async (appended) => {
    if (appended !== streamName) return;
    store.onAppend = () => undefined;
    await run();
  };
};

/** rules/webshop 4 */
it.each<[what: string, WantedItem['kind'], itemId: string, quantity: number, unknown[]]>([
  [
    'put there',
    'AddItem',
    'bow',
    1,
    [
      ['shield', 1],
      ['bow', 1],
    ],
  ],
  ['set', 'SetItem', 'shield', 4, [['shield', 4]]],
  ['taken out', 'SetItem', 'shield', 0, []],
])(
  'what is %s while the cart is paid, and another window begins the next one, is of the next one',
  async (_what, kind, itemId, quantity, expected) => {
    await change('AddItem', 'sword', 1);
    const { cartId } = await readCart();
    // One window has found the cart; in the meantime it is paid, and another one begins the next.
    beforeAppend(`cart-${cartId}`, async () => {
      paid.set(cartId, [{ itemId: 'sword', quantity: 1 }]);
      await change('AddItem', 'shield', 1);
    });
    await change(kind, itemId, quantity);
    const next = await readCart();
    expect(next.cartId).not.toBe(cartId);
    expect(next.items).toEqual(expected);
  },
);

it('what comes into a cart that was paid before the next one begins is left over for that', async () => {
  await change('AddItem', 'sword', 1);
  const { cartId } = await readCart();
  beforeAppend(`cart-${cartId}`, async () => {
    paid.set(cartId, [{ itemId: 'sword', quantity: 1 }]);
  });
  await change('AddItem', 'bow', 2);
  await change('AddItem', 'shield', 1);
  const next = await readCart();
  expect(next.cartId).not.toBe(cartId);
  expect(next.items).toEqual([
    ['bow', 2],
    ['shield', 1],
  ]);
});

it('what comes into a cart as the next one is about to begin is in the next one', async () => {
  await change('AddItem', 'sword', 1);
  const { cartId } = await readCart();
  paid.set(cartId, [{ itemId: 'sword', quantity: 1 }]);
  const found = await readCart();
  expect(found.cartId).toBe(cartId);
  // Another window found the cart before it was paid, and its change comes right before the cart is closed.
  beforeAppend(`cart-${cartId}`, async () => {
    const terms = { itemId: 'bow', name: 'bow', image: '', price: offer('bow').price };
    const origin = { regionCode: '', personal: {}, now: NOW };
    const add = { kind: 'AddItem', terms, quantity: 2, limit: 9, ...origin } as const;
    await ledger.execute(cartAggregate, cartId, add, plain);
  });
  await change('AddItem', 'shield', 1);
  const next = await readCart();
  expect(next.items).toEqual([
    ['bow', 2],
    ['shield', 1],
  ]);
});
