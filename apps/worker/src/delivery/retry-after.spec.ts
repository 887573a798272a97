import { describe, expect, it } from '@jest/globals';
import { RETRY_AFTER_MAX_MS } from '../limits.js';
import { retryAfterMs } from './retry-after.js';

describe('what a receiver asks for by Retry-After', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00.000Z');

  it.each([
    [undefined, 0],
    ['', 0],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['0', 0],
    ['soon', 0],
    ['soon 2030', 0],
    ['-5', 0],
    ['1.5', 0],
    ['1e9', 0],
    ['120, 60', 0],
    ['2026-01-01T00:01:00Z', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', RETRY_AFTER_MAX_MS],
    ['Fri, 99 Foo 2026 00:00:00 GMT', 0],
    ['999999999', RETRY_AFTER_MAX_MS],
    ['9'.repeat(1_000), RETRY_AFTER_MAX_MS],
  ])('%s is %i ms', (header, waitMs) => expect(retryAfterMs(header, nowMs)).toBe(waitMs));

  it('is the first of several', () => {
    expect(retryAfterMs(['1', '2'], nowMs)).toBe(1_000);
    expect(retryAfterMs([], nowMs)).toBe(0);
  });
});
