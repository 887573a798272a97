import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decimalsOf } from '#domain/money';
import { ANSWER_LIMIT_BYTES, MAX_ITEMS, MAX_ROWS, MAX_VIOLATIONS } from './limits.js';
import { parseCatalog } from './parse-catalog.js';

/** The allowed answers of a studio's backend, and the errors of the rest (rules/catalog 3). */
const item = (other: object = {}) => ({
  ...{ id: 'gems-100', name: '100 gems', description: 'A small bag.' },
  image: 'https://cdn.game.example/gems.png',
  price: { currency: 'USD', amount: '9.99' },
  ...other,
});
const withItem = (other: object) => ({
  rows: [{ header: 'Gems', items: [item(), item({ id: 'other', ...other })] }],
});

function parse(value: unknown, allowInsecure = false) {
  const body = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  return parseCatalog(body, { allowInsecure });
}

/** The paths of the errors, and the reason. */
function refusal(value: unknown, allowInsecure = false) {
  const parsed = parse(value, allowInsecure);
  if (parsed.ok) return 'ok';
  const { reason, violations, violationCount } = parsed;
  expect(violationCount).toBeGreaterThanOrEqual(violations.length);
  expect(violations.every(({ description }) => /^must .{3,}/.test(description))).toBe(true);
  return [reason, ...violations.map(({ field }) => field)];
}

