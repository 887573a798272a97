import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import type { CartEvent } from './cart.events.js';
import { cartAggregate, type CartCommand, leaveOver, MAX_QUANTITY } from './index.js';

const { decider } = cartAggregate;
const NOW = '2027-01-31T10:00:00.000Z';
const usd = (amountMinor: string, currency = 'USD') => ({ amountMinor, currency });
const SWORD = {
  itemId: 'sword',
  name: 'Sword',
  image: 'https://cdn.example/s.png',
  price: usd('499'),
};
const ORIGIN = { regionCode: 'DE', personal: { ipAddress: 'sealed' } };
type Set = Extract<CartCommand, { kind: 'AddItem' | 'SetItem' }>;
const put = (kind: Set['kind'], quantity: number, over: Partial<Set> = {}): Set => ({
  ...{ kind, terms: SWORD, quantity, limit: MAX_QUANTITY, ...ORIGIN, now: NOW, ...over },
});
const add = (quantity: number, over: Partial<Set> = {}) => put('AddItem', quantity, over);
const set = (quantity: number, over: Partial<Set> = {}) => put('SetItem', quantity, over);
const lies = (quantity: number, terms = SWORD): CartEvent => ({
  type: 'cart.item_set.v1',
  data: { ...terms, quantity, ...ORIGIN, changedAt: NOW },
});
const remove = { kind: 'RemoveItem', itemId: 'sword', ...ORIGIN, now: NOW } as const;

/** rules/webshop 4 */
describe('a cart', () => {
  it('takes pieces beside those that lie there, or in their place', () => {
    expect(given(decider).when(add(2))).toEqual([lies(2)]);
    expect(given(decider, lies(2)).when(add(3))).toEqual([lies(5)]);
    expect(given(decider, lies(2)).when(set(3))).toEqual([lies(3)]);
  });

  it('takes nothing any more, and gives nothing, once the next one begins', () => {
    const close = { kind: 'CloseCart', now: NOW } as const;
    const closed: CartEvent = { type: 'cart.closed.v1', data: { closedAt: NOW } };
    expect(given(decider, lies(2)).when(close)).toEqual([closed]);
    const after = given(decider, lies(2), closed);
    expect(after.when(close)).toEqual([]);
    for (const change of [add(1), set(2), remove]) expect(after.when(change)).toBe('cart/closed');
    expect(leaveOver(after.state, [{ itemId: 'sword', quantity: 1 }])).toMatchObject([
      { quantity: 1 },
    ]);
  });

  it('is not changed by what lies there already, at this price', () => {
    expect(given(decider, lies(2)).when(set(2))).toEqual([]);
    const terms = { ...SWORD, price: usd('599') };
    expect(given(decider, lies(2)).when(set(2, { terms }))).toEqual([lies(2, terms)]);
  });

  it('gives things back, once', () => {
    const removed = {
      type: 'cart.item_removed.v1',
      data: { itemId: 'sword', ...ORIGIN, changedAt: NOW },
    } as const;
    expect(given(decider, lies(2)).when(remove)).toEqual([removed]);
    expect(given(decider, lies(2), removed).when(remove)).toEqual([]);
    expect(given(decider, lies(2), removed).state.items).toEqual([]);
  });

  it('holds no more of an item than the catalog leaves, and no more than a hand means', () => {
    expect(given(decider, lies(2)).when(add(1, { limit: 2 }))).toBe('cart/quantity_exceeded');
    expect(given(decider, lies(2)).when(set(2, { limit: 1 }))).toBe('cart/quantity_exceeded');
    expect(given(decider).when(add(MAX_QUANTITY))).toHaveLength(1);
    const limit = Number.MAX_SAFE_INTEGER;
    expect(given(decider).when(add(MAX_QUANTITY + 1, { limit }))).toBe('cart/quantity_exceeded');
  });

  it('holds one currency, and another one when it is empty of others', () => {
    const terms = { ...SWORD, itemId: 'bow', price: usd('499', 'EUR') };
    expect(given(decider, lies(1)).when(add(1, { terms }))).toBe('cart/currency_mismatch');
    const same = { ...SWORD, price: usd('499', 'EUR') };
    expect(given(decider, lies(1)).when(set(1, { terms: same }))).toHaveLength(1);
  });

  it('comes to no more than a payment can', () => {
    const terms = { ...SWORD, itemId: 'crown', price: usd('9'.repeat(15)) };
    expect(given(decider).when(add(1, { terms }))).toHaveLength(1);
    expect(given(decider).when(add(2, { terms }))).toBe('cart/amount_exceeded');
    expect(given(decider, lies(1)).when(set(1, { terms }))).toBe('cart/amount_exceeded');
    expect(given(decider, lies(1, terms)).when(add(1))).toBe('cart/amount_exceeded');
    expect(
      given(decider, lies(1, terms)).when(set(1, { terms: { ...terms, price: usd('1') } })),
    ).toHaveLength(1);
  });

  it('holds a hundred items', () => {
    const items = Array.from({ length: 100 }, (_, index) =>
      lies(1, { ...SWORD, itemId: `${index}` }),
    );
    expect(given(decider, ...items).when(add(1))).toBe('cart/full');
    const terms = { ...SWORD, itemId: '7' };
    expect(given(decider, ...items).when(add(1, { terms }))).toHaveLength(1);
  });

  it('counts a message for each change of what lies in it', () => {
    const shown: CartEvent = { type: 'cart.problems_shown.v1', data: { items: [], shownAt: NOW } };
    expect(given(decider, lies(1), shown, lies(2)).state.messageCount).toBe(2);
  });

  it('begins with what came into the one before after its checkout', () => {
    const bow = { ...SWORD, itemId: 'bow' };
    const shown: CartEvent = {
      type: 'cart.problems_shown.v1',
      data: {
        items: [{ itemId: 'sword', problem: 'QUANTITY', price: SWORD.price, quantity: 3 }],
        shownAt: NOW,
      },
    };
    const left = (bought: { itemId: string; quantity: number }[], ...history: CartEvent[]) =>
      leaveOver(given(decider, ...history).state, bought).map((item) => [
        ...[item.itemId, item.quantity, item.shown],
      ]);
    const swords = (quantity: number) => [{ itemId: 'sword', quantity }];
    expect(left(swords(2), lies(2))).toEqual([]);
    expect(left(swords(2), lies(5), lies(1, bow))).toEqual([
      ['sword', 3, null],
      ['bow', 1, null],
    ]);
    expect(left(swords(2), lies(1))).toEqual([]);
    // Items that the checkout showed as too many were not wanted any more.
    expect(left(swords(3), lies(5), shown)).toEqual([]);
    expect(left(swords(2), lies(5), shown)).toEqual([['sword', 1, null]]);
    expect(left(swords(3), lies(5), shown, lies(5))).toEqual([['sword', 2, null]]);
  });

  it('begins without a message', () => {
    const items = [{ ...SWORD, quantity: 2, shown: null }];
    const carried = given(decider).when({ kind: 'CarryOver', items, now: NOW });
    expect(carried).toEqual([
      {
        type: 'cart.items_carried_over.v1',
        data: { items: [{ ...SWORD, quantity: 2 }], carriedAt: NOW },
      },
    ]);
    const { state } = given(decider, ...(carried as CartEvent[]));
    expect(state).toEqual({ items, isClosed: false, messageCount: 0 });
  });
});
