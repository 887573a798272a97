import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '#domain/event';
import { type BadRow, badRowViolation, MAX_SHEET_BYTES } from '#domain/price-sheet';
import { ApiError } from '#nest';
import { PriceSheetReader, type SheetThatWasRead } from '#price-books';
import { readUpload, type Upload } from '../../http/read-upload.js';

const PRICE_SHEET = { name: 'The price sheet', maxBytes: MAX_SHEET_BYTES };

/**
 * Reads a price sheet as it arrives, a piece at a time, so that other requests are
 * answered in between. Nothing is kept of a sheet that is bad, too long or breaks off.
 *
 * @param at the moment whose countries and currencies apply.
 * @throws ApiError, for a bad sheet with a violation for every bad row, up to a hundred.
 */
export async function readPriceSheet(upload: Upload, at: Instant): Promise<SheetThatWasRead> {
  const reader = new PriceSheetReader(at);
  for await (const bytes of readUpload(upload, PRICE_SHEET)) {
    reader.write(bytes);
    await nextTurn();
  }
  const reading = reader.finish();
  if (!reading.accepted) throw badSheet(reading.badRows, reading.badRowCount);
  return reading;
}

function badSheet(badRows: readonly BadRow[], count: number): ApiError {
  const rows = count === 1 ? 'one bad row' : `${count} bad rows`;
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'INVALID_PRICE_SHEET',
    message: `The price sheet has ${rows}; nothing of it was taken.`,
    fieldViolations: badRows.map(badRowViolation),
    violationCount: count,
  });
}
