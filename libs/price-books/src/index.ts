export { openPriceBooks, type PriceBooks } from './price-books.js';
export { contentHashOf, storeRows } from './sheet-rows.js';
