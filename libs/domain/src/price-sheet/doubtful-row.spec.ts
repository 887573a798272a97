import { describe, expect, it } from 'vitest';
import { findDoubtfulRows } from './doubtful-row.js';
import { sheetOfRows } from './spec-support/sheet-of-rows.js';

type Amounts = Readonly<Record<string, bigint>>;

describe('the doubtful rows of a new sheet', () => {
  it('are those whose amount is a power of ten off the one in force', () => {
    const inForce = { 'a KW KWD': 9_990n, 'b KW KWD': 5_000n, 'c US USD': 100n, 'd US USD': 0n };
    const next = { 'a KW KWD': 9_990_000n, 'b KW KWD': 500n, 'c US USD': 300n, 'd US USD': 10n };
    expect(reasons(inForce, next)).toEqual([
      ['a KW', 'amount', '9990.000 is 1000 times the 9.990 in force'],
      ['b KW', 'amount', '0.500 is 1/10 of the 5.000 in force'],
    ]);
  });

  it('are looked for in the same country and currency alone', () => {
    expect(reasons({ 'a LS LSL': 100n }, { 'a LS ZAR': 1_000n })).toEqual([]);
    expect(reasons({ 'a DE EUR': 100n }, { 'a FR EUR': 1_000n })).toEqual([]);
    expect(reasons({ 'a DE EUR': 100n }, { 'a DE EUR': 2_000n })).toEqual([]);
  });

  it.each([
    ['00123', '123'],
    ['1E5', '100000'],
    ['100000', '1.00E+05'],
    ['1.50', '1.5'],
    ['Gems', 'gems'],
    ['0gems', 'gems'],
    ['4006381333931', '4.00638E+12'],
    ['12345678901234567', '12345678901234500'],
    ['12345678901234567', '1.23456789012346E+016'],
  ])('are those of an id that a spreadsheet changed: %p to %p', (gone, present) => {
    const reason = `${present} is new, and ${gone}, which is in force, is gone`;
    expect(reasons({ [`${gone} US USD`]: 99n }, { [`${present} US USD`]: 99n })).toEqual([
      [`${present} US`, 'priceId', reason],
    ]);
  });

  it.each([
    ['gems_1', 'gems_2'],
    ['123', '124'],
    ['4006381333931', '4006381333999'],
    ['1E5', '1E6'],
  ])('are none where an id is another one: %p and %p', (gone, present) => {
    expect(reasons({ [`${gone} US USD`]: 99n }, { [`${present} US USD`]: 99n })).toEqual([]);
  });

  it('are none where both ids stay, or the one in force is there still', () => {
    const both = { '7 US USD': 99n, '007 US USD': 99n };
    expect(reasons(both, both)).toEqual([]);
    expect(reasons({ '007 US USD': 99n }, both)).toEqual([]);
    expect(reasons(both, { '7 US USD': 99n })).toEqual([]);
  });

  it('are each named once, with all that is doubtful in it', () => {
    const doubtful = [
      ...findDoubtfulRows(
        sheetOfRows({ '00123 KW KWD': 9_990n }),
        sheetOfRows({ '123 KW KWD': 9_990_000n }),
      ),
    ].filter((row) => row !== null);
    expect(doubtful.map(({ problems }) => problems.map(({ column }) => column))).toEqual([
      ['priceId', 'amount'],
    ]);
  });
});

function reasons(inForce: Amounts, next: Amounts): string[][] {
  return [...findDoubtfulRows(sheetOfRows(inForce), sheetOfRows(next))].flatMap((doubtful) =>
    (doubtful?.problems ?? []).map(({ column, reason }) => [
      `${doubtful!.row.priceId} ${doubtful!.row.country}`,
      column,
      reason,
    ]),
  );
}
