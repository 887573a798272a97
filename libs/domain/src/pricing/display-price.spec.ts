import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decimalsOf } from '../money/index.js';
import { currencyOfCountry } from './country.js';
import { createPriceFormat, toMajorText } from './display-price.js';
import { COUNTRIES } from './generated/cldr-countries.js';

const NOW = '2026-06-01T00:00:00.000Z';

describe('major units as text', () => {
  it('has as many decimals as the currency', () => {
    expect(toMajorText(999n, 2)).toBe('9.99');
    expect(toMajorText(5n, 2)).toBe('0.05');
    expect(toMajorText(0n, 3)).toBe('0.000');
    expect(toMajorText(980n, 0)).toBe('980');
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.constantFrom(0, 2, 3, 4), (amount, decimals) => {
        expect(BigInt(toMajorText(amount, decimals).replace('.', ''))).toBe(amount);
      }),
    );
  });
});

describe('the display price', () => {
  it('shows exactly the digits of the amount in every country, with the ISO number of decimals', () => {
    for (const country of Object.keys(COUNTRIES)) {
      const currency = currencyOfCountry(country, NOW);
      if (currency === undefined) continue;
      const text = createPriceFormat(country, currency)(1_234_567_891n);
      expect(asciiDigits(text)).toBe('1234567891');
      // The last run of digits: the decimals, or a group of three where there are none.
      const lastRun = /(\p{Nd}+)\P{Nd}*$/u.exec(text)?.[1];
      expect(lastRun).toHaveLength(decimalsOf(currency) || 3);
    }
  });

  it('is exact where a floating point number would not be', () => {
    expect(asciiDigits(createPriceFormat('US', 'USD')(9_007_199_254_740_993n))).toBe(
      '9007199254740993',
    );
  });

  it('follows the country, not only the currency', () => {
    expect(createPriceFormat('DE', 'EUR')(999n)).not.toBe(createPriceFormat('IE', 'EUR')(999n));
  });

  it('takes the narrow symbol', () => {
    expect(createPriceFormat('CA', 'CAD')(999n)).toContain('$');
    expect(createPriceFormat('CA', 'CAD')(999n)).not.toContain('CA');
  });
});

/** The value of every decimal digit, whichever script wrote it: blocks of ten start at a zero. */
function asciiDigits(text: string): string {
  return Array.from(text.matchAll(/\p{Nd}/gu), ([char]) => digitValue(char.codePointAt(0)!)).join(
    '',
  );
}

function digitValue(codePoint: number): number {
  let zero = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && codePoint - zero < 9) zero -= 1;
  return codePoint - zero;
}
