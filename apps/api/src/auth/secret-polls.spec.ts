import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MOST_POLLS, SecretPolls } from './secret-polls.js';

describe('polls of the store after bad signatures', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are one in a second for an app', () => {
    const polls = new SecretPolls();
    expect([polls.take('app_1'), polls.take('app_1'), polls.take('app_2')]).toEqual([
      ...[true, false, true],
    ]);
    vi.advanceTimersByTime(999);
    expect(polls.take('app_1')).toBe(false);
    vi.advanceTimersByTime(1);
    expect(polls.take('app_1')).toBe(true);
  });

  it('are so many in a second over all apps, beyond which nothing is known of a signature', () => {
    const polls = new SecretPolls();
    for (let n = 0; n < MOST_POLLS; n += 1) expect(polls.take(`app_${n}`)).toBe(true);
    const refused = { code: 'unavailable', retryable: true, retryAfterMs: 1000 };
    expect(() => polls.take('app_other')).toThrow(expect.objectContaining(refused));
    // Memory is fresh for this one: the signature is bad.
    expect(polls.take('app_0')).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(polls.take('app_other')).toBe(true);
  });
});
