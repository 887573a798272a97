import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  addDays,
  bookOn,
  dayAt,
  daysBetween,
  firstDay,
  lastDay,
  nextPeriod,
  periodAt,
} from './days.js';

describe('a day of an accounting zone', () => {
  it.each([
    ['2026-01-31T23:30:00.000Z', 'UTC', '2026-01-31'],
    ['2026-01-31T23:30:00.000Z', 'Europe/Berlin', '2026-02-01'],
    ['2026-02-01T07:59:59.999Z', 'America/Los_Angeles', '2026-01-31'],
    ['2026-03-29T22:00:00.000Z', 'Europe/Berlin', '2026-03-30'],
    // Samoa had no 30 December 2011.
    ['2011-12-30T10:30:00.000Z', 'Pacific/Apia', '2011-12-31'],
  ])('is that of %s in %s', (instant, zone, day) => {
    expect(dayAt(instant, zone)).toBe(day);
  });

  it('is refused in a zone that there is not', () => {
    expect(() => dayAt('2026-01-31T23:30:00.000Z', 'Mars/Olympus')).toThrow('Mars/Olympus');
  });

  it('is counted without regard to clocks that are put forward', () => {
    expect(daysBetween('2026-03-28', '2026-03-31')).toBe(3);
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2);
    expect(daysBetween('2026-01-02', '2026-01-01')).toBe(-1);
  });
});

describe('an accounting period', () => {
  it('is a month, from its first day to its last', () => {
    expect([firstDay('2024-02'), lastDay('2024-02'), periodAt('2024-02-29')]).toEqual([
      '2024-02-01',
      '2024-02-29',
      '2024-02',
    ]);
  });

  it('follows on the one before', () => {
    expect([nextPeriod('2026-12'), nextPeriod('2026-01')]).toEqual(['2027-01', '2026-02']);
    const day = fc.integer({ min: 0, max: 60_000 }).map((count) => addDays('1990-01-01', count));
    fc.assert(
      fc.property(day, (one) => {
        const period = periodAt(one);
        expect(addDays(lastDay(period), 1)).toBe(firstDay(nextPeriod(period)));
        expect([firstDay(period) <= one, one <= lastDay(period)]).toEqual([true, true]);
      }),
    );
  });
});

describe('an entry', () => {
  it.each([
    ['2026-02-10', '', { period: '2026-02', late: false, since: '2026-02-10' }],
    ['2026-02-10', '2026-01', { period: '2026-02', late: false, since: '2026-02-10' }],
    ['2026-02-10', '2026-02', { period: '2026-03', late: true, since: '2026-03-01' }],
    ['2025-11-30', '2026-12', { period: '2027-01', late: true, since: '2027-01-01' }],
  ])('of %s is booked, where months are closed through "%s"', (day, closed, booking) => {
    expect(bookOn(day, closed)).toEqual(booking);
  });
});
