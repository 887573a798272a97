import { describe, expect, it } from 'vitest';
import { RequestRate } from './rate-limits.js';

/** How often each may ask (rules/api 19), without a wait. */
function startRate(perSecond: number) {
  let now = 5_000;
  const rate = new RequestRate(perSecond, () => now);
  /** How many of so many get through. */
  const ask = (count: number, key = 'app') => {
    let taken = 0;
    for (let n = 0; n < count; n += 1) {
      if (rate.waitMs(key) > 0) continue;
      rate.take(key);
      taken += 1;
    }
    return taken;
  };
  const pass = (ms: number) => (now += ms);
  return { rate, ask, pass };
}

describe('a rate of requests', () => {
  it.each([1, 3, 7, 100, 999])('of %d a second lets that of two seconds through at once', (n) => {
    const { ask, pass } = startRate(n);
    expect(ask(5 * n)).toBe(2 * n);
    pass(1000);
    expect(ask(5 * n)).toBe(n);
    pass(3_600_000);
    expect(ask(5 * n)).toBe(2 * n);
  });

  it('says how long it takes until there is room, and there is room then', () => {
    const { rate, ask, pass } = startRate(4);
    expect(rate.waitMs('app')).toBe(0);
    ask(8);
    expect(rate.waitMs('app')).toBe(250);
    pass(249);
    expect(ask(1)).toBe(0);
    pass(1);
    expect(ask(2)).toBe(1);
  });

  it('is of each alone, and what is refused does not count', () => {
    const { ask, pass } = startRate(2);
    expect([ask(100), ask(100, 'other')]).toEqual([4, 4]);
    pass(500);
    expect([ask(100), ask(100, 'other')]).toEqual([1, 1]);
  });

  it('over a long time is what it says, however requests come', () => {
    const { ask, pass } = startRate(10);
    let taken = 0;
    for (let n = 0; n < 6_000; n += 1) {
      taken += ask(n % 7);
      pass((n % 5) * 10);
    }
    // 120 seconds, and the burst that may come at once.
    expect(taken).toBeGreaterThanOrEqual(1_200);
    expect(taken).toBeLessThanOrEqual(1_220);
  });
});
