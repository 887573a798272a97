import type { DomainEvent, Instant } from '../event/index.js';

/** The description of an upload, without the rows themselves: they are in a stream of their own. */
export interface UploadedContent {
  /** SHA-256 of the canonical CSV, in lower-case hexadecimal. */
  readonly contentHash: string;
  readonly rowCount: number;
  readonly priceIdCount: number;
  /** The stream of the rows, and the number of its events. */
  readonly rowsStream: string;
  readonly chunkCount: number;
}

/** A sheet came in whole and good; the stream is `price_sheet-<appId>`. */
export type PriceSheetUploaded = DomainEvent<
  'price_sheet.uploaded.v1',
  UploadedContent & {
    /** Counted from 1 in the stream. */
    readonly version: number;
    readonly uploadedBy: string;
    readonly uploadedAt: Instant;
  }
>;

/** From this moment on, conversions use this version. */
export type PriceSheetActivated = DomainEvent<
  'price_sheet.activated.v1',
  { readonly version: number; readonly activatedBy: string; readonly activatedAt: Instant }
>;

export type PriceSheetEvent = PriceSheetUploaded | PriceSheetActivated;
