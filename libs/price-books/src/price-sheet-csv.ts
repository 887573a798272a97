import { decimalsOf } from '#domain/money';
import { type PriceSheet, SHEET_COLUMNS } from '#domain/price-sheet';
import { toMajorText } from '#domain/pricing';
import { csvField } from '#platform';

/** Rows are handed out in pieces of this many, so that no caller holds a second copy of the sheet. */
const ROWS_PER_PIECE = 2_000;

/**
 * The sheet as canonical CSV, in pieces: rows sorted by priceId, country and currency, every decimal
 * of the currency, LF, quotes only where they must be. Equal sheets give equal bytes, however they
 * were ordered or quoted when they came: the SHA-256 of this text in UTF-8 is the content hash
 * (rules/prices 3).
 */
export function* renderPriceSheetCsv(sheet: PriceSheet): Generator<string> {
  let piece = `${SHEET_COLUMNS.join()}\n`;
  let rowsInPiece = 0;
  for (const { priceId, country, currency, amountMinor } of sheet.rows()) {
    const amount = toMajorText(amountMinor, decimalsOf(currency));
    piece += `${csvField(priceId)},${country},${currency},${amount}\n`;
    rowsInPiece += 1;
    if (rowsInPiece < ROWS_PER_PIECE) continue;
    yield piece;
    piece = '';
    rowsInPiece = 0;
  }
  if (piece !== '') yield piece;
}
