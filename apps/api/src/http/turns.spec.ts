import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

describe('turns of the event loop', () => {
  it('begin a bounded number of requests each, in the order in which they came', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    for (let n = 1; n <= 5; n += 1) turns.begin(() => begun.push(n));
    expect(begun).toEqual([1, 2]);
    await nextTurn();
    expect(begun).toEqual([1, 2, 3, 4]);
    turns.begin(() => begun.push(6));
    expect(begun).toEqual([1, 2, 3, 4]);
    await nextTurn();
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('begin a request at once when nothing waits', async () => {
    const turns = new Turns(1);
    let begun = 0;
    for (let n = 1; n <= 3; n += 1) {
      turns.begin(() => (begun += 1));
      expect(begun).toBe(n);
      await nextTurn();
    }
  });
});
