import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { badRowViolation } from '#domain/price-sheet';
import { PriceSheetReader, type PriceSheetReading } from './price-sheet-reader.js';

const HEADER = 'priceId,country,currency,amount';
const NOW = '2026-06-01T00:00:00.000Z';

describe('reading a price sheet', () => {
  it('takes a good sheet as a whole', () => {
    const sheet = goodSheet(
      'gems,US,USD,9.99',
      'gems,JP,JPY,1500',
      '"a,b",US,USD,0',
      'gems,KW,KWD,3.1',
    );
    expect(sheet.rowCount).toBe(4);
    expect(sheet.priceIdCount).toBe(2);
    expect(sheet.column('US', 'USD').amount('gems')).toBe(999n);
    expect(sheet.column('JP', 'JPY').amount('gems')).toBe(1500n);
    expect(sheet.column('KW', 'KWD').amount('gems')).toBe(3100n);
    expect(sheet.column('US', 'USD').amount('a,b')).toBe(0n);
  });

  it.each(['g', '😀'])('takes ids of 128 characters: of %s', (character) => {
    expect(goodSheet(`${character.repeat(128)},US,USD,1`).rowCount).toBe(1);
  });

  it('passes over empty lines and keeps the numbers of the others', () => {
    expect(goodSheet('gems,US,USD,1', '', '').rowCount).toBe(1);
    expect(badLines('gems,US,USD,1', '', 'gems,DE,EUR,x')).toEqual([4]);
  });

  it('takes every legal tender of a country that pays in several', () => {
    const rows = ['gems,US,USD,1', 'gems,LS,LSL,1', 'gems,PA,USD,1', 'gems,ZW,USD,1'];
    expect(goodSheet(...rows, 'gems,LS,ZAR,1').rowCount).toBe(5);
  });

  it.each([
    ['gems,XX,USD,1', 'country'],
    ['gems,us,USD,1', 'country'],
    ['gems,AQ,USD,1', 'country'],
    ['gems,DE,USD,1', 'currency'],
    ['gems,HR,HRK,1', 'currency'],
    ['gems,BG,BGN,1', 'currency'],
    ['gems,PA,EUR,1', 'currency'],
    ['gems,DE,eur,1', 'currency'],
    ['gems,DE,EUR,1.999', 'amount'],
    ['gems,JP,JPY,1.0', 'amount'],
    ['gems,DE,EUR,-1', 'amount'],
    ['gems,DE,EUR,1e3', 'amount'],
    ['gems,DE,EUR,"1,99"', 'amount'],
    ['gems,DE,EUR,', 'amount'],
    ['gems,DE,EUR,01', 'amount'],
    ['gems,DE,EUR,.5', 'amount'],
    ['gems,DE,EUR,10000000000000.01', 'amount'],
    ['gems,DE,EUR,99999999999999999999999999', 'amount'],
    ['gems,DE,EUR, 1', 'amount'],
    [',DE,EUR,1', 'priceId'],
    [' gems,DE,EUR,1', 'priceId'],
    ['"ge\nms",DE,EUR,1', 'priceId'],
    [`${'g'.repeat(129)},DE,EUR,1`, 'priceId'],
    [`${'😀'.repeat(129)},DE,EUR,1`, 'priceId'],
    ['gems,DE,EUR', 'row'],
    ['gems,DE,EUR,1,extra', 'row'],
    ['ge"ms,DE,EUR,1', 'row'],
  ])('refuses %p for its column %p', (row, column) => {
    const badRows = refused('gems,US,USD,1', row);
    expect(badRows[0]?.line).toBe(3);
    expect(badRows[0]?.problems[0]?.column).toBe(column);
  });

  it('names every bad row, and everything that is bad in it', () => {
    const badRows = refused(
      'gems,US,USD,1',
      ',DE,USD,-1',
      'gems,FR,EUR,2',
      'gems,FR,EUR,2',
      'coins,FR,EUR,2',
    );
    expect(
      badRows.map(({ line, problems }) => [line, problems.map(({ column }) => column)]),
    ).toEqual([
      [3, ['priceId', 'currency', 'amount']],
      [5, ['row']],
      [6, ['priceId']],
    ]);
    expect(badRows.map(badRowViolation)).toEqual([
      {
        field: 'line 3',
        description:
          'priceId: is empty; currency: "USD" is no legal tender of DE, which has EUR; amount: "-1" is negative',
      },
      { field: 'line 5', description: 'row: gems in FR and EUR stands on line 4 already' },
      {
        field: 'line 6',
        description: 'priceId: has no row for country US, which names its price in USD',
      },
    ]);
  });

  it('names the first hundred bad rows of a sheet, and counts the others', () => {
    const noSource = Array.from({ length: 150 }, (_, at) => `g${at},FR,EUR,1`);
    const bad = Array.from({ length: 150 }, () => ',QQ,,');
    const interleaved = noSource.flatMap((row, at) => [row, bad[at] ?? '']);
    for (const [rows, count] of [
      [bad, 150],
      [noSource, 150],
      [interleaved, 300],
    ] as const) {
      const reading = read([HEADER, ...rows].join('\n'));
      if (reading.accepted) throw new Error('a sheet of bad rows was taken');
      const lines = reading.badRows.map(({ line }) => line);
      expect(lines).toEqual(Array.from({ length: 100 }, (_, at) => at + 2));
      expect(reading.badRowCount).toBe(count);
    }
  });

  it('does not ask for the US row of a priceId when that row is there but bad', () => {
    expect(badLines('gems,US,USD,x', 'gems,FR,EUR,2')).toEqual([2]);
  });

  it('takes the currency that a country is known to change to, beside the current one', () => {
    const rows = ['gems,US,USD,1', 'gems,BG,BGN,1.95', 'gems,BG,EUR,1'];
    const reading = read([HEADER, ...rows].join('\n'), '2025-12-01T00:00:00.000Z');
    expect(reading.accepted).toBe(true);
  });

  it.each([
    ['', 1],
    ['\n', 1],
    ['gems,US,USD,1\n', 1],
    ['priceId;country;currency;amount\n', 1],
    [`${HEADER}\n`, 2],
  ])('refuses %p on line %i', (text, line) => {
    const reading = read(text);
    expect(reading.accepted ? [] : reading.badRows.map((row) => row.line)).toEqual([line]);
  });

  it('refuses bytes that are not UTF-8 on their line', () => {
    const reader = new PriceSheetReader(NOW);
    reader.write(new TextEncoder().encode(`${HEADER}\ngems,US,USD,1\nge`));
    reader.write(new Uint8Array([0xff]));
    reader.write(new TextEncoder().encode('ms,US,USD,1\n'));
    const reading = reader.finish();
    expect(reading.accepted ? [] : reading.badRows.map(({ line }) => line)).toEqual([3]);
  });

  it('never crashes and never takes a half: damaged sheets come out whole or not at all', () => {
    const good = `${HEADER}\ngems,US,USD,9.99\ngems,DE,EUR,9.99\n"a ""b""",US,USD,0.5\r\n`;
    const damage = fc.record({
      at: fc.nat(good.length),
      remove: fc.nat(6),
      insert: fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '0', '-', 'US', '\0', 'é') }),
    });
    fc.assert(
      fc.property(fc.array(damage, { maxLength: 4 }), fc.integer({ min: 1, max: 7 }), check),
      { numRuns: 500 },
    );

    function check(damages: { at: number; remove: number; insert: string }[], piece: number): void {
      const text = damages.reduce(
        (before, { at, remove, insert }) =>
          before.slice(0, at) + insert + before.slice(at + remove),
        good,
      );
      const reading = read(text, NOW, piece);
      if (!reading.accepted) {
        expect(reading.badRows.length).toBeGreaterThan(0);
        return;
      }
      for (const { priceId } of reading.sheet.rows()) {
        expect(reading.sheet.column('US', 'USD').amount(priceId)).toBeDefined();
      }
    }
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const reader = new PriceSheetReader(NOW);
        reader.write(bytes);
        expect(reader.finish().accepted).toBe(false);
      }),
    );
  });
});

function read(text: string, at = NOW, pieceLength = 1_000_000): PriceSheetReading {
  const reader = new PriceSheetReader(at);
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += pieceLength) {
    reader.write(bytes.subarray(from, from + pieceLength));
  }
  return reader.finish();
}

function goodSheet(...rows: string[]) {
  const reading = read([HEADER, ...rows].join('\n'));
  if (!reading.accepted) throw new Error(JSON.stringify(reading.badRows));
  return reading.sheet;
}

function refused(...rows: string[]) {
  const reading = read([HEADER, ...rows].join('\n'));
  return reading.accepted ? [] : reading.badRows;
}

function badLines(...rows: string[]): number[] {
  return refused(...rows).map(({ line }) => line);
}
