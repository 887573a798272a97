import { describe, expect, it } from 'vitest';
import { LookTimes } from './look-times.js';

describe('the times of looks', () => {
  it('give each subject when it is due, and once', () => {
    const times = new LookTimes(10_000);
    times.schedule('past', 0);
    times.schedule('soon', 11_200);
    times.schedule('late', 99_000);
    expect(times.take(10_000)).toEqual(['past']);
    expect(times.take(11_900)).toEqual([]);
    expect(times.take(12_000)).toEqual(['soon']);
    expect(times.take(98_999)).toEqual([]);
    expect(times.take(500_000)).toEqual(['late']);
    expect(times.take(900_000)).toEqual([]);
  });

  it('know the last time that was set', () => {
    const times = new LookTimes(10_000);
    times.schedule('a', 20_000);
    times.schedule('a', 0);
    times.schedule('b', 20_000);
    times.cancel('b');
    times.cancel('c');
    expect(times.take(10_500)).toEqual(['a']);
    expect(times.take(30_000)).toEqual([]);
  });

  it('give what is set again for the same second at the next poll', () => {
    const times = new LookTimes(10_000);
    times.schedule('a', 0);
    expect(times.take(10_100)).toEqual(['a']);
    times.schedule('a', 0);
    expect(times.take(10_200)).toEqual(['a']);
  });
});
