import { describe, expect, it } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_SHEET_ROWS, type PriceSheetRowsStored } from '#domain/price-sheet';
import { PriceSheetAssembler } from '../../../libs/price-books/src/row-chunks.js';

/** A full sheet takes less than this of a process (docs/performance.md). */
const MAX_SHEET_MEGABYTES = 60;

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
