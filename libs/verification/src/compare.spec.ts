import { describe, expect, it } from 'vitest';
import { canonicalJson, compareEntries, compareStates, readScores } from './compare.js';

describe('the comparison of two states', () => {
  it('finds nothing where they are the same as JSON, whatever the order of their fields', () => {
    const left = { a: 1, b: { c: [1, { d: null }] }, e: undefined };
    expect(compareStates(left, { b: { c: [1, { d: null }] }, a: 1 })).toEqual([]);
    expect(compareStates(undefined, undefined)).toEqual([]);
  });

  it('names each field by its path, with both versions', () => {
    const left = { status: 'active', dunning: null, charges: [{ id: 'a' }, { id: 'b' }] };
    const right = { status: 'active', dunning: { z: 1, a: 2 }, charges: [{ id: 'c' }], more: 0 };
    expect(compareStates(left, right)).toEqual([
      { field: 'dunning', expected: 'null', found: '{"a":2,"z":1}' },
      { field: 'charges[0].id', expected: '"a"', found: '"c"' },
      { field: 'charges[1]', expected: '{"id":"b"}', found: undefined },
      { field: 'more', expected: undefined, found: '0' },
    ]);
  });

  it('tells a list, an object, null and nothing from each other', () => {
    const values = [[], {}, null, undefined, 0, '0', false, ''];
    for (const [at, left] of values.entries()) {
      for (const [other, right] of values.entries()) {
        expect(compareStates({ a: left }, { a: right })).toHaveLength(at === other ? 0 : 1);
      }
    }
  });
});

it('finds entries that are missing, are too many, or have another score', () => {
  const entry = (member: string, score: number) => ({ index: ['of', 'a'] as const, member, score });
  const expected = readScores([entry('x', 1), entry('y', 2), entry('z', 3)]);
  const found = readScores([entry('x', 1), entry('y', 5), entry('w', 0)]);
  expect(compareEntries(expected, found)).toEqual([
    { field: 'of/a y', expected: '2', found: '5' },
    { field: 'of/a z', expected: '3', found: undefined },
    { field: 'of/a w', expected: undefined, found: '0' },
  ]);
});

it('has one text for equal values', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: undefined })).toBe('{"b":[{"c":2,"d":1}]}');
});
