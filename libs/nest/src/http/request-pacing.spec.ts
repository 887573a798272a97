import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RequestPacing } from './request-pacing.js';

describe('ticks of the event loop', () => {
  it('begin a bounded number of requests each, in the order in which they came', async () => {
    const pacing = new RequestPacing(2);
    const begun: number[] = [];
    for (let n = 1; n <= 5; n += 1) pacing.begin(() => begun.push(n));
    expect(begun).toEqual([1, 2]);
    await nextTick();
    expect(begun).toEqual([1, 2, 3, 4]);
    pacing.begin(() => begun.push(6));
    expect(begun).toEqual([1, 2, 3, 4]);
    await nextTick();
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('begin a request at once when nothing waits', async () => {
    const pacing = new RequestPacing(1);
    let begun = 0;
    for (let n = 1; n <= 3; n += 1) {
      pacing.begin(() => (begun += 1));
      expect(begun).toBe(n);
      await nextTick();
    }
  });
});
