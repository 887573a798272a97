import { describe, expect, it } from 'vitest';
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
  const { amount, tax } = taxedCharge(price, regionCode, taxRates, dueAt);
  if (tax === null) return [amount.amountMinor, null];
  const { rate, version: applied } = tax.rate;
  return [amount.amountMinor, tax.amount.amountMinor, tax.inclusive, rate, applied];
}

describe('a charge with tax', () => {
  it('contains an inclusive tax, and has an exclusive one added', () => {
    expect(charged('DE')).toEqual(['999', '160', true, '0.19', 1]);
    expect(charged('US')).toEqual(['1049', '50', false, '0.05', 1]);
  });

  it('takes the rate of the region where it has one of its own', () => {
    expect(charged('US-NY')).toEqual(['1088', '89', false, '0.08875', 1]);
    expect(charged('US-CA')).toEqual(['1049', '50', false, '0.05', 1]);
    expect(charged('DE-BY')).toEqual(['999', '160', true, '0.19', 1]);
  });

  it('takes the rate in force on the due date', () => {
    expect(charged('DE', JUNE)).toEqual(['999', '138', true, '0.16', 2]);
    expect(charged('DE', '2027-05-31T23:59:59.999Z')).toEqual(['999', '160', true, '0.19', 1]);
  });

  it.each(['', 'FR', 'de', 'NY'])('is the price alone where no rate is set: %j', (regionCode) => {
    expect(charged(regionCode)).toEqual(['999', null]);
  });

  it('is the price alone before the first rates', () => {
    expect(charged('DE', '2027-04-30T00:00:00.000Z')).toEqual(['999', null]);
  });
});
