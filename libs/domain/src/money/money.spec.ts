import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  add,
  decimalsOf,
  isCurrency,
  isGreater,
  isSameMoney,
  money,
  multiplyByDecimal,
  proportion,
  subtract,
  toMajor,
} from './index.js';

describe('money', () => {
  it('prints major units with the decimals of ISO 4217, not of CLDR', () => {
    expect(toMajor(money('999', 'USD'))).toBe('9.99');
    expect(toMajor(money('980', 'JPY'))).toBe('980');
    expect(toMajor(money('9990', 'KWD'))).toBe('9.990');
    expect(toMajor(money('5', 'HUF'))).toBe('0.05');
    expect(decimalsOf('IDR')).toBe(2);
    expect(toMajor(money('150', 'MGA'))).toBe('1.50');
  });

  it('never multiplies a zero-decimal currency by a hundred', () => {
    expect(toMajor(add(money('980', 'JPY'), money('20', 'JPY')))).toBe('1000');
  });

  it('rounds half to even', () => {
    expect(multiplyByDecimal(money('10', 'EUR'), '0.25').amountMinor).toBe('2');
    expect(multiplyByDecimal(money('30', 'EUR'), '0.25').amountMinor).toBe('8');
    expect(multiplyByDecimal(money('999', 'EUR'), '0.19').amountMinor).toBe('190');
  });

  it('refuses what is no amount or no currency', () => {
    expect(() => money('9.99', 'USD')).toThrow();
    expect(() => money('1', 'XXY')).toThrow('Unknown currency: XXY');
    expect(isCurrency('usd')).toBe(false);
    expect(() => add(money('1', 'USD'), money('1', 'EUR'))).toThrow();
  });

  it('is never compared with one of another currency', () => {
    const [dollars, euros] = [money('100', 'USD'), money('99', 'EUR')];
    expect(() => isGreater(dollars, euros)).toThrow();
    expect(() => proportion(money('10', 'USD'), euros, dollars)).toThrow(
      'EUR is compared with USD',
    );
    expect(isSameMoney(dollars, money('100', 'EUR'))).toBe(false);
  });

  it('is exact at any size, and conserves what it splits', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (left, right) => {
        const sum = add(money(left, 'USD'), money(right, 'USD'));
        expect(sum.amountMinor).toBe((left + right).toString());
        expect(subtract(sum, money(right, 'USD'))).toEqual(money(left, 'USD'));
      }),
    );
  });
});

describe('a proportion', () => {
  it.each([
    ['77', '400', '999', '31'],
    ['5', '1', '2', '2'],
    ['7', '1', '2', '4'],
    ['1', '0', '3', '0'],
    ['100', '999', '999', '100'],
    ['90071992547409931', '3', '9', '30023997515803310'],
  ])('of %s as %s is of %s is %s, half-even', (value, part, whole, expected) => {
    const [of, piece, all] = [value, part, whole].map((amount) => money(amount, 'USD'));
    expect(proportion(of!, piece!, all!)).toEqual(money(expected, 'USD'));
  });
});
