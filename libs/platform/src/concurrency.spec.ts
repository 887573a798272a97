import { describe, expect, it } from 'vitest';
import { forEachConcurrently, groupBy } from './concurrency.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('doing things concurrently', () => {
  it('does each, a bounded number at once', async () => {
    let [now, most] = [0, 0];
    const done: number[] = [];
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (n) => {
      now += 1;
      most = Math.max(most, now);
      await turn();
      done.push(n);
      now -= 1;
    });
    expect(most).toBe(3);
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('tells of an error when nothing is under way any more, and begins nothing after it', async () => {
    const ended: number[] = [];
    const acting = forEachConcurrently([1, 2, 3, 4], 2, async (n) => {
      await turn();
      if (n === 1) throw new Error('the first failed');
      await turn();
      ended.push(n);
    });
    await expect(acting).rejects.toThrow('the first failed');
    expect(ended).toEqual([2]);
  });

  it('keeps the order within a group', () => {
    expect(groupBy(['a1', 'b1', 'a2', 'b2', 'a3'], ([key = '']) => key)).toEqual([
      ['a1', 'a2', 'a3'],
      ['b1', 'b2'],
    ]);
  });
});
