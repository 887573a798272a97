import type { DomainEvent } from '../event/index.js';
import { PriceSheetBuilder } from './price-sheet-builder.js';
import type { PriceSheet } from './price-sheet.js';

/** A row as it is stored: priceId, country, currency and minor units as a decimal text. */
type StoredRow = readonly [priceId: string, country: string, currency: string, amountMinor: string];

/**
 * A part of a sheet's rows. The rows of one content lie in one stream of their own, so that the
 * stream of an app's versions stays short; the same content uploaded again is the same stream.
 */
export type PriceSheetRowsStored = DomainEvent<
  'price_sheet_rows.stored.v1',
  { readonly chunk: number; readonly rows: readonly StoredRow[] }
>;

/**
 * The store refuses an append above 1 MiB, with metadata and type names counted in. A quarter is
 * left for those, so that each chunk is an append of its own.
 */
export const MAX_CHUNK_BYTES = 768 * 1024;
/** Part of the stream's name: chunks that are cut otherwise must not meet in one stream. */
const CHUNK_LAYOUT = 'v1';
/** Brackets and names around the rows of a chunk, generously. */
const CHUNK_FRAME_BYTES = 64;
/** UTF-8 takes three bytes at most for what JavaScript counts as one. */
const MAX_BYTES_PER_CHARACTER = 3;
const ASCII = /^[\0-\x7F]*$/;

/** The stream that holds the rows of a content: `price_sheet_rows-<appId>-<content hash>.v1`. */
export function rowsStreamName(appId: string, contentHash: string): string {
  return `price_sheet_rows-${appId}-${contentHash}.${CHUNK_LAYOUT}`;
}

/**
 * The rows as events, in canonical order and cut by size: equal sheets give equal chunks, so that an
 * upload that broke off halfway goes on where it was, with the same event ids.
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

/** Puts a sheet together again from its chunks; stored rows were judged when they came. */
export class PriceSheetAssembler {
  private readonly builder = new PriceSheetBuilder();

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
