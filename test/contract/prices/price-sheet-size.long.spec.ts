import { describe, expect, it } from 'vitest';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_SHEET_BYTES, MAX_SHEET_ROWS, type PriceSheetRowsStored } from '#domain/price-sheet';
import { PriceSheetReader } from '#price-books';
import { PriceSheetAssembler } from '../../../libs/price-books/src/row-chunks.js';

/** A full sheet takes less than this of a process (docs/performance.md). */
const MAX_SHEET_MEGABYTES = 60;
const NOW = '2026-06-01T00:00:00.000Z';

describe('a price sheet of 200,000 rows', () => {
  it.each([
    ['as many ids', MAX_SHEET_ROWS],
    ['a thousand ids', 1_000],
  ])('with %s stays below 60 MB in memory', (_, idCount) => {
    setFlagsFromString('--expose-gc');
    // The flag takes effect in a context that is made after it was set.
    const collectGarbage = runInNewContext('gc') as () => void;
    collectGarbage();
    const before = memoryUsed();
    const sheet = assemble(idCount);
    collectGarbage();
    const megabytes = (memoryUsed() - before) / 1_000_000;
    expect(sheet.rowCount).toBe(MAX_SHEET_ROWS);
    expect(megabytes).toBeLessThan(MAX_SHEET_MEGABYTES);
  });
});

describe('a price sheet that is too long', () => {
  const badRows = (reader: PriceSheetReader) => {
    const reading = reader.finish();
    return reading.accepted ? [] : reading.badRows;
  };

  it('is refused at its first row too many', () => {
    const reader = new PriceSheetReader(NOW);
    const rows = Array.from({ length: MAX_SHEET_ROWS + 5 }, (_, at) => `g${at},US,USD,1`);
    const csv = ['priceId,country,currency,amount', ...rows].join('\n');
    reader.write(new TextEncoder().encode(csv));
    expect(badRows(reader).map(({ line }) => line)).toEqual([MAX_SHEET_ROWS + 2]);
  });

  it('is refused at its first byte too many', () => {
    const reader = new PriceSheetReader(NOW);
    for (let fed = 0; fed <= MAX_SHEET_BYTES; fed += 1 << 20) reader.write(new Uint8Array(1 << 20));
    expect(badRows(reader).map(({ problems }) => problems)).toEqual([
      [{ column: 'row', reason: 'the sheet is longer than 33554432 bytes' }],
    ]);
  });
});

function memoryUsed(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** In chunks that went through JSON, as they come from the store. */
function assemble(idCount: number) {
  const assembler = new PriceSheetAssembler();
  const countryCount = MAX_SHEET_ROWS / idCount;
  const idsPerChunk = idCount / 100;
  for (let chunk = 0; chunk < 100; chunk += 1) {
    const rows = Array.from({ length: idsPerChunk * countryCount }, (_, at) => [
      `com.studio.game.item_${chunk * idsPerChunk + Math.floor(at / countryCount)}`,
      `C${at % countryCount}`,
      'USD',
      '999',
    ]);
    assembler.add(JSON.parse(JSON.stringify({ chunk, rows })) as PriceSheetRowsStored['data']);
  }
  return assembler.finish(MAX_SHEET_ROWS);
}
