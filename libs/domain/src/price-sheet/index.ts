export { convertPrices, termsKey } from './conversion.js';
export {
  type ConversionRejection,
  type ConversionRequest,
  conversionViolations,
} from './conversion-request.js';
export { findDoubtfulRows } from './doubtful-row.js';
export { dryRun, type PriceChange } from './dry-run.js';
export { explainQuote, type ExplainRejection } from './explain.js';
export {
  decidePriceSheet,
  priceSheetAggregate,
  type PriceSheetRejection,
} from './price-sheet.decide.js';
export type { PriceSheetEvent, UploadedContent } from './price-sheet.events.js';
export {
  currentPriceSheet,
  evolvePriceSheet,
  noPriceSheet,
  type PriceSheetHistory,
  type PriceSheetVersion,
  priceSheetVersion,
} from './price-sheet.state.js';
export type { PriceColumn, PriceSheet } from './price-sheet.js';
export {
  type PriceSheetRowsStored,
  rowsStreamName,
  type StoredRow,
} from './price-sheet-rows.events.js';
export type { PricingBasis, Quote, QuoteProvenance } from './quote.js';
export {
  badRowViolation,
  type BadRow,
  type BadRows,
  MAX_SHEET_BYTES,
  MAX_SHEET_ROWS,
  SheetCheck,
  type SheetRecord,
} from './sheet-check.js';
export { SHEET_COLUMNS, type SheetRow } from './sheet-row.js';
