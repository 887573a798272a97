import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { findCharmBand, roundToCharmPrice } from './charm-rounding.js';

const decimals = fc.constantFrom(0, 2, 3, 4);
/** Dense near the borders of the bands, and as far as a sheet's amounts reach. */
const amount = fc.oneof(fc.bigInt(0n, 20_000n), fc.bigInt(0n, 10n ** 14n));

describe('hg, charm rounding', () => {
  it.each([
    [2, 1n, 99n],
    [2, 99n, 99n],
    [2, 148n, 99n],
    [2, 149n, 199n],
    [2, 1_188n, 1_199n],
    [2, 200_000n, 199_999n],
    [3, 1n, 990n],
    [3, 1_489n, 990n],
    [3, 1_490n, 1_990n],
    [4, 14_900n, 19_900n],
    [0, 1n, 9n],
    [0, 13n, 9n],
    [0, 14n, 19n],
    [0, 994n, 999n],
    [0, 1_000n, 999n],
    [0, 1_048n, 999n],
    [0, 1_049n, 1_099n],
    [0, 9_999n, 9_999n],
    [0, 10_000n, 9_999n],
    [0, 10_498n, 9_999n],
    [0, 10_499n, 10_999n],
    [0, 1_234_567n, 1_234_999n],
  ])('with %i decimals takes %i to %i', (digits, from, to) => {
    expect(roundToCharmPrice(from, digits)).toBe(to);
  });

  it('leaves zero at zero', () => {
    for (const digits of [0, 2, 3, 4]) expect(roundToCharmPrice(0n, digits)).toBe(0n);
  });

  it('is monotonic', () => {
    fc.assert(
      fc.property(decimals, amount, amount, (digits, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(roundToCharmPrice(less, digits)).toBeLessThanOrEqual(
          roundToCharmPrice(more, digits),
        );
      }),
    );
  });

  it('is monotonic from one amount to the next through every border of the bands', () => {
    for (const digits of [0, 2, 3]) {
      for (let next = 1n; next < 25_000n; next += 1n) {
        if (roundToCharmPrice(next, digits) >= roundToCharmPrice(next - 1n, digits)) continue;
        throw new Error(`not monotonic at ${next} with ${digits} decimals`);
      }
    }
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(decimals, amount, (digits, value) => {
        const once = roundToCharmPrice(value, digits);
        expect(roundToCharmPrice(once, digits)).toBe(once);
      }),
    );
  });

  it('moves by half a step at most above the least charm price, and never goes below that', () => {
    fc.assert(
      fc.property(decimals, amount, (digits, value) => {
        fc.pre(value > 0n);
        const { step, ending } = findCharmBand(value, digits);
        const least = findCharmBand(1n, digits).ending;
        const rounded = roundToCharmPrice(value, digits);
        expect(rounded).toBeGreaterThanOrEqual(least);
        expect(rounded % findCharmBand(rounded, digits).step).toBe(
          findCharmBand(rounded, digits).ending,
        );
        const moved = rounded > value ? rounded - value : value - rounded;
        if (value >= ending) expect(2n * moved).toBeLessThanOrEqual(step);
      }),
    );
  });

  it('refuses a number of decimals that no currency has', () => {
    expect(() => roundToCharmPrice(1n, 5)).toThrow('5 decimals');
  });
});
