/** Every limit of this library, with its reason. */

/**
 * Rows of the sheets that conversions use now, over all apps: a full sheet of 200,000 rows takes 20 MB
 * at the most, typically 2.5 MB. The app that was asked for longest ago makes room.
 */
export const SHELF_ROWS = 1_000_000;
/** Answers kept as they were sent, over all apps: a thousand of 100 prices each. */
export const KEPT_ANSWER_BYTES = 16 * 1024 * 1024;
/** Books kept, also of apps without a sheet: more apps than one process serves within an hour, at a few hundred bytes. */
export const SHELF_BOOKS = 20_000;
/** Sheets read at once: each takes up to 20 MB while it is put together. */
export const SHEETS_READ_AT_ONCE = 8;
