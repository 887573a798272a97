import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { PriceSheet, PriceSheetRowsStored, SheetRow } from '#domain/price-sheet';
import { CompactPriceSheetBuilder } from './compact-price-sheet-builder.js';
import { renderPriceSheetCsv } from './price-sheet-csv.js';
import { PriceSheetReader } from './price-sheet-reader.js';
import { chunkRows, MAX_CHUNK_BYTES, PriceSheetAssembler } from './row-chunks.js';

/** The dearest amount that a row may have. */
const MAX_AMOUNT_MINOR = 1_000_000_000_000_000n;

const PLACES = [
  ['US', 'USD'],
  ['DE', 'EUR'],
  ['JP', 'JPY'],
  ['KW', 'KWD'],
  ['HU', 'HUF'],
] as const;

/** Whole sheets: each id with a US row and some others, in any order. */
const sheetRows = fc
  .uniqueArray(fc.stringMatching(/^[a-zä",😀]{1,8}$/u), { maxLength: 30, minLength: 1 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((priceId) =>
        fc
          .tuple(fc.subarray([...PLACES.slice(1)]), fc.bigInt(0n, MAX_AMOUNT_MINOR))
          .map(([places, amount]) =>
            [PLACES[0], ...places].map(([country, currency], at) => ({
              priceId,
              country,
              currency,
              amountMinor: (amount + BigInt(at)) % (MAX_AMOUNT_MINOR + 1n),
            })),
          ),
      ),
    ),
  )
  .map((rows) => rows.flat())
  .chain((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }));

describe('the compact sheet', () => {
  it('answers exactly what was put in, and nothing else', () => {
    fc.assert(
      fc.property(sheetRows, (rows) => {
        const sheet = build(rows);
        expect(sheet.rowCount).toBe(rows.length);
        expect(sheet.priceIdCount).toBe(new Set(rows.map(({ priceId }) => priceId)).size);
        for (const [country, currency] of PLACES) {
          const column = sheet.column(country, currency);
          const wanted = new Map(
            rows
              .filter((row) => row.country === country)
              .map((row) => [row.priceId, row.amountMinor]),
          );
          const ids = rows.map(({ priceId }) => priceId);
          expect(ids.map((id) => column.amount(id))).toEqual(ids.map((id) => wanted.get(id)));
        }
        expect(sheet.column('US', 'EUR').amount(rows[0]!.priceId)).toBeUndefined();
        expect(sheet.column('US', 'EUR').isEmpty).toBe(true);
        expect(sheet.column('US', 'USD').isEmpty).toBe(false);
        expect(sheet.column('US', 'USD').amount('unknown')).toBeUndefined();
      }),
    );
  });

  it('hands out its rows in one order, however they came', () => {
    fc.assert(
      fc.property(sheetRows, (rows) => {
        expect([...build(rows).rows()]).toEqual([...build(rows.toReversed()).rows()]);
      }),
    );
  });
});

describe('the canonical CSV', () => {
  it('is the same for equal sheets, and reads back to the same sheet', () => {
    fc.assert(
      fc.property(sheetRows, (rows) => {
        const text = renderCsv(build(rows));
        expect(renderCsv(build(rows.toReversed()))).toBe(text);
        const reader = new PriceSheetReader('2026-06-01T00:00:00.000Z');
        reader.write(new TextEncoder().encode(text));
        const reading = reader.finish();
        expect(reading.accepted && renderCsv(reading.sheet)).toBe(text);
      }),
    );
  });

  it('prints every decimal of the currency', () => {
    const rows = PLACES.map(([country, currency]) => ({
      priceId: 'gems',
      country,
      currency,
      amountMinor: 5n,
    }));
    expect(renderCsv(build(rows))).toBe(
      'priceId,country,currency,amount\n' +
        'gems,DE,EUR,0.05\ngems,HU,HUF,0.05\ngems,JP,JPY,5\ngems,KW,KWD,0.005\ngems,US,USD,0.05\n',
    );
  });
});

describe('a long sheet', () => {
  it('is rendered in pieces that lose no row', () => {
    const priceIds = Array.from({ length: 5_000 }, (_, at) => `gems_${at}`);
    const sheet = build(
      priceIds.map((priceId) => ({ priceId, country: 'US', currency: 'USD', amountMinor: 5n })),
    );
    const pieces = [...renderPriceSheetCsv(sheet)];
    expect(pieces.length).toBeGreaterThan(1);
    const expected = priceIds.toSorted().map((priceId) => `${priceId},US,USD,0.05`);
    expect(pieces.join('').trimEnd().split('\n').slice(1)).toEqual(expected);
  });
});

describe('the stored rows', () => {
  it('come back as the sheet that was stored', () => {
    fc.assert(
      fc.property(sheetRows, (rows) => {
        const sheet = build(rows);
        const stored = [...chunkRows(sheet)].map(throughJson);
        expect(renderCsv(assemble(stored, rows.length))).toBe(renderCsv(sheet));
      }),
    );
  });

  it('stay below the append limit, also with ids of three bytes a character', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({
      priceId: `${'宝'.repeat(60)}${at}`,
      country: 'US',
      currency: 'USD',
      amountMinor: 999n,
    }));
    const chunks = [...chunkRows(build(rows))];
    expect(chunks.length).toBeGreaterThan(4);
    expect(chunks.map(({ data }) => data.chunk)).toEqual([...chunks.keys()]);
    for (const chunk of chunks) {
      expect(Buffer.byteLength(JSON.stringify(chunk.data))).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
    }
    expect(assemble(chunks, rows.length).rowCount).toBe(rows.length);
  });

  it('are missed when some did not come', () => {
    const rows = [{ priceId: 'gems', country: 'US', currency: 'USD', amountMinor: 1n }];
    const chunks = [...chunkRows(build(rows))];
    expect(() => assemble(chunks, 2)).toThrow('2 rows came back with 1');
  });
});

function build(rows: readonly SheetRow[]): PriceSheet {
  const builder = new CompactPriceSheetBuilder();
  for (const row of rows) builder.add(row);
  return builder.build();
}

function assemble(chunks: readonly PriceSheetRowsStored[], rowCount: number): PriceSheet {
  const assembler = new PriceSheetAssembler();
  for (const { data } of chunks) assembler.add(data);
  return assembler.finish(rowCount);
}

function renderCsv(sheet: PriceSheet): string {
  return [...renderPriceSheetCsv(sheet)].join('');
}

/** As the store gives it back: JSON of our own making. */
function throughJson(chunk: PriceSheetRowsStored): PriceSheetRowsStored {
  return JSON.parse(JSON.stringify(chunk)) as PriceSheetRowsStored;
}
