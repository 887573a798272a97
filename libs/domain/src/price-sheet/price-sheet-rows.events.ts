import type { DomainEvent } from '../event/index.js';

/** A row as it is stored: priceId, country, currency and minor units as a decimal text. */
export type StoredRow = readonly [
  priceId: string,
  country: string,
  currency: string,
  amountMinor: string,
];

/**
 * A part of a sheet's rows. The rows of one content lie in one stream of their own, so that the
 * stream of an app's versions stays short; the same content uploaded again is the same stream
 * (decision 0022).
 */
export type PriceSheetRowsStored = DomainEvent<
  'price_sheet_rows.stored.v1',
  { readonly chunk: number; readonly rows: readonly StoredRow[] }
>;

/** Part of the stream's name: chunks that are cut otherwise must not meet in one stream. */
const CHUNK_LAYOUT = 'v1';

/** The stream that holds the rows of a content: `price_sheet_rows-<appId>-<content hash>.v1`. */
export function rowsStreamName(appId: string, contentHash: string): string {
  return `price_sheet_rows-${appId}-${contentHash}.${CHUNK_LAYOUT}`;
}
