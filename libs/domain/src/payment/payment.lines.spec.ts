import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { noTaxRates, taxedCharge, type TaxRates } from '../pricing/index.js';
import { type PaymentLine, periodLines, sumLines, totalTax } from './payment.lines.js';

const AT = '2027-01-31T10:00:00.000Z';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const makeRates = (rate: string, inclusive: boolean): TaxRates => ({
  versions: [
    {
      version: 1,
      rates: [{ country: 'US', rate, inclusive }],
      effectiveFrom: AT,
      setBy: 'operator:fin',
      setAt: AT,
    },
  ],
});
const linesAt = (price: string, taxRates: TaxRates) =>
  periodLines(taxedCharge(usd(price), 'US', taxRates, AT));
const amounts = (lines: readonly PaymentLine[]) =>
  lines.map(({ kind, amount }) => `${kind} ${amount.amountMinor}`);

describe('the lines of a period', () => {
  it('are its price, where no tax is set', () => {
    const lines = linesAt('999', noTaxRates);
    expect(lines).toEqual([{ kind: 'recurring', amount: usd('999') }]);
    expect(totalTax(lines)).toBeNull();
  });

  it('are the price and the tax on top of it', () => {
    const lines = linesAt('999', makeRates('0.05', false));
    expect(amounts(lines)).toEqual(['recurring 999', 'tax 50']);
    expect(totalTax(lines)).toEqual({ amount: usd('50'), inclusive: false });
  });

  it('are the price without the tax that it contains, and that tax', () => {
    const lines = linesAt('999', makeRates('0.0835', true));
    expect(amounts(lines)).toEqual(['recurring 922', 'tax 77']);
    expect(totalTax(lines)).toEqual({ amount: usd('77'), inclusive: true });
  });

  it('tell a rate of nothing from no rate at all', () => {
    const lines = linesAt('999', makeRates('0', true));
    expect(amounts(lines)).toEqual(['recurring 999', 'tax 0']);
    expect(totalTax(lines)).toEqual({ amount: usd('0'), inclusive: true });
  });

  it('contain their tax only where all of it is contained', () => {
    const tax = (inclusive: boolean) => ({ kind: 'tax', amount: usd('10'), inclusive }) as const;
    const mixed = [{ kind: 'recurring', amount: usd('90') } as const, tax(true), tax(false)];
    expect(totalTax(mixed)).toEqual({ amount: usd('20'), inclusive: false });
  });

  it('add up to what is charged, at any price and rate', () => {
    const rate = fc.integer({ min: 0, max: 9_999 }).map((n) => `0.${String(n).padStart(4, '0')}`);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), rate, fc.boolean(), (n, of, within) => {
        const charge = taxedCharge(usd(String(n)), 'US', makeRates(of, within), AT);
        const lines = periodLines(charge);
        expect(sumLines(lines)).toEqual(charge.amount);
        expect(totalTax(lines)?.amount).toEqual(charge.tax);
        expect(lines.every(({ amount }) => !amount.amountMinor.startsWith('-'))).toBe(true);
      }),
    );
  });
});

it('lines of several currencies do not add up, nor do none', () => {
  expect(() => sumLines([])).toThrow('at least one line');
  expect(() =>
    sumLines([{ amount: usd('1') }, { amount: { ...usd('1'), currency: 'EUR' } }]),
  ).toThrow();
});
