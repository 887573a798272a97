import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addDays, lastDay, nextPeriod } from './days.js';
import { recognize } from './recognize.js';
import { deferredIn, earned, type Schedule, scheduleKey, unearned } from './schedule.js';
import { deferral, foldSchedule, taken } from './spec-support/rows.js';

const AT = '2030-01-01T00:00:00.000Z';

/** The earned amount of each month from the first one on, as its recognition says it. */
function byMonth(schedule: Schedule, first: string, count: number): bigint[] {
  const months = Array.from({ length: count - 1 }).reduce<string[]>(
    (all) => [...all, nextPeriod(all.at(-1) ?? first)],
    [first],
  );
  return months.map((period) => {
    const [, revenue] = recognize([schedule], { period, bookedAt: AT });
    if (revenue === undefined) return 0n;
    return revenue.side === 'credit' ? revenue.amountMinor : -revenue.amountMinor;
  });
}

/** rules/finance 3 */
describe('a deferred amount is earned', () => {
  it('by the day: 31.00 over 31 days from the 15th are 17.00 and 14.00', () => {
    expect(byMonth(foldSchedule(deferral(3_100n)), '2026-01', 3)).toEqual([1_700n, 1_400n, 0n]);
  });

  it('of a year by month, where no day takes the remainder of rounding', () => {
    const year = { effectiveOn: '2026-01-01', coversFrom: '2026-01-01', coversUntil: '2027-01-01' };
    const months = byMonth(foldSchedule(deferral(12_000n, year)), '2026-01', 12);
    const wanted = [1_019, 921, 1_019, 986, 1_019, 987, 1_019, 1_019, 986, 1_020, 986, 1_019];
    expect(months).toEqual(wanted.map(BigInt));
  });

  it("over the life of a player: Roblox's 25.00 over 25 months are 761 days", () => {
    const from = '2026-01-01';
    const life = { effectiveOn: from, coversFrom: from, coversUntil: addDays(from, 761) };
    const months = byMonth(foldSchedule(deferral(2_500n, life)), '2026-01', 26);
    expect(months.slice(0, 3)).toEqual([102n, 92n, 102n]);
    expect(months.slice(-2)).toEqual([102n, 0n]);
    expect(months.reduce((sum, month) => sum + month)).toBe(2_500n);
  });

  it.each([
    ['a credit', -3_100n, 'EUR', [-1_700n, -1_400n]],
    ['yen, which have no decimals', 980n, 'JPY', [537n, 443n]],
    ['dinars, which have three', 9_990n, 'KWD', [5_478n, 4_512n]],
    [
      '2^53 and one',
      9_007_199_254_740_993n,
      'EUR',
      [4_939_431_849_374_093n, 4_067_767_405_366_900n],
    ],
    [
      'ten times 2^63',
      92_233_720_368_547_758_070n,
      'EUR',
      [50_579_782_137_590_706_038n, 41_653_938_230_957_052_032n],
    ],
  ])('exactly: %s', (_name, amount, currency, wanted) => {
    expect(byMonth(foldSchedule(deferral(amount, { currency })), '2026-01', 2)).toEqual(wanted);
  });

  it('from the day on which it came, and what came before that on this day', () => {
    const late = deferral(3_100n, { effectiveOn: '2026-01-20' });
    const schedule = foldSchedule(late);
    expect(earned(schedule, '2026-01-19')).toBe(0n);
    expect(earned(schedule, '2026-01-20')).toBe(600n);
  });

  it('in the first open month where its own was closed', () => {
    const late = deferral(3_100n, { period: '2026-02', late: true });
    expect(byMonth(foldSchedule(late), '2026-01', 3)).toEqual([0n, 3_100n, 0n]);
  });

  it('less what was taken, over the days that are left', () => {
    const schedule = foldSchedule(deferral(3_100n), taken(700n, '2026-02-01'));
    expect(unearned(schedule, '2026-02-01')).toBe(700n);
    expect(byMonth(schedule, '2026-01', 2)).toEqual([1_700n, 700n]);
    expect(earned(schedule, '2026-02-07')).toBe(2_050n);
  });

  it('no more, once all of the rest was taken', () => {
    const schedule = foldSchedule(deferral(3_100n), taken(1_400n, '2026-02-01'));
    expect([earned(schedule, '2026-01-31'), earned(schedule, '2030-01-01')]).toEqual([
      1_700n,
      1_700n,
    ]);
    expect(deferredIn(schedule)).toBe(1_700n);
  });

  it('also where it comes back when no day is left', () => {
    const back = deferral(700n, {
      effectiveOn: '2026-03-05',
      period: '2026-03',
      coversFrom: '2026-03-05',
    });
    const schedule = foldSchedule(deferral(3_100n), taken(700n, '2026-02-01'), back);
    expect(byMonth(schedule, '2026-01', 3)).toEqual([1_700n, 700n, 700n]);
  });

  it('not sooner where some of it is taken before it begins', () => {
    const ahead = deferral(3_100n, { effectiveOn: '2026-01-01' });
    const schedule = foldSchedule(ahead, taken(1_550n, '2026-01-05'));
    expect(earned(schedule, '2026-01-14')).toBe(0n);
    expect(byMonth(schedule, '2026-01', 2)).toEqual([850n, 700n]);
  });
});

