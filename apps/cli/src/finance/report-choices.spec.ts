import { describe, expect, it } from 'vitest';
import type { ReportChoice } from '#finance';
import {
  chooseDay,
  chooseFormat,
  parseDay,
  parsePeriod,
  parseReportEnd,
} from './report-choices.js';

const tax: ReportChoice = {
  ...{ name: 'tax', description: '' },
  formats: ['table', 'json', 'csv', 'parquet'],
};
const period = '2028-02';

describe('the choices of a report', () => {
  it('are a month, and a day of it: its last one unless told', () => {
    expect(parsePeriod(period, '--period')).toBe(period);
    for (const bad of ['2028-13', '2028-00', '2028-2', '2028', '02-2028', '']) {
      expect(() => parsePeriod(bad, '--period')).toThrow('--period must be a month');
    }
    expect(parseDay('2028-02-29', '--effective-until')).toBe('2028-02-29');
    for (const bad of ['2027-02-29', '2028-02-30', '2028-02', 'today']) {
      expect(() => parseDay(bad, '--effective-until')).toThrow('must be a day');
    }
    expect(chooseDay({ period })).toBe('2028-02-29');
    expect(chooseDay({ period, effectiveUntil: '2028-02-01' })).toBe('2028-02-01');
    for (const effectiveUntil of ['2028-01-31', '2028-03-01']) {
      expect(() => chooseDay({ period, effectiveUntil })).toThrow('must be a day of 2028-02');
    }
  });

  it('have a format of the report: for people, for programs, and in files CSV unless told', () => {
    const out = 'folder';
    expect(chooseFormat(tax, { period })).toBe('table');
    expect(chooseFormat(tax, { period, json: true })).toBe('json');
    expect(chooseFormat(tax, { period, json: true, out })).toBe('csv');
    expect(chooseFormat(tax, { period, format: 'parquet', out })).toBe('parquet');
    expect(() => chooseFormat(tax, { period, format: 'parquet' })).toThrow('--out');
    expect(() => chooseFormat(tax, { period, format: 'hledger' })).toThrow('and no hledger');
  });

  it('end with a checkpoint by its size, by a moment or a close, or made now', () => {
    expect(parseReportEnd('close:2028-02', '--as-of')).toEqual({ closed: '2028-02' });
    expect(() => parseReportEnd('close:2028-13', '--as-of')).toThrow('--as-of must be');
    expect(parseReportEnd('12', '--as-of')).toBe(12);
    expect(parseReportEnd('now', '--as-of')).toBe('now');
    expect(parseReportEnd('2027-01-31T10:00:00Z', '--as-of')).toEqual({
      instant: '2027-01-31T10:00:00.000Z',
    });
    for (const bad of ['0', '-1', 'yesterday', '2027-01-31', '']) {
      expect(() => parseReportEnd(bad, '--as-of')).toThrow('--as-of must be');
    }
  });
});
