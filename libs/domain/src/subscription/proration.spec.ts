import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { PERIOD_UNITS, type Period } from '../calendar/index.js';
import { type PaymentLine, sumLines } from '../payment/index.js';
import { noTaxRates, type TaxRates } from '../pricing/index.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import { countFrom, countWithin, isDearer, namedLines, prorationLines } from './proration.js';
import { settleCredit } from './unused-credit.js';

const usd = (amountMinor: string | number) => ({
  amountMinor: String(amountMinor),
  currency: 'USD',
});
const START = '2027-03-01T00:00:00.000Z';
const NOW = '2027-03-16T12:00:00.000Z';
const END = '2027-04-01T00:00:00.000Z';
const month: Period = { value: 1, unit: 'month' };
const each = (price: number, value: number, unit: Period['unit']) => ({
  price: usd(price),
  period: { value, unit },
});

const makeRates = (rate: string, inclusive: boolean) =>
  onlyRate({ country: 'US', rate, inclusive }, 4);

function priced(planId: string, price: number, covers = { start: NOW, end: END }) {
  const origin = { planId, price: usd(price), lockedAt: START };
  return { origin, covers, periods: countWithin(covers, { start: START, end: END }) };
}

const at = (taxRates: TaxRates = noTaxRates) => ({ regionCode: 'US', taxRates, now: NOW });
const print = (lines: readonly PaymentLine[]) =>
  lines.map(({ kind, amount }) => `${kind} ${amount.amountMinor}`);

describe('of two prices the dearer one', () => {
  it.each([
    ['the higher one for the same time', each(1000, 1, 'month'), each(999, 1, 'month')],
    ['a month at 10 against a year at 100', each(1000, 1, 'month'), each(10_000, 1, 'year')],
    ['a week at 3 against a month at 10', each(300, 1, 'week'), each(1000, 1, 'month')],
    ['a day at 0.34 against a month at 10', each(34, 1, 'day'), each(1000, 1, 'month')],
    ['two months at 21 against a month at 10', each(2100, 2, 'month'), each(1000, 1, 'month')],
  ])('is %s', (_what, dear, cheap) => {
    expect([isDearer(dear, cheap), isDearer(cheap, dear)]).toEqual([true, false]);
  });

  it.each([
    [each(3000, 3, 'month'), each(1000, 1, 'month')],
    [each(12_000, 1, 'year'), each(1000, 1, 'month')],
    [each(700, 1, 'week'), each(100, 1, 'day')],
  ])('is neither, whatever the month: %j', (left, right) => {
    expect([isDearer(left, right), isDearer(right, left)]).toEqual([false, false]);
  });

  it('is none of two in different currencies: that they are compared is a defect', () => {
    const euros = { price: { amountMinor: '999', currency: 'EUR' }, period: month };
    expect(() => isDearer(euros, each(1000, 1, 'month'))).toThrow('EUR is compared with USD');
  });
});