describe('a catalog', () => {
  it('is read into rows of items, with amounts, bounds and instants', () => {
    const bounded = item({
      ...{ id: 'chest', max_purchasable: '3', expiration_time_seconds: 1_801_389_600 },
      price: { currency: 'JPY', amount: '980' },
    });
    const rows = [
      { header: 'Gems', items: [item({ max_purchasable: 0, expiration_time_seconds: '0' })] },
      { items: [bounded], a_field_of_theirs: { deep: [[]] } },
      { header: '', items: [] },
      {
        header: null,
        items: [
          item({ id: 'x', max_purchasable: null, price: { currency: 'KWD', amount: '1.5' } }),
        ],
      },
    ];
    const parsed = parse({ rows, version: 7 });
    expect(parsed).toEqual({
      ok: true,
      catalog: {
        rows: [
          {
            header: 'Gems',
            items: [
              {
                ...{ id: 'gems-100', name: '100 gems', description: 'A small bag.' },
                image: 'https://cdn.game.example/gems.png',
                price: { amountMinor: '999', currency: 'USD' },
                ...{ maxPurchasable: 0, expiresAt: '1970-01-01T00:00:00.000Z' },
              },
            ],
          },
          {
            header: null,
            items: [
              expect.objectContaining({
                ...{ id: 'chest', maxPurchasable: 3, expiresAt: '2027-01-31T10:00:00.000Z' },
                price: { amountMinor: '980', currency: 'JPY' },
              }),
            ],
          },
          { header: null, items: [] },
          {
            header: null,
            items: [
              expect.objectContaining({
                ...{ id: 'x', maxPurchasable: null, expiresAt: null },
                price: { amountMinor: '1500', currency: 'KWD' },
              }),
            ],
          },
        ],
      },
    });
  });

  it('is frozen in all its parts, as pages share it', () => {
    const parsed = parse(withItem({}));
    const catalog = parsed.ok ? parsed.catalog : undefined;
    const [row] = catalog?.rows ?? [];
    const parts = [catalog, catalog?.rows, row, row?.items, row?.items[0], row?.items[0]?.price];
    expect(parts.map((part) => part !== undefined && Object.isFrozen(part))).toEqual(
      parts.map(() => true),
    );
  });

  const text = 'x'.repeat(2_001);
  it.each<[string, unknown, string]>([
    ['an answer that is a list', [], '$'],
    ['a word', 'catalog', '$'],
    ['null', null, '$'],
    ['no rows', {}, '$.rows'],
    ['rows that are an object', { rows: {} }, '$.rows'],
    ['a row that is a list', { rows: [{ items: [] }, []] }, '$.rows[1]'],
    ['too many rows', { rows: Array(MAX_ROWS + 1).fill({ items: [] }) }, '$.rows'],
    ['a header that is a number', { rows: [{ header: 1, items: [] }] }, '$.rows[0].header'],
    ['a header of two lines', { rows: [{ header: 'a\nb', items: [] }] }, '$.rows[0].header'],
    ['a long header', { rows: [{ header: text, items: [] }] }, '$.rows[0].header'],
    ['a row without items', { rows: [{ header: 'a' }] }, '$.rows[0].items'],
    ['items that are null', { rows: [{ items: null }] }, '$.rows[0].items'],
    ['an item that is null', { rows: [{ items: [null] }] }, '$.rows[0].items[0]'],
    ['an item that is a list', { rows: [{ items: [[]] }] }, '$.rows[0].items[0]'],
  ])('with %s is none, and its path says where', (_what, value, path) => {
    expect(refusal(value)).toEqual(['invalid_catalog', path]);
  });

  const usd = (amount: unknown) => ({ price: { currency: 'USD', amount } });
  const yen = (amount: unknown) => ({ price: { currency: 'JPY', amount } });
  const euros = (currency: unknown) => ({ price: { currency, amount: '1' } });
  const until = (expiration_time_seconds: unknown) => ({ expiration_time_seconds });
  const bounded = (max_purchasable: unknown) => ({ max_purchasable });
  it.each<[string, string, object]>([
    ['id', 'an empty one', { id: '' }],
    ['id', 'a number', { id: 7 }],
    ['id', 'one with a control character', { id: 'a\u0000' }],
    ['id', 'one with half a surrogate pair', { id: 'a\ud800' }],
    ['id', 'a long one', { id: text }],
    ['id', 'that of another item', { id: 'gems-100' }],
    ['name', 'none', { name: undefined }],
    ['name', 'null', { name: null }],
    ['name', 'a long one', { name: text }],
    ['name', 'one with half a surrogate pair', { name: '\udc00' }],
    ['description', 'none', { description: undefined }],
    ['description', 'a long one', { description: text }],
    ['description', 'one that turns text around', { description: '\u202E' }],
    ['image', 'none', { image: undefined }],
    ['image', 'no address', { image: 'gems.png' }],
    ['image', 'one over http', { image: 'http://a.example/' }],
    ['image', 'a script', { image: 'javascript:1' }],
    ['image', 'a picture in itself', { image: 'data:image/png,' }],
    ['image', 'one with credentials', { image: 'https://a:b@c.example/' }],
    ['image', 'one in a private network', { image: 'https://10.0.0.1/' }],
    ['image', 'one on this machine', { image: 'http://localhost/a' }],
    ['image', 'a long one', { image: `https://a.example/${text}` }],
    ['price', 'none', { price: undefined }],
    ['price', 'a string', { price: '9.99' }],
    ['price.currency', 'none', euros(undefined)],
    ['price.currency', 'an unknown one', euros('XXY')],
    ['price.currency', 'one in small letters', euros('usd')],
    ['price.amount', 'a number', usd(9.99)],
    ['price.amount', 'an empty one', usd('')],
    ['price.amount', 'one below zero', usd('-1.00')],
    ['price.amount', 'zero with a sign', usd('-0')],
    ['price.amount', 'one with an exponent', usd('1e3')],
    ['price.amount', 'one with a comma', usd('9,99')],
    ['price.amount', 'one without a digit before the point', usd('.99')],
    ['price.amount', 'one without a digit behind it', usd('9.')],
    ['price.amount', 'one that begins with a zero', usd('09.99')],
    ['price.amount', 'one with too many decimals', usd('9.990')],
    ['price.amount', 'one with decimals that the currency lacks', yen('980.0')],
    ['price.amount', 'one with too many digits', yen('1'.repeat(16))],
    ['max_purchasable', 'one below zero', bounded(-1)],
    ['max_purchasable', 'a fraction', bounded(1.5)],
    ['max_purchasable', 'an empty one', bounded('')],
    ['max_purchasable', 'a hexadecimal one', bounded('0x10')],
    ['max_purchasable', 'true', bounded(true)],
    ['max_purchasable', 'one beyond counting', bounded('1000000000')],
    ['expiration_time_seconds', 'a date', until('2027-01-31')],
    ['expiration_time_seconds', 'one below zero', until('-1')],
    ['expiration_time_seconds', 'one after the year 9999', until(253_402_300_800)],
  ])(
    'whose second item has as its %s %s is none, and its path says where',
    (field, _what, other) => {
      expect(refusal(withItem(other))).toEqual([
        ...['invalid_catalog', `$.rows[0].items[1].${field}`],
      ]);
    },
  );

  it('tells all that is wrong at once, the first hundred of it by paths, and no value of a field', () => {
    const bad = item({ name: 'SECRET\u0000', price: { currency: 'SECRET', amount: 'SECRET' } });
    const parsed = parse({ rows: [{ header: 7, items: Array(60).fill({ ...bad, id: 1 }) }] });
    if (parsed.ok) throw new Error('it is a catalog');
    expect(parsed.violations).toHaveLength(MAX_VIOLATIONS);
    expect(parsed.violationCount).toBe(1 + 60 * 4);
    expect(parsed.violations.slice(0, 4).map(({ field }) => field)).toEqual([
      '$.rows[0].header',
      '$.rows[0].items[0].id',
      '$.rows[0].items[0].name',
      '$.rows[0].items[0].price.currency',
    ]);
    expect(JSON.stringify(parsed)).not.toContain('SECRET');
  });

  it('has a bounded number of items, of one row and of all', () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, id) => item({ id: `${count}-${id}` }));
    expect(refusal({ rows: [{ items: items(MAX_ITEMS) }] })).toBe('ok');
    expect(refusal({ rows: [{ items: items(MAX_ITEMS + 1) }] })).toEqual([
      ...['invalid_catalog', '$.rows[0].items'],
    ]);
    const rows = [{ items: items(600) }, { items: items(401) }];
    expect(refusal({ rows })).toEqual(['invalid_catalog', '$.rows']);
  });

  it('may have pictures of the developer in a test app, on any port, and no others over http', () => {
    const picture = (image: string) => refusal(withItem({ image }), true);
    expect(picture('http://localhost:81/gems.png')).toBe('ok');
    expect(picture('https://cdn.example:444/gems.png')).toBe('ok');
    expect(picture('http://cdn.example/gems.png')).toEqual([
      'invalid_catalog',
      '$.rows[0].items[1].image',
    ]);
  });

  it.each([
    ['text', Buffer.from('<html>')],
    ['nothing', Buffer.from('')],
    ['other bytes than UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['brackets without an end', Buffer.alloc(ANSWER_LIMIT_BYTES, '[')],
  ])('that is %s is no JSON', (_what, body) => {
    expect(refusal(body)).toEqual(['not_json', '$']);
  });

  it('nested however deep, or larger than its limit, is refused and harms nothing', () => {
    const half = ANSWER_LIMIT_BYTES / 2;
    const deep = Buffer.from('['.repeat(half) + ']'.repeat(half));
    expect(refusal(deep)).toEqual(['invalid_catalog', '$']);
    const known = Buffer.from(
      `{"rows":[{"items":[{"id":${'['.repeat(9_999)}${']'.repeat(9_999)}}]}]}`,
    );
    expect(refusal(known)).toContain('$.rows[0].items[0].id');
    expect(refusal(Buffer.alloc(ANSWER_LIMIT_BYTES + 1, ' '))).toEqual(['too_large', '$']);
  });

  const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'HUF', 'CLF');
  const price = currency.chain((code) =>
    fc.tuple(fc.nat(999_999), fc.nat(10 ** decimalsOf(code) - 1)).map(([whole, fraction]) => {
      const digits = decimalsOf(code);
      const minor = BigInt(whole) * 10n ** BigInt(digits) + BigInt(fraction);
      const decimals = digits === 0 ? '' : `.${String(fraction).padStart(digits, '0')}`;
      return { written: { currency: code, amount: `${whole}${decimals}` }, minor: String(minor) };
    }),
  );
  it('that is good always parses, and says what was written', () => {
    const prices = fc.array(price, { maxLength: 20 });
    fc.assert(
      fc.property(prices, fc.option(fc.nat(999)), fc.boolean(), (all, bound, isText) => {
        const items = all.map(({ written }, id) =>
          item({
            id: `i-${id}`,
            price: written,
            max_purchasable: isText && bound !== null ? String(bound) : bound,
          }),
        );
        const parsed = parse({ rows: [{ items }] });
        const found = parsed.ok ? (parsed.catalog.rows[0]?.items ?? []) : [];
        expect(found.map((each) => each.price.amountMinor)).toEqual(all.map(({ minor }) => minor));
        expect(found.every(({ maxPurchasable }) => maxPurchasable === bound)).toBe(true);
      }),
    );
  });
});
