import { describe, expect, it } from 'vitest';
import { wholeNumber } from './arguments.js';

describe('a whole number', () => {
  it.each([
    ['1', {}, 1],
    ['999999999', {}, 999_999_999],
    ['0', { least: 0 }, 0],
    ['v3', { prefix: 'v' }, 3],
    ['3', { prefix: 'v' }, 3],
  ] as const)('is %s with %j', (text, bounds, expected) => {
    expect(wholeNumber(text, '--limit', bounds)).toBe(expected);
  });

  it.each([
    ['0', {}],
    ['', {}],
    ['01', {}],
    ['-1', { least: 0 }],
    ['1e3', {}],
    ['1.5', {}],
    ['1000000000', {}],
    ['v3', {}],
    ['v0', { prefix: 'v' }],
    ['vv1', { prefix: 'v' }],
  ] as const)('is not %j with %j', (text, bounds) => {
    const least = 'least' in bounds ? bounds.least : 1;
    const message = `--limit must be a whole number from ${least} on, not ${JSON.stringify(text)}.`;
    expect(() => wholeNumber(text, '--limit', bounds)).toThrow(message);
  });
});
