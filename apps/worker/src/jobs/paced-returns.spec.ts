import { describe, expect, it } from '@jest/globals';
import { RETURN_AFTER_MAX_MS, RETURN_AFTER_MIN_MS } from '../limits.js';
import { PacedReturns } from './paced-returns.js';

const NOW_MS = 1_000_000;
let jobs = 0;

/** When the next job of a key comes again. */
function take(returns: PacedReturns, key: string, keys: number, random = 0): number {
  jobs += 1;
  return returns.take({ jobId: `job_${jobs}`, key, keys }, NOW_MS, random);
}

describe('jobs that were given back', () => {
  it('come again soon, so many in a second', () => {
    const returns = new PacedReturns(10);
    const first = NOW_MS + RETURN_AFTER_MIN_MS;
    const times = [1, 2, 3].map(() => take(returns, 'a', 1));
    expect(times).toEqual([first, first + 100, first + 200]);
  });

  it('of one app wait for none of another, which shares the rate', () => {
    const returns = new PacedReturns(10);
    for (let n = 0; n < 100; n += 1) take(returns, 'a', 1);
    const first = NOW_MS + RETURN_AFTER_MIN_MS;
    const times = [1, 2].map(() => take(returns, 'b', 2));
    expect(times).toEqual([first, first + 200]);
  });

  it('come within minutes however many there are, and not at once', () => {
    const returns = new PacedReturns(1);
    for (let n = 0; n < 1_000; n += 1) take(returns, 'a', 1, 0.5);
    const latest = NOW_MS + RETURN_AFTER_MAX_MS;
    expect(take(returns, 'a', 1)).toBe(latest);
    expect(take(returns, 'a', 1, 1)).toBe(latest - RETURN_AFTER_MAX_MS / 2);
    returns.forgetOld(latest * 2);
    expect(take(returns, 'a', 1)).toBe(NOW_MS + RETURN_AFTER_MIN_MS);
  });

  it('come no later because others of their app were woken before: these give their turns back', () => {
    const returns = new PacedReturns(10);
    const first = NOW_MS + RETURN_AFTER_MIN_MS;
    for (let round = 0; round < 1_000; round += 1) {
      const at = returns.take({ jobId: `woken_${round}`, key: 'a', keys: 1 }, NOW_MS, 0);
      expect(at).toBe(first);
      returns.giveTurnBack(`woken_${round}`, NOW_MS);
      // Twice is once, and what is not known has none.
      returns.giveTurnBack(`woken_${round}`, NOW_MS);
    }
    const kept = take(returns, 'a', 1);
    expect([kept, take(returns, 'a', 1)]).toEqual([first, first + 100]);
  });

  it('come no more at a time, however many are woken and given back in their place', () => {
    const returns = new PacedReturns(10);
    const times = new Map<string, number>();
    const takeFor = (jobId: string) =>
      times.set(jobId, returns.take({ jobId, key: 'a', keys: 1 }, NOW_MS, 0));
    for (let n = 0; n < 1_000; n += 1) takeFor(`waiting_${n}`);
    // Of those that wait, woken are some in the middle, too.
    for (let n = 0; n < 1_000; n += 3) {
      times.delete(`waiting_${n}`);
      returns.giveTurnBack(`waiting_${n}`, NOW_MS);
      if (n % 2 === 0) takeFor(`again_${n}`);
    }
    expect(new Set(times.values()).size).toBe(times.size);
    expect(Math.max(...times.values())).toBeLessThan(NOW_MS + RETURN_AFTER_MIN_MS + 1_000 * 100);
  });

  it('take no turn that has come too near meanwhile', () => {
    const returns = new PacedReturns(10);
    for (const jobId of ['woken', 'waiting']) returns.take({ jobId, key: 'a', keys: 1 }, NOW_MS, 0);
    returns.giveTurnBack('woken', NOW_MS);
    const laterMs = NOW_MS + 50;
    const at = returns.take({ jobId: 'later', key: 'a', keys: 1 }, laterMs, 0);
    expect(at).toBe(NOW_MS + RETURN_AFTER_MIN_MS + 200);
  });

  it('that came by themselves give nothing back', () => {
    const returns = new PacedReturns(10);
    returns.take({ jobId: 'late', key: 'a', keys: 1 }, NOW_MS, 0);
    returns.giveTurnBack('late', NOW_MS + RETURN_AFTER_MIN_MS + 1);
    expect(take(returns, 'a', 1)).toBe(NOW_MS + RETURN_AFTER_MIN_MS + 100);
  });
});
