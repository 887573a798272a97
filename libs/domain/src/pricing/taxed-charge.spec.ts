import { describe, expect, it } from '@jest/globals';
import type { TaxRates } from './tax-rates.state.js';
import { taxedCharge } from './taxed-charge.js';

const MAY = '2027-05-01T00:00:00.000Z';
const JUNE = '2027-06-01T00:00:00.000Z';
const price = { amountMinor: '999', currency: 'EUR' };

function version(number: number, effectiveFrom: string, germanRate: string) {
  const rates = [
    { country: 'DE', rate: germanRate, inclusive: true },
    { country: 'US', rate: '0.05', inclusive: false },
    { country: 'US', region: 'US-NY', rate: '0.08875', inclusive: false },
  ];
  return { version: number, rates, effectiveFrom, setBy: 'operator:fin', setAt: MAY };
}

const taxRates: TaxRates = { versions: [version(1, MAY, '0.19'), version(2, JUNE, '0.16')] };

function charged(regionCode: string, dueAt = MAY) {
  const { amount, tax, taxInclusive } = taxedCharge(price, regionCode, taxRates, dueAt);
  return [amount.amountMinor, tax?.amountMinor ?? null, taxInclusive];
}

describe('a charge with tax', () => {
  it('contains an inclusive tax, and has an exclusive one added', () => {
    expect(charged('DE')).toEqual(['999', '160', true]);
    expect(charged('US')).toEqual(['1049', '50', false]);
  });

  it('takes the rate of the region where it has one of its own', () => {
    expect(charged('US-NY')).toEqual(['1088', '89', false]);
    expect(charged('US-CA')).toEqual(['1049', '50', false]);
    expect(charged('DE-BY')).toEqual(['999', '160', true]);
  });

  it('takes the rate in force on the due date', () => {
    expect(charged('DE', JUNE)).toEqual(['999', '138', true]);
    expect(charged('DE', '2027-05-31T23:59:59.999Z')).toEqual(['999', '160', true]);
  });

  it.each(['', 'FR', 'de', 'NY'])('is the price alone where no rate is set: %j', (regionCode) => {
    expect(charged(regionCode)).toEqual(['999', null, false]);
  });

  it('is the price alone before the first rates', () => {
    expect(charged('DE', '2027-04-30T00:00:00.000Z')).toEqual(['999', null, false]);
  });
});