describe('the lines of a change at once', () => {
  it('charge the time that is left and credit what is not used, to the second', () => {
    const lines = prorationLines(priced('plan_2', 3100), priced('plan_1', 1000), at());
    expect(print(lines)).toEqual(['proration_charge 1550', 'proration_credit -500']);
    expect(lines[1]).toMatchObject({
      covers: { start: NOW, end: END },
      origin: { planId: 'plan_1', price: usd(1000), lockedAt: START },
    });
    const second = { start: '2027-03-31T23:59:58.999Z', end: END };
    const dear = prorationLines(priced('plan_2', 267_840_000, second), priced('plan_1', 0), at());
    expect(print(dear)).toEqual(['proration_charge 100']);
  });

  it('round half-even to a minor unit', () => {
    const lines = prorationLines(priced('plan_2', 105), priced('plan_1', 101), at());
    expect(print(lines)).toEqual(['proration_charge 52', 'proration_credit -50']);
  });

  it('show what is unused, and take back what of it is lost', () => {
    const times = [priced('plan_2', 100), priced('plan_1', 1000)] as const;
    const plain = ['proration_charge 50', 'proration_credit -500', 'credit_forfeited 450'];
    expect(print(prorationLines(...times, at()))).toEqual(plain);
    const onTop = prorationLines(...times, at(makeRates('0.1', false)));
    expect(print(onTop)).toEqual([...plain, 'tax 0']);
    const within = prorationLines(...times, at(makeRates('0.25', true)));
    expect(print(within)).toEqual([
      ...['proration_charge 40', 'proration_credit -400', 'credit_forfeited 360', 'tax 0'],
    ]);
    const given = prorationLines(...times, { ...at(), takenBack: 'credit_refunded' });
    expect(print(given)).toEqual([
      ...['proration_charge 50', 'proration_credit -500', 'credit_refunded 450'],
    ]);
    const lost = { unused: usd(500), used: usd(50), forfeited: usd(450), refunded: usd(0) };
    expect(settleCredit(...times, 'forfeit')).toEqual(lost);
    expect(settleCredit(...times, 'refuse')).toEqual(lost);
    const refunded = { ...lost, forfeited: usd(0), refunded: usd(450) };
    expect(settleCredit(...times, 'refund')).toEqual(refunded);
    expect(settleCredit(priced('plan_2', 1000), priced('plan_1', 1000), 'refund')).toBeNull();
  });

  it('have the tax on the difference, on top of it or out of it', () => {
    const prices = [priced('plan_2', 2000), priced('plan_1', 1000)] as const;
    const onTop = prorationLines(...prices, at(makeRates('0.1', false)));
    expect(print(onTop)).toEqual(['proration_charge 1000', 'proration_credit -500', 'tax 50']);
    const within = prorationLines(...prices, at(makeRates('0.25', true)));
    expect(print(within)).toEqual(['proration_charge 800', 'proration_credit -400', 'tax 100']);
    expect(within[2]).toMatchObject({ rate: { rate: '0.25', version: 4 }, inclusive: true });
  });

  it('are one, at the price that the studio has named', () => {
    expect(print(namedLines(usd(123), priced('plan_2', 2000), at()))).toEqual([
      'proration_charge 123',
    ]);
  });

  it('add up to the difference with its tax, and are never below zero together', () => {
    const rate = fc.integer({ min: 0, max: 9_999 }).map((n) => `0.${String(n).padStart(4, '0')}`);
    const instant = fc.integer({ min: Date.parse(START), max: Date.parse(END) });
    const amount = fc.integer({ min: 0, max: 1_000_000_000 });
    fc.assert(
      fc.property(amount, amount, instant, rate, fc.boolean(), (to, from, ms, of, within) => {
        const covers = { start: new Date(ms).toISOString(), end: END };
        const taxRates = makeRates(of, within);
        const charged = priced('plan_2', to, covers);
        const credited = priced('plan_1', from, covers);
        const lines = prorationLines(charged, credited, at(taxRates));
        const untaxed = sumLines(prorationLines(charged, credited, at()));
        const sum = BigInt(sumLines(lines).amountMinor);
        const byKind = (kind: string) =>
          BigInt(lines.find((line) => line.kind === kind)?.amount.amountMinor ?? 0);
        expect(sum >= 0n).toBe(true);
        expect(byKind('proration_charge') >= 0n && byKind('tax') >= 0n).toBe(true);
        expect(byKind('proration_credit') <= 0n && byKind('credit_forfeited') >= 0n).toBe(true);
        expect(within ? sum : sum - byKind('tax')).toBe(BigInt(untaxed.amountMinor));
      }),
    );
  });
});

describe('some time, counted in periods from an instant,', () => {
  const count = (start: string, end: string, period: Period, from = START) => {
    const { part, whole } = countFrom({ start, end }, { start: from, period });
    return Number(part) / Number(whole);
  };

  it('is as many periods as there are, whatever their length', () => {
    const january = '2027-01-31T10:00:00.000Z';
    const inTwoYears = '2029-01-31T10:00:00.000Z';
    expect(count(january, inTwoYears, month, january)).toBe(24);
    expect(count('2027-02-28T10:00:00.000Z', inTwoYears, month, january)).toBe(23);
    expect(count(START, END, { value: 1, unit: 'day' })).toBe(31);
  });

  it('is the parts of those in which it begins and ends', () => {
    expect(count(NOW, END, month)).toBe(0.5);
    expect(count(NOW, '2027-05-01T00:00:00.000Z', month)).toBe(1.5);
    expect(count(NOW, '2027-04-16T00:00:00.000Z', month)).toBe(1);
    expect(count(END, NOW, month)).toBe(0);
  });

  it('is the sum of its parts', () => {
    const instant = fc.integer({
      min: Date.parse(START) / 1000,
      max: Date.parse(START) / 1000 + 1e9,
    });
    const unit = fc.constantFrom(...PERIOD_UNITS);
    fc.assert(
      fc.property(
        fc.tuple(instant, instant, instant),
        fc.integer({ min: 1, max: 13 }),
        unit,
        (at, value, of) => {
          const [a = '', b = '', c = ''] = [...at]
            .sort((x, y) => x - y)
            .map((s) => new Date(s * 1000).toISOString());
          const period = { value, unit: of };
          expect(count(a, b, period) + count(b, c, period)).toBeCloseTo(count(a, c, period), 8);
        },
      ),
    );
  });
});

it('every unit of the calendar can be compared', () => {
  for (const unit of PERIOD_UNITS) {
    expect(isDearer(each(2, 1, unit), each(1, 1, unit))).toBe(true);
    expect(isDearer({ ...each(1, 1, unit) }, { price: usd(1), period: month })).toBe(
      unit === 'day' || unit === 'week',
    );
  }
});
