import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RequestPacing } from './request-pacing.js';

describe('ticks of the event loop', () => {
  it('begin a bounded number of requests each, in the order in which they came', async () => {
    const pacing = new RequestPacing(2);
    const begun: number[] = [];
    for (let n = 1; n <= 5; n += 1) pacing.begin('a', () => begun.push(n));
    expect(begun).toEqual([1, 2]);
    await nextTick();
    expect(begun).toEqual([1, 2, 3, 4]);
    pacing.begin('a', () => begun.push(6));
    expect(begun).toEqual([1, 2, 3, 4]);
    await nextTick();
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('begin those of a caller with few before those of one with many', async () => {
    const pacing = new RequestPacing(2);
    const begun: string[] = [];
    for (let n = 1; n <= 6; n += 1) pacing.begin('flooding', () => begun.push(`flooding ${n}`));
    for (let n = 1; n <= 2; n += 1) pacing.begin('quiet', () => begun.push(`quiet ${n}`));
    for (let tick = 0; tick < 3; tick += 1) await nextTick();
    expect(begun).toEqual([
      ...['flooding 1', 'flooding 2', 'flooding 3', 'quiet 1'],
      ...['flooding 4', 'quiet 2', 'flooding 5', 'flooding 6'],
    ]);
  });

  it('begin a request at once when nothing waits', async () => {
    const pacing = new RequestPacing(1);
    let begun = 0;
    for (let n = 1; n <= 3; n += 1) {
      pacing.begin('a', () => (begun += 1));
      expect(begun).toBe(n);
      await nextTick();
    }
  });
});
