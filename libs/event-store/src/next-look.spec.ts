import { describe, expect, it } from '@jest/globals';
import { NextLook } from './next-look.js';
import { settled } from './spec-support/followed-memory-store.js';

/** A look that ends when the spec says so. */
function heldLook() {
  const ends: ((error?: Error) => void)[] = [];
  const looks = new NextLook(
    () =>
      new Promise((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
  );
  return { looks, ends };
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
