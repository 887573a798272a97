import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { delayBeforeAttempt, RETRY_SCHEDULE_MS } from './schedule.js';

describe('the schedule of attempts', () => {
  it('is the one of rules/webhooks 6, about three days in all', () => {
    const seconds = RETRY_SCHEDULE_MS.map((delayMs) => delayMs / 1000);
    expect(seconds).toEqual([
      0, 5, 30, 120, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400,
    ]);
    const days = RETRY_SCHEDULE_MS.reduce((sum, delayMs) => sum + delayMs, 0) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThan(3.1);
  });

  it('makes the first attempt at once, and none after the last', () => {
    expect(delayBeforeAttempt(0, 0.9)).toBe(0);
    expect(delayBeforeAttempt(RETRY_SCHEDULE_MS.length, 0.5)).toBeUndefined();
  });

  it('keeps within 20 % of each wait', () => {
    expect([0, 0.5, 1].map((random) => delayBeforeAttempt(1, random))).toEqual([
      4_000, 5_000, 6_000,
    ]);
    const attempt = fc.integer({ min: 0, max: RETRY_SCHEDULE_MS.length - 1 });
    fc.assert(
      fc.property(attempt, fc.double({ min: 0, max: 1, noNaN: true }), (n, random) => {
        const delayMs = delayBeforeAttempt(n, random)!;
        const planned = RETRY_SCHEDULE_MS[n]!;
        expect(delayMs).toBeGreaterThanOrEqual(planned * 0.8);
        expect(delayMs).toBeLessThanOrEqual(planned * 1.2);
      }),
    );
  });
});
