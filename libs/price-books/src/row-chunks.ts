import { type PriceSheet, type PriceSheetRowsStored, type StoredRow } from '#domain/price-sheet';
import { CompactPriceSheetBuilder } from './compact-price-sheet-builder.js';

/**
 * The store refuses an append above 1 MiB, with metadata and type names counted in. A quarter is
 * left for those, so that each chunk is an append of its own.
 */
export const MAX_CHUNK_BYTES = 768 * 1024;
/** Brackets and names around the rows of a chunk, generously. */
const CHUNK_FRAME_BYTES = 64;
/** UTF-8 takes three bytes at most for one character of JavaScript. */
const MAX_BYTES_PER_CHARACTER = 3;
const ASCII = /^[\0-\x7F]*$/;

/**
 * The rows as events, in canonical order and cut by size: equal sheets give equal chunks, so that an upload that broke
 * off halfway goes on, with the same event ids (decision 0022).
 */
export function* chunkRows(sheet: PriceSheet): Generator<PriceSheetRowsStored> {
  let rows: StoredRow[] = [];
  let bytes = CHUNK_FRAME_BYTES;
  let chunk = 0;
  for (const { priceId, country, currency, amountMinor } of sheet.rows()) {
    const row: StoredRow = [priceId, country, currency, amountMinor.toString()];
    const rowBytes = jsonBytesAtMost(row);
    if (bytes + rowBytes > MAX_CHUNK_BYTES) {
      yield { type: 'price_sheet_rows.stored.v1', data: { chunk, rows } };
      chunk += 1;
      rows = [];
      bytes = CHUNK_FRAME_BYTES;
    }
    rows.push(row);
    bytes += rowBytes;
  }
  yield { type: 'price_sheet_rows.stored.v1', data: { chunk, rows } };
}

/** Puts a sheet together again from its chunks; stored rows were checked before they were stored. */
export class PriceSheetAssembler {
  private readonly builder = new CompactPriceSheetBuilder();

  /** Takes the next chunk; the order does not matter. */
  add({ rows }: PriceSheetRowsStored['data']): void {
    for (const [priceId, country, currency, amountMinor] of rows) {
      this.builder.add({ priceId, country, currency, amountMinor: BigInt(amountMinor) });
    }
  }

  /** The sheet; a number of rows other than the one that was uploaded is a defect. */
  finish(rowCount: number): PriceSheet {
    const sheet = this.builder.build();
    if (sheet.rowCount === rowCount) return sheet;
    throw new Error(`A price sheet of ${rowCount} rows came back with ${sheet.rowCount}`);
  }
}

function jsonBytesAtMost(row: StoredRow): number {
  const text = JSON.stringify(row);
  const comma = 1;
  return (ASCII.test(text) ? text.length : text.length * MAX_BYTES_PER_CHARACTER) + comma;
}
