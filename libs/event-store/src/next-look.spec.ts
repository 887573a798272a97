import { describe, expect, it } from '@jest/globals';
import { NextLook } from './next-look.js';
import { settled } from './spec-support/followed-memory-store.js';

/** A look that ends when the spec says so, at a time that passes when it says so. */
function heldLook(gapMs = 0) {
  const sleeping: (() => void)[] = [];
  const time = { ms: 0, sleeping };
  const ends: ((error?: Error) => void)[] = [];
  const looks = new NextLook(
    () =>
      new Promise((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
    gapMs,
    {
      now: () => time.ms,
      sleep: (ms) =>
        new Promise((resolve) => {
          sleeping.push(() => {
            time.ms += ms;
            resolve();
          });
        }),
    },
  );
  return { looks, ends, time };
}

describe('a look that is shared', () => {
  it('serves all who ask at once', async () => {
    const { looks, ends } = heldLook();
    const asked = Promise.all([looks.next(), looks.next(), looks.next()]);
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await asked;
  });

  it('serves none who asked after it began: they share the next one', async () => {
    const { looks, ends } = heldLook();
    const first = looks.next();
    await settled();
    let served = 0;
    const late = [looks.next(), looks.next()].map(async (look) => {
      await look;
      served += 1;
    });
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await first;
    await settled();
    expect([ends.length, served]).toEqual([2, 0]);
    ends[1]?.();
    await Promise.all(late);
    expect(served).toBe(2);
  });

  it('begins at once for one who asks alone, and else a gap after the last one began, for all who asked by then', async () => {
    const { looks, ends, time } = heldLook(30);
    const first = looks.next();
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await first;
    time.ms = 10;
    const second = looks.next();
    await settled();
    expect(ends).toHaveLength(1);
    const third = looks.next();
    await settled();
    expect([ends.length, time.sleeping.length]).toEqual([1, 1]);
    time.sleeping[0]?.();
    await settled();
    expect([ends.length, time.ms]).toEqual([2, 30]);
    ends[1]?.();
    await Promise.all([second, third]);
    time.ms = 60;
    void looks.next();
    await settled();
    expect([ends.length, time.sleeping.length]).toEqual([3, 1]);
  });

  it('fails for those whose look it was, and for no others', async () => {
    const { looks, ends } = heldLook();
    const first = looks.next();
    await settled();
    const second = looks.next();
    ends[0]?.(new Error('the store is away'));
    await expect(first).rejects.toThrow('the store is away');
    await settled();
    ends[1]?.();
    await second;
  });
});
