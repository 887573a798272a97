import { describe, expect, it } from 'vitest';
import type { CatalogItem } from '#domain/catalog';
import { choosePageLocale } from '../../languages/page-locale.js';
import { renderShopPage } from './render-shop-page.js';
import type { ShopPageProps } from './shop-page.js';

const BRAND = { name: 'Studio', isTest: true };
const EVIL = `"><script>alert('1')</script>&`;
const SWORD: CatalogItem = Object.freeze({
  ...{ id: 'sword', name: 'Sword', description: 'Shines.', image: 'https://cdn.example/1.png' },
  price: { amountMinor: '499', currency: 'USD' },
  ...{ maxPurchasable: 3, expiresAt: null },
});
const CHEST = Object.freeze({
  ...SWORD,
  id: 'chest',
  price: { amountMinor: '0', currency: 'USD' },
});
const offer = (item: CatalogItem, left = 3) => ({ item, left, isClaimed: left === 0 });
const shelf = (...items: CatalogItem[]) => [{ header: 'For you', items }];
const SHELF = shelf(SWORD);
const speaking = (linkLanguage: string) =>
  choosePageLocale({ linkLanguage, acceptLanguage: '', regionCode: '' });

/** The page of a player. */
function render(changes: Partial<ShopPageProps>, csrf = 'token'): string {
  const { html } = renderShopPage({
    ...{ locale: speaking('en'), brand: BRAND, cartQuantity: 0 },
    ...{ rows: SHELF, offer, loyalty: [], imagesFrom: [] },
    ...changes,
    visitor: { csrf },
  });
  return html;
}

const readAll = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value]) => value);

describe('the page of the shop', () => {
  const rows = shelf(SWORD, CHEST);

  it('has the token of its own session in every form, after other players were shown it', () => {
    expect(readAll(render({ rows }, 'first'), 'csrf')).toEqual(['first', 'first', 'first']);
    expect(readAll(render({ rows }, 'second'), 'csrf')).toEqual(['second', 'second', 'second']);
  });

  it('names each of its forms otherwise each time that it is shown', () => {
    const pages = [render({ rows }), render({ rows })];
    const ids = pages.flatMap((page) => [...readAll(page, 'formId'), ...readAll(page, 'claimId')]);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('shows of an item what this player may do with it', () => {
    const rows = shelf(SWORD);
    const shown = (left: number) => render({ rows, offer: (item) => offer(item, left) });
    for (const left of [1, 0, 2, 0, 3]) {
      expect(shown(left).includes('Add to cart')).toBe(left > 0);
    }
  });

  it('shows an item as the catalog has it now, also where it has the id of another one', () => {
    const dearer = { ...SWORD, price: { amountMinor: '599', currency: 'USD' } };
    expect(render({})).toContain('$4.99');
    expect(render({ rows: shelf(dearer) })).toContain('$5.99');
    expect(render({})).toContain('$4.99');
  });

  it('speaks the language of each player', () => {
    expect(render({ locale: speaking('de') })).toContain('In den Warenkorb');
    expect(render({})).toContain('Add to cart');
    const inAustria = render({ locale: speaking('de-AT') });
    expect([inAustria.includes('lang="de"'), inAustria.includes('In den Warenkorb')]).toEqual([
      true,
      true,
    ]);
  });

  it('is of the brand of the app, the cart and the refusal of this player', () => {
    const brand = { name: 'Other', isTest: false };
    expect(render({})).toContain('Studio');
    expect(render({ brand })).toContain('Other');
    expect(render({ cartQuantity: 2 })).toContain('Cart, 2 items');
    expect(render({})).not.toContain('Cart, 2 items');
    expect(render({ refusal: 'QUANTITY_EXCEEDED' })).toContain('more than you can buy');
    expect(render({})).not.toContain('more than you can buy');
  });

  it('is a whole document', () => {
    expect(render({ rows })).toMatch(/^<!doctype html><html .*<\/html>$/s);
  });

  it('shows to each player what that player may have, of several items that are limited', () => {
    const rows = shelf(SWORD, CHEST, { ...SWORD, id: 'shield', maxPurchasable: null });
    const count = (gone: readonly string[]) => {
      const html = render({ rows, offer: (item) => offer(item, gone.includes(item.id) ? 0 : 3) });
      return ['Add to cart', 'Claim'].map((text) => html.split(`>${text}<`).length - 1);
    };
    expect(count([])).toEqual([2, 1]);
    expect(count(['sword'])).toEqual([1, 1]);
    expect(count(['chest'])).toEqual([2, 0]);
    expect(count(['sword', 'chest'])).toEqual([1, 0]);
  });

  it('says where there is nothing to buy', () => {
    const empty = render({ rows: [{ header: null, items: [] }] });
    expect(render({})).not.toContain(speaking('en').texts.shop.empty);
    expect(empty).toContain(speaking('en').texts.shop.empty);
  });

  it('escapes what a studio writes', () => {
    const item = { ...SWORD, id: EVIL, name: EVIL, description: EVIL };
    const html = render({
      rows: [{ header: EVIL, items: [item] }],
      brand: { name: EVIL, isTest: true },
    });
    expect(html).not.toContain('<script>alert');
    expect(html.match(/&lt;script&gt;alert/g)).toHaveLength(6);
  });
});
