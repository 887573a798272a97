import { describe, expect, it } from 'vitest';
import { AppShares, slotsOfPartition } from './app-shares.js';

function begin<Job>(shares: AppShares<Job>): Job[] {
  const begun: Job[] = [];
  for (let job = shares.next(); job !== undefined; job = shares.next()) begun.push(job);
  return begun;
}

describe('the slots that apps share', () => {
  it('are half for one app, and others are left for the next one', () => {
    const shares = new AppShares<string>(4);
    for (const job of ['a1', 'a2', 'a3']) shares.enqueue('a', job);
    expect(begin(shares)).toEqual(['a1', 'a2']);
    shares.enqueue('b', 'b1');
    expect(begin(shares)).toEqual(['b1']);
    expect(shares.waiting).toBe(1);
    shares.release('a');
    expect(begin(shares)).toEqual(['a3']);
  });

  it('go to apps in turns, and to what waits longest of each', () => {
    const shares = new AppShares<string>(2);
    for (const appId of ['a', 'b']) shares.take(appId);
    for (const job of ['a1', 'a2', 'b1', 'c1']) shares.enqueue(job.charAt(0), job);
    expect(begin(shares)).toEqual([]);
    const begun = ['a', 'a', 'b', 'c'].map((appId) => {
      shares.release(appId);
      return begin(shares);
    });
    expect(begun).toEqual([['a1'], ['c1'], ['b1'], ['a2']]);
  });

  it('are remembered for a bounded number of jobs, of which no app has more than are left', () => {
    const shares = new AppShares<string>(1, 10);
    const take = (appId: string) => {
      let kept = 0;
      while (shares.enqueue(appId, `${kept}`)) kept += 1;
      return kept;
    };
    expect([take('a'), take('b'), take('c')]).toEqual([5, 3, 1]);
  });

  it('are given at once where there is one', () => {
    const shares = new AppShares<string>(2);
    expect([shares.take('a'), shares.take('a'), shares.take('b')]).toEqual([true, false, true]);
    shares.release('a');
    expect(shares.take('c')).toBe(true);
  });
});

describe('the slots of a partition', () => {
  it('are its share of all, and never too few', () => {
    const slots = [1, 2, 16, 64].map((count) => slotsOfPartition(64, { count }));
    expect(slots).toEqual([64, 32, 16, 16]);
  });
});
