import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FRESH_LOOKS, FreshLooks } from './fresh-looks.js';

describe('looks into the store after bad signatures', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are one in a second for an app', () => {
    const looks = new FreshLooks();
    expect([looks.take('app_1'), looks.take('app_1'), looks.take('app_2')]).toEqual([
      ...[true, false, true],
    ]);
    jest.advanceTimersByTime(999);
    expect(looks.take('app_1')).toBe(false);
    jest.advanceTimersByTime(1);
    expect(looks.take('app_1')).toBe(true);
  });

  it('are so many in a second over all apps, beyond which nothing is known of a signature', () => {
    const looks = new FreshLooks();
    for (let n = 0; n < FRESH_LOOKS; n += 1) expect(looks.take(`app_${n}`)).toBe(true);
    const refused = { code: 'unavailable', retryable: true, retryAfterMs: 1000 };
    expect(() => looks.take('app_other')).toThrow(expect.objectContaining(refused));
    // Memory is fresh for this one: the signature is bad.
    expect(looks.take('app_0')).toBe(false);
    jest.advanceTimersByTime(1000);
    expect(looks.take('app_other')).toBe(true);
  });
});
