import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  addMilliseconds,
  addPeriods,
  fitsCalendar,
  fromMilliseconds,
  LAST_INSTANT,
  parseInstant,
  type Period,
  toMilliseconds,
} from './index.js';

const monthly = { value: 1, unit: 'month' } as const;
const yearly = { value: 1, unit: 'year' } as const;

describe('billing dates', () => {
  it('keep the day of month of the anchor over short months', () => {
    const dates = [1, 2, 3, 4].map((n) => addPeriods('2027-01-31T10:00:00.000Z', monthly, n));
    expect(dates.map((date) => date.slice(0, 10))).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
    ]);
  });

  it('renew a yearly plan of 29 February on the 28th, and return to the 29th in leap years', () => {
    const dates = [1, 2, 3, 4].map((n) => addPeriods('2028-02-29T00:00:00.000Z', yearly, n));
    expect(dates.map((date) => date.slice(0, 10))).toEqual([
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
  });

  it('keep the day of month that is meant, where the month of the anchor is too short for it', () => {
    const quarterly = { value: 3, unit: 'month' } as const;
    const list = (anchor: string, period: Period, day: number) =>
      [0, 1, 2, 3, 4].map((n) => addPeriods(anchor, period, n, day).slice(0, 10));
    expect(list('2027-02-28T10:00:00.000Z', quarterly, 31)).toEqual([
      ...['2027-02-28', '2027-05-31', '2027-08-31', '2027-11-30', '2028-02-29'],
    ]);
    expect(list('2027-02-28T10:00:00.000Z', yearly, 29)[1]).toBe('2028-02-29');
    // Weeks have no day of month, and an anchor on another day is meant as it is.
    expect(list('2027-02-28T10:00:00.000Z', { value: 1, unit: 'week' }, 31)[1]).toBe('2027-03-07');
    expect(list('2027-02-27T10:00:00.000Z', monthly, 31)[1]).toBe('2027-03-27');
  });

  it.each([1, 15, 28, 29, 30, 31])(
    'never drift and never stand still, anchored on day %i',
    (day) => {
      for (const hour of ['00:00:00.000', '23:59:59.999']) {
        const anchor = `2027-01-${String(day).padStart(2, '0')}T${hour}Z`;
        let previous = anchor;
        for (let n = 1; n <= 60; n += 1) {
          const next = addPeriods(anchor, monthly, n);
          expect(next > previous).toBe(true);
          expect(next.slice(11)).toBe(`${hour}Z`);
          expect(Number(next.slice(8, 10))).toBeLessThanOrEqual(day);
          previous = next;
        }
        expect(addPeriods(anchor, monthly, 12).slice(8, 10)).toBe(anchor.slice(8, 10));
      }
    },
  );

  it('read RFC 3339 of any offset and nothing else', () => {
    expect(parseInstant('2026-01-31T12:00:00+02:00')).toBe('2026-01-31T10:00:00.000Z');
    expect(parseInstant('2026-01-31')).toBeUndefined();
    expect(parseInstant('2026-02-30T00:00:00Z')).toBeUndefined();
    expect(parseInstant('2026-01-31T10:00:00Z and more')).toBeUndefined();
    expect(parseInstant('12026-01-31T10:00:00Z')).toBeUndefined();
  });
});

describe('dates end with the year 9999', () => {
  it.each([
    '2026-01-31T24:00:00Z',
    '2026-01-31T10:00:00+24:00',
    '2026-01-31T10:00:00-01:60',
    '2026-01-31T24:00:00.000+02:00',
    '9999-12-31T23:59:59-00:01',
    '0000-01-01T00:00:00+00:01',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '2026-01-31T10:00:60Z',
  ])('so that %s is none', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('and their last instant is one', () => {
    expect(parseInstant('9999-12-31T23:59:59.999Z')).toBe(LAST_INSTANT);
    expect(parseInstant('0000-01-01T00:00:00Z')).toBe('0000-01-01T00:00:00.000Z');
  });

  it.each([
    ['9999-12-01T00:00:00.000Z', monthly, 1, LAST_INSTANT],
    ['2026-01-31T10:00:00.000Z', { value: 9000, unit: 'year' }, 1, LAST_INSTANT],
    ['2026-01-31T10:00:00.000Z', { value: 9999, unit: 'year' }, 9999, LAST_INSTANT],
    ['9999-11-30T00:00:00.000Z', monthly, 1, '9999-12-30T00:00:00.000Z'],
  ] as const)('after %s: %j', (anchor, period, count, expected) => {
    expect(addPeriods(anchor, period, count)).toBe(expected);
    expect(fitsCalendar(anchor, period)).toBe(expected !== LAST_INSTANT);
  });

  it('also where milliseconds are counted', () => {
    expect(addMilliseconds(LAST_INSTANT, 1)).toBe(LAST_INSTANT);
    expect(addMilliseconds(LAST_INSTANT, Number.MAX_SAFE_INTEGER)).toBe(LAST_INSTANT);
  });
});

describe('milliseconds', () => {
  const inCalendar = { min: new Date(0), max: new Date('9000-01-01'), noInvalidDate: true };

  it('are counted as the library counts them that knows months', () => {
    fc.assert(
      fc.property(fc.date(inCalendar), fc.integer(), (date, milliseconds) => {
        const instant = date.toISOString();
        const expected = DateTime.fromISO(instant, { zone: 'utc' }).plus({ milliseconds });
        expect(addMilliseconds(instant, milliseconds)).toBe(expected.toISO());
        expect(fromMilliseconds(toMilliseconds(instant))).toBe(instant);
      }),
    );
  });

  it('that are no instant, or a fraction, are taken as a date takes them', () => {
    expect(fromMilliseconds(1_500.75)).toBe('1970-01-01T00:00:01.500Z');
    expect(() => fromMilliseconds(Number.NaN)).toThrow(RangeError);
  });
});
