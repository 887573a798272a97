import { describe, expect, it } from 'vitest';
import { isId } from '#domain/ids';
import { deriveUuid, newId, newUuid } from './ids.js';

const AT = '2026-01-31T10:00:00.000Z';

it('a new id is one of the given kind, and none is given twice', () => {
  expect(isId('sub', newId('sub', AT, '5f'))).toBe(true);
  expect(newId('sub', AT, '5f')).not.toBe(newId('sub', AT, '5f'));
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
