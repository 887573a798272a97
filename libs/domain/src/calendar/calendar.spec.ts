import { describe, expect, it } from '@jest/globals';
import { addPeriods, parseInstant } from './calendar.js';

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
  });
});
