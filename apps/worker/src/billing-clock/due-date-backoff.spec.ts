import { describe, expect, it } from 'vitest';
import { DUE_RETRY_BASE_MS, DUE_RETRY_CAP_MS } from '../limits.js';
import { DueDateBackoff } from './due-date-backoff.js';

describe('due dates that failed', () => {
  it('wait ever longer, up to a limit, and no more after a success', () => {
    const backoff = new DueDateBackoff();
    backoff.noteFailure('a', 0);
    expect(backoff.isHeldUp('a', DUE_RETRY_BASE_MS / 2 - 1)).toBe(true);
    expect(backoff.isHeldUp('a', DUE_RETRY_BASE_MS)).toBe(false);
    for (let times = 0; times < 30; times += 1) backoff.noteFailure('a', 0);
    expect(backoff.isHeldUp('a', DUE_RETRY_CAP_MS / 2 - 1)).toBe(true);
    expect(backoff.isHeldUp('a', DUE_RETRY_CAP_MS)).toBe(false);
    backoff.noteSuccess('a');
    expect([backoff.isHeldUp('a', 0), backoff.size]).toEqual([false, 0]);
  });

  it('are forgotten when they do not fail again', () => {
    const backoff = new DueDateBackoff();
    backoff.noteFailure('canceled', 0);
    backoff.noteFailure('failing', DUE_RETRY_CAP_MS);
    backoff.forgetOld(2 * DUE_RETRY_CAP_MS);
    expect(backoff.size).toBe(1);
  });
});
