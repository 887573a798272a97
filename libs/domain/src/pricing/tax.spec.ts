import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { money } from '../money/index.js';
import { chargeWithTax, findTaxRate, isTaxRate, withTaxIncluded } from './tax.js';

const rate = fc
  .tuple(fc.bigInt(0n, 999_999n), fc.integer({ min: 6, max: 6 }))
  .map(([digits, length]) => `0.${digits.toString().padStart(length, '0')}`);

describe('a tax rate', () => {
  it.each(['0', '0.23', '0.08875', '1', '1.000', '0.000000000001'])('may be %p', (text) => {
    expect(isTaxRate(text)).toBe(true);
  });

  it.each([
    '',
    '23',
    '1.1',
    '-0.1',
    '+0.1',
    '.23',
    '0.',
    '1e-1',
    '0,23',
    ' 0.2',
    '0.0000000000001',
  ])('must not be %p', (text) => {
    expect(isTaxRate(text)).toBe(false);
  });
});

describe('inclusive tax', () => {
  it('is multiplied exactly and rounded half to even', () => {
    expect(withTaxIncluded(999n, '0.23')).toBe(1_229n);
    expect(withTaxIncluded(10n, '0.25')).toBe(12n);
    expect(withTaxIncluded(30n, '0.25')).toBe(38n);
    expect(withTaxIncluded(50n, '0.01')).toBe(50n);
    expect(withTaxIncluded(150n, '0.01')).toBe(152n);
    expect(withTaxIncluded(0n, '0.2')).toBe(0n);
  });

  it('is exact far beyond what floating point holds', () => {
    expect(withTaxIncluded(10n ** 30n + 1n, '0.1')).toBe((10n ** 30n * 11n) / 10n + 1n);
  });

  it('is monotonic and within half a minor unit', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 13n), rate, (net, text) => {
        const gross = withTaxIncluded(net, text);
        expect(withTaxIncluded(net + 1n, text)).toBeGreaterThanOrEqual(gross);
        const millionths = 1_000_000n + BigInt(text.slice(2));
        const error = gross * 1_000_000n - net * millionths;
        expect(error <= 500_000n && error >= -500_000n).toBe(true);
      }),
    );
  });
});

describe('the tax of a charge', () => {
  it('is contained in the price where the rate is inclusive', () => {
    const tax = { country: 'DE', rate: '0.19', inclusive: true };
    expect(chargeWithTax(money('1190', 'EUR'), tax)).toEqual({
      amount: money('1190', 'EUR'),
      tax: money('190', 'EUR'),
    });
  });

  it('is added where it is exclusive', () => {
    const tax = { country: 'US', region: 'NY', rate: '0.08875', inclusive: false };
    expect(chargeWithTax(money('999', 'USD'), tax)).toEqual({
      amount: money('1088', 'USD'),
      tax: money('89', 'USD'),
    });
  });
});

describe('the rate of a place', () => {
  const rates = [
    { country: 'US', region: 'US-NY', rate: '0.08875', inclusive: false },
    { country: 'US', rate: '0', inclusive: false },
    { country: 'CA', region: 'QC', rate: '0.14975', inclusive: false },
  ];

  it('is the region’s own, else the country’s', () => {
    expect(findTaxRate(rates, 'US', 'NY')?.rate).toBe('0.08875');
    expect(findTaxRate(rates, 'US', 'TX')?.rate).toBe('0');
    expect(findTaxRate(rates, 'CA', 'CA-QC')?.rate).toBe('0.14975');
  });

  it('is never a region’s when only the country is known', () => {
    expect(findTaxRate(rates, 'US')?.rate).toBe('0');
    expect(findTaxRate(rates, 'CA')).toBeUndefined();
  });
});
