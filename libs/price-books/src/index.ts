export { collectDoubtfulRows, describeDoubtfulRows, type DoubtfulRows } from './doubtful-rows.js';
export { PRICE_AGGREGATES, PriceBooks } from './price-books.js';
export { renderPriceSheetCsv } from './price-sheet-csv.js';
export { PriceSheetReader, type SheetThatWasRead } from './price-sheet-reader.js';
export { hashContent, storeRows } from './stored-sheets.js';
