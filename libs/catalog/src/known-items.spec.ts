import { describe, expect, it } from 'vitest';
import { parseCatalog } from './parse-catalog.js';

const item = (other: object = {}) => ({
  ...{ id: 'gems-100', name: '100 gems', description: 'A small bag.' },
  image: 'https://cdn.game.example/gems.png',
  price: { currency: 'USD', amount: '9.99' },
  ...other,
});
const parse = (items: readonly object[], allowInsecure = false) =>
  parseCatalog(Buffer.from(JSON.stringify({ rows: [{ items }] })), { allowInsecure });

function readItems(...items: readonly object[]) {
  const parsed = parse(items);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.violations));
  return parsed.catalog.rows.flatMap((row) => row.items);
}
const refused = (items: readonly object[], allowInsecure = false) => {
  const parsed = parse(items, allowInsecure);
  return parsed.ok ? [] : parsed.violations.map(({ field }) => field);
};

describe('an item that was found good', () => {
  it('is the same one in another catalog, whatever other fields it has there', () => {
    const [first] = readItems(item());
    const [, again] = readItems(item({ id: 'other' }), item({ seen: 7, max_purchasable: null }));
    expect(again).toBe(first);
  });

  it('is another one with another price, bound, end or text', () => {
    const [first] = readItems(item());
    const changes = [
      { price: { currency: 'USD', amount: '9.90' } },
      { price: { currency: 'EUR', amount: '9.99' } },
      { max_purchasable: 1 },
      { expiration_time_seconds: 1 },
      { name: 'Gems' },
      { description: '' },
      { image: 'https://cdn.game.example/other.png' },
    ];
    for (const change of changes) expect(readItems(item(change))[0]).not.toBe(first);
    expect(readItems(item(changes[0] ?? {}))[0]?.price).toMatchObject({ amountMinor: '990' });
    expect(readItems(item({ max_purchasable: 1 }))[0]?.maxPurchasable).toBe(1);
  });

  it('says nothing for one that is not good', () => {
    readItems(item());
    expect(refused([item({ name: null })])).toEqual(['$.rows[0].items[0].name']);
    expect(refused([item({ price: null })])).toEqual(['$.rows[0].items[0].price']);
    expect(refused([item({ price: ['USD', '9.99'] })])).toEqual(['$.rows[0].items[0].price']);
    expect(refused([item({ max_purchasable: [] })])).toHaveLength(1);
  });

  it('is good once in a catalog', () => {
    readItems(item());
    expect(refused([item(), item()])).toEqual(['$.rows[0].items[1].id']);
  });

  it('that a test app may have is none of another app', () => {
    const local = item({ image: 'http://127.0.0.1:9/gems.png' });
    expect(refused([local], true)).toEqual([]);
    expect(refused([local])).toEqual(['$.rows[0].items[0].image']);
  });
});
