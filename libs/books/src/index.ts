export { type BookFile } from './book-file.js';
export { BooksLog } from './books-log.js';
export { DuckDb, sqlText } from './duckdb.js';
export { type BooksFigures, BooksKeeper } from './keep-books.js';
export { LeafOrder } from './leaf-order.js';
export { type BookedEvent, type Poster } from './posted-log.js';
