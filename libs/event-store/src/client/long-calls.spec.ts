import { describe, expect, it } from 'vitest';
import { LONG_CALLS_AT_MOST, LongCalls } from './long-calls.js';

describe('long calls', () => {
  it('are at most thirty on a connection, and one that ended makes room', () => {
    const calls = new LongCalls();
    const ends = Array.from({ length: LONG_CALLS_AT_MOST }, () => calls.begin());
    expect(ends).toHaveLength(30);
    expect(() => calls.begin()).toThrow('more than 30 calls to the event store would stay open');
    ends[0]?.();
    calls.begin();
    expect(() => calls.begin()).toThrow();
  });

  it('end once, however often they are ended', () => {
    const calls = new LongCalls();
    for (let time = 0; time < LONG_CALLS_AT_MOST; time += 1) {
      const end = calls.begin();
      if (time === 0) for (let again = 0; again < 3; again += 1) end();
    }
    calls.begin();
    expect(() => calls.begin()).toThrow();
  });
});