describe('the schedules of a payment', () => {
  it('are apart by account, plan, class and last day', () => {
    const one = deferral(1n);
    const others = [
      { payment: 'pay_2' },
      { account: 'x' },
      { plan: 'x' },
      { itemClass: 'x' },
      { coversUntil: 'x' },
    ];
    const keys = others.map((more) => scheduleKey({ ...one, ...more }));
    expect(new Set([scheduleKey(one), ...keys]).size).toBe(6);
    expect(scheduleKey(taken(1n, '2026-02-01'))).toBe(scheduleKey(one));
  });

  it('are over some time', () => {
    expect(() => foldSchedule(deferral(1n, { coversFrom: null }))).toThrow(
      'e1#2 defers money over no time',
    );
  });
});

describe('recognition', () => {
  const schedule = foldSchedule(deferral(3_100n));

  it('is two rows that are named by the deferral and the month', () => {
    expect(recognize([schedule], { period: '2026-02', bookedAt: AT })).toMatchObject([
      {
        number: 2,
        recognized: '2026-02',
        account: 'liabilities:deferred-subscriptions',
        side: 'debit',
      },
      { number: 3, recognized: '2026-02', account: 'income:subscriptions', side: 'credit' },
    ]);
    const [row] = recognize([schedule], { period: '2026-02', bookedAt: AT });
    expect(row).toMatchObject({ rule: 'rules.v1/recognized', effectiveOn: '2026-02-28', leaf: 1n });
    expect(row).toMatchObject({ period: '2026-02', bookedAt: AT, amountMinor: 1_400n });
  });

  it('of an open month counts to a day', () => {
    const [row] = recognize([schedule], { period: '2026-02', until: '2026-02-03', bookedAt: AT });
    expect(row).toMatchObject({ amountMinor: 300n, effectiveOn: '2026-02-03' });
  });

  it('of all months together is what was deferred and not taken, and each month stays as it was', () => {
    const act = fc.record({
      amount: fc.bigInt({ min: -5_000n, max: 5_000n }),
      daysLater: fc.nat(60),
      takes: fc.boolean(),
    });
    const acts = fc.array(act, { maxLength: 8 });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), acts, (amount, all) => {
        const rows = [deferral(amount)];
        let day = '2026-01-15';
        let before = foldSchedule(...rows);
        for (const { amount: other, daysLater, takes } of all) {
          day = addDays(day, daysLater);
          const on = { effectiveOn: day, period: day.slice(0, 7), coversFrom: day };
          rows.push(takes ? taken(other, day) : deferral(other, on));
          const after = foldSchedule(...rows);
          const eve = addDays(day, -1);
          expect(earned(after, eve)).toBe(day === '2026-01-15' ? 0n : earned(before, eve));
          before = after;
        }
        const sum = byMonth(before, '2026-01', 24).reduce((total, month) => total + month, 0n);
        expect(sum).toBe(deferredIn(before));
        expect(earned(before, lastDay('2027-12'))).toBe(sum);
      }),
      { numRuns: 50 },
    );
  });
});
