import { describe, expect, it } from '@jest/globals';
import { deriveUuid, isId, newId, newUuid } from './ids.js';

const AT = '2026-01-31T10:00:00.000Z';

describe('newId', () => {
  it('has a prefix, ten characters of time and sixteen of randomness', () => {
    expect(newId('sub', AT)).toMatch(/^sub_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(newId('sub', AT)).not.toBe(newId('sub', AT));
  });

  it('sorts by its time', () => {
    const instants = [
      '1970-01-01T00:00:00.000Z',
      '2026-01-31T10:00:00.000Z',
      '2026-01-31T10:00:00.001Z',
      '2039-12-31T23:59:59.999Z',
    ];
    const ids = instants.map((instant) => newId('pay', instant));
    expect([...ids].sort()).toEqual(ids);
  });

  it('is derived from its cause when one is given', () => {
    expect(newId('pay', AT, 'sub_1 2026-02')).toBe(newId('pay', AT, 'sub_1 2026-02'));
    expect(newId('pay', AT, 'sub_1 2026-02')).not.toBe(newId('pay', AT, 'sub_1 2026-03'));
  });

  it('stays what it was: derived ids are stored', () => {
    expect(newId('pay', AT, 'cause')).toBe('pay_01kg9qxg80d9zf3vcz2q1fb6nq');
  });

  it('writes the time as a ULID does', () => {
    // The example of the ULID specification: 1469918176385 is 01ARYZ6S41.
    expect(newId('x', new Date(1_469_918_176_385).toISOString())).toMatch(/^x_01aryz6s41/);
  });

  it('refuses an instant that is none', () => {
    expect(() => newId('sub', 'yesterday')).toThrow(/instant/);
  });
});

describe('isId', () => {
  it('takes every id that was made with the prefix', () => {
    expect(isId('cl', newId('cl', AT))).toBe(true);
    expect(isId('cl', newId('cl', '1970-01-01T00:00:00.000Z', 'cause'))).toBe(true);
  });

  it.each([
    ['', ''],
    ['another prefix', newId('sub', AT)],
    ['one too short', newId('cl', AT).slice(0, -1)],
    ['one too long', `${newId('cl', AT)}0`],
    ['8 kB', `cl_${'0'.repeat(8192)}`],
    ['a zero byte', `${newId('cl', AT).slice(0, -1)}\0`],
    ['a line break behind', `${newId('cl', AT)}\n`],
    ['capitals', newId('cl', AT).toUpperCase()],
    ['a letter that no id has', `${newId('cl', AT).slice(0, -1)}u`],
  ])('refuses %s', (_, text) => {
    expect(isId('cl', text)).toBe(false);
  });
});

describe('UUIDs', () => {
  it('are random, or derived from a text and then of version 5', () => {
    expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(deriveUuid('a')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(deriveUuid('a')).toBe(deriveUuid('a'));
    expect(deriveUuid('a')).not.toBe(deriveUuid('b'));
  });
});
