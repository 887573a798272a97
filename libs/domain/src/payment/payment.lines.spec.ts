import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addUp } from '../money/index.js';
import { noTaxRates, taxedCharge, type TaxRates } from '../pricing/index.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import { orderLines, type PaymentLine, periodLines, sumLines, totalTax } from './payment.lines.js';

const AT = '2027-01-31T10:00:00.000Z';
const COVERS = { start: AT, end: '2027-02-28T10:00:00.000Z' };
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const makeRates = (rate: string, inclusive: boolean) =>
  onlyRate({ country: 'US', rate, inclusive }, 1);
const originAt = (price: string) => ({ planId: 'plan_1', price: usd(price), lockedAt: AT });
const linesAt = (price: string, taxRates: TaxRates) =>
  periodLines(taxedCharge(usd(price), 'US', taxRates, AT), COVERS, originAt(price));
const amounts = (lines: readonly PaymentLine[]) =>
  lines.map(({ kind, amount }) => `${kind} ${amount.amountMinor}`);

describe('the lines of a period', () => {
  it('are its price, where no tax is set', () => {
    const lines = linesAt('999', noTaxRates);
    const explained = { covers: COVERS, origin: originAt('999') };
    expect(lines).toEqual([{ kind: 'recurring', amount: usd('999'), ...explained }]);
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

  it('say where each amount comes from: the plan, its price, the rate and its version', () => {
    const explained = { covers: COVERS, origin: originAt('999') };
    expect(linesAt('999', makeRates('0.05', false))).toEqual([
      { kind: 'recurring', amount: usd('999'), ...explained },
      {
        kind: 'tax',
        amount: usd('50'),
        inclusive: false,
        rate: { rate: '0.05', version: 1 },
        ...explained,
      },
    ]);
  });

  it('tell a rate of nothing from no rate at all', () => {
    const lines = linesAt('999', makeRates('0', true));
    expect(amounts(lines)).toEqual(['recurring 999', 'tax 0']);
    expect(totalTax(lines)).toEqual({ amount: usd('0'), inclusive: true });
  });

  it('contain their tax only where all of it is contained', () => {
    const linesWith = (inclusive: boolean) => linesAt('999', makeRates('0.1', inclusive));
    const mixed = [...linesWith(true), ...linesWith(false)];
    expect(totalTax(mixed)).toEqual({ amount: usd('191'), inclusive: false });
  });

  it('add up to what is charged, at any price and rate', () => {
    const rate = fc.integer({ min: 0, max: 9_999 }).map((n) => `0.${String(n).padStart(4, '0')}`);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), rate, fc.boolean(), (n, of, within) => {
        const charge = taxedCharge(usd(String(n)), 'US', makeRates(of, within), AT);
        const lines = periodLines(charge, COVERS, originAt(String(n)));
        expect(sumLines(lines)).toEqual(charge.amount);
        expect(totalTax(lines)?.amount).toEqual(charge.tax?.amount);
        expect(lines.every(({ amount }) => !amount.amountMinor.startsWith('-'))).toBe(true);
      }),
    );
  });
});

describe('the lines of an order', () => {
  const AN_ITEM = fc.record({
    price: fc.integer({ min: 0, max: 500 }).map((n) => usd(String(n))),
    quantity: fc.integer({ min: 1, max: 3 }),
  });
  const rate = fc.integer({ min: 0, max: 100 }).map((n) => (n / 100).toFixed(2));

  it('are off by half a minor unit together at most, and none has more tax than money', () => {
    fc.assert(
      fc.property(fc.array(AN_ITEM, { minLength: 1, maxLength: 20 }), rate, (sold, of) => {
        const items = sold.map((item, index) => ({ itemId: `item_${index}`, ...item }));
        const charge = taxedCharge(addUp(items, 'USD'), 'US', makeRates(of, true), AT);
        const whole = Number(charge.amount.amountMinor);
        const net = whole - Number(charge.tax?.amount.amountMinor);
        let [grossSoFar, netSoFar] = [0, 0];
        orderLines(charge, items)
          .slice(0, -1)
          .forEach(({ amount }, index) => {
            const gross = Number(items[index]?.price.amountMinor) * Number(items[index]?.quantity);
            const part = Number(amount.amountMinor);
            expect(part >= 0 && part <= gross).toBe(true);
            grossSoFar += gross;
            netSoFar += part;
            expect(Math.abs(2 * (netSoFar * whole - net * grossSoFar))).toBeLessThanOrEqual(whole);
          });
        expect(netSoFar).toBe(net);
      }),
    );
  });

  it('are the prices themselves where the tax is added to them', () => {
    const items = [{ itemId: 'gem', price: usd('333'), quantity: 3 }];
    const charge = taxedCharge(usd('999'), 'US', makeRates('0.05', false), AT);
    expect(amounts(orderLines(charge, items))).toEqual(['item 999', 'tax 50']);
  });
});

it('lines of several currencies do not add up, nor do none', () => {
  expect(() => sumLines([])).toThrow('at least one line');
  expect(() =>
    sumLines([{ amount: usd('1') }, { amount: { ...usd('1'), currency: 'EUR' } }]),
  ).toThrow();
});
