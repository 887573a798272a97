import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { cartAggregate, type CatalogOffer, MAX_QUANTITY, reviewCart } from './index.js';

const { decider } = cartAggregate;
const NOW = '2027-01-31T10:00:00.000Z';
const price = (amountMinor: string, currency = 'USD') => ({ amountMinor, currency });
const ORIGIN = { regionCode: '', personal: {}, changedAt: NOW };
const TERMS = { name: 'Item', image: 'https://cdn.example/i.png', price: price('499') };

const lies = (itemId: string, quantity = 2) =>
  ({ type: 'cart.item_set.v1', data: { itemId, ...TERMS, quantity, ...ORIGIN } }) as const;
const offer = (itemId: string, over: Partial<CatalogOffer> = {}) =>
  [itemId, { itemId, ...TERMS, expiresAt: null, limit: MAX_QUANTITY, ...over }] as const;
const offers = (...given: (readonly [string, CatalogOffer])[]) => new Map(given);
const cart = given(decider, lies('sword'), lies('bow')).state;
const same = offers(offer('sword'), offer('bow'));
/** The cart as the player was shown it against these offers. */
const shownAgainst = (against: ReadonlyMap<string, CatalogOffer>) => {
  const items = reviewCart(cart, against, NOW).problems;
  return decider.evolve(cart, { type: 'cart.problems_shown.v1', data: { items, shownAt: NOW } });
};
const problems = (against: ReadonlyMap<string, CatalogOffer>) =>
  reviewCart(cart, against, NOW).lines.map((line) => line.problems);

/** rules/webshop 4 */
describe('a cart beside the catalog of now', () => {
  it('is as it was put there where nothing has changed', () => {
    const { lines, isAgreed, problems: shown } = reviewCart(cart, same, NOW);
    expect([isAgreed, shown]).toEqual([true, []]);
    expect(lines.map(({ isPayable, quantity }) => [isPayable, quantity])).toEqual([
      [true, 2],
      [true, 2],
    ]);
  });

  it.each([
    ['PRICE_CHANGED', { price: price('599') }, { quantity: 2, isPayable: true }],
    ['EXPIRED', { expiresAt: NOW }, { quantity: 2, isPayable: false }],
    ['QUANTITY', { limit: 1 }, { quantity: 1, isPayable: true }],
    ['QUANTITY', { limit: 0 }, { quantity: 0, isPayable: false }],
    ['GONE', { price: price('499', 'EUR') }, { quantity: 2, isPayable: false }],
    // An item that is free by now is claimed, as often as the catalog allows.
    ['GONE', { price: price('0') }, { quantity: 2, isPayable: false }],
  ] as const)('tells %s', (problem, over, line) => {
    const against = offers(offer('sword'), offer('bow', over));
    const { lines, isAgreed, problems: shown } = reviewCart(cart, against, NOW);
    expect(isAgreed).toBe(false);
    expect(lines[0]?.problems).toEqual([]);
    expect(lines[1]).toMatchObject({ problems: [problem], ...line });
    expect(shown).toEqual([
      expect.objectContaining({
        itemId: 'bow',
        problem,
        quantity: line.isPayable ? line.quantity : 0,
      }),
    ]);
  });

  it('tells of all items at once', () => {
    expect(problems(offers(offer('bow', { price: price('1') })))).toEqual([
      ['GONE'],
      ['PRICE_CHANGED'],
    ]);
    expect(problems(offers())).toEqual([['GONE'], ['GONE']]);
  });

  it('tells both of an item that costs otherwise and of which there may be fewer', () => {
    const against = offers(offer('sword', { price: price('599'), limit: 1 }), offer('bow'));
    const { isAgreed, problems: named } = reviewCart(cart, against, NOW);
    expect(isAgreed).toBe(false);
    const shown = { itemId: 'sword', price: price('599'), quantity: 1 };
    expect(named).toEqual([
      { ...shown, problem: 'QUANTITY' },
      { ...shown, problem: 'PRICE_CHANGED' },
    ]);
    expect(reviewCart(shownAgainst(against), against, NOW).isAgreed).toBe(true);
    // One that was shown the number alone has not seen the price.
    const data = { items: named.slice(0, 1), shownAt: NOW };
    const half = decider.evolve(cart, { type: 'cart.problems_shown.v1', data });
    expect(reviewCart(half, against, NOW).isAgreed).toBe(false);
  });

  it('is named once: what was shown is agreed to by the next checkout', () => {
    const dearer = offers(offer('sword', { price: price('599') }), offer('bow', { limit: 1 }));
    const shown = shownAgainst(dearer);
    const { lines, isAgreed } = reviewCart(shown, dearer, NOW);
    expect(isAgreed).toBe(true);
    expect(lines.map((line) => line.problems)).toEqual([['PRICE_CHANGED'], ['QUANTITY']]);
    expect(lines.map(({ quantity }) => quantity)).toEqual([2, 1]);
    expect(lines.map(({ price: { amountMinor } }) => amountMinor)).toEqual(['599', '499']);
  });

  it.each([
    ['another price', { price: price('699') }],
    ['another problem', { price: price('599'), limit: 1 }],
    ['an end', { expiresAt: NOW }],
  ])('is named again where there is %s since', (_what, over) => {
    const shown = shownAgainst(offers(offer('sword', { price: price('599') }), offer('bow')));
    const { isAgreed } = reviewCart(shown, offers(offer('sword', over), offer('bow')), NOW);
    expect(isAgreed).toBe(false);
  });

  it('names nothing where all is again as it was put there', () => {
    const shown = shownAgainst(offers(offer('sword', { price: price('599') }), offer('bow')));
    expect(reviewCart(shown, same, NOW).isAgreed).toBe(true);
  });
});
