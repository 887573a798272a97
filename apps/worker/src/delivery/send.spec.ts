import { describe, expect, it } from '@jest/globals';
import { RETRY_AFTER_MAX_MS } from '../limits.js';
import { DeliveryFailed, retryAfterMs } from './send.js';

describe('what a receiver asks for by Retry-After', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00.000Z');

  it.each([
    [undefined, 0],
    ['', 0],
    ['120', 120_000],
    ['0', 0],
    ['soon', 0],
    ['-5', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['999999999', RETRY_AFTER_MAX_MS],
  ])('%s is %i ms', (header, waitMs) => expect(retryAfterMs(header, nowMs)).toBe(waitMs));

  it('is the first of several', () => expect(retryAfterMs(['1', '2'], nowMs)).toBe(1_000));
});

it('the reason of a failure is short, however much text of a receiver is in it', () => {
  // As the client says it of a certificate for thousands of other names.
  const cause = new Error(`the names do not match: ${'DNS:example.com, '.repeat(5_000)}`);
  const failed = new DeliveryFailed(cause.message, false, 0, { cause });
  expect(failed.message).toHaveLength(200);
  expect(failed.message).toMatch(/^the names do not match: DNS:.*…$/);
  expect(failed.cause).toBe(cause);
});
