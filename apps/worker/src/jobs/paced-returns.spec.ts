import { describe, expect, it } from '@jest/globals';
import { RETURN_AFTER_MAX_MS, RETURN_AFTER_MIN_MS } from '../limits.js';
import { PacedReturns } from './paced-returns.js';

const NOW_MS = 1_000_000;

describe('jobs that were given back', () => {
  it('come again soon, so many in a second', () => {
    const returns = new PacedReturns(10);
    const first = NOW_MS + RETURN_AFTER_MIN_MS;
    const times = [1, 2, 3].map(() => returns.take('a', 1, NOW_MS, 0));
    expect(times).toEqual([first, first + 100, first + 200]);
  });

  it('of one app wait for none of another, which shares the rate', () => {
    const returns = new PacedReturns(10);
    for (let n = 0; n < 100; n += 1) returns.take('a', 1, NOW_MS, 0);
    const first = NOW_MS + RETURN_AFTER_MIN_MS;
    const times = [1, 2].map(() => returns.take('b', 2, NOW_MS, 0));
    expect(times).toEqual([first, first + 200]);
  });

  it('come within minutes however many there are, and not at once', () => {
    const returns = new PacedReturns(1);
    for (let n = 0; n < 1_000; n += 1) returns.take('a', 1, NOW_MS, 0.5);
    const latest = NOW_MS + RETURN_AFTER_MAX_MS;
    expect(returns.take('a', 1, NOW_MS, 0)).toBe(latest);
    expect(returns.take('a', 1, NOW_MS, 1)).toBe(latest - RETURN_AFTER_MAX_MS / 2);
    returns.forgetOld(latest * 2);
    expect(returns.take('a', 1, NOW_MS, 0)).toBe(NOW_MS + RETURN_AFTER_MIN_MS);
  });
});
