/** Every limit of the catalog callback, each with its reason (rules/catalog). */

/** Of a whole call: a player waits for the page meanwhile. */
export const CALL_LIMIT_MS = 5_000;
/** No more of an answer is read: a shop of a thousand items with long texts has half of it. */
export const ANSWER_LIMIT_BYTES = 1_048_576;

/** A page shows all rows at once. */
export const MAX_ROWS = 100;
/** Over all rows: more of them no player looks through, and each is looked at for every page. */
export const MAX_ITEMS = 1_000;
/** As names of plans have. */
export const MAX_NAME_CHARACTERS = 200;
export const MAX_ID_CHARACTERS = 200;
export const MAX_DESCRIPTION_CHARACTERS = 2_000;
export const MAX_ADDRESS_CHARACTERS = 2_000;
/** Nine digits are beyond any purchase, and exact wherever they are counted. */
export const MAX_PURCHASABLE = 999_999_999;
/** Dates end with the year 9999 (rules/api 7). */
export const LAST_SECOND = 253_402_300_799;
/** As refusals of our own name (rules/api 6). */
export const MAX_VIOLATIONS = 100;

/** How long an answer may stand in for the next page of the same player: who clicks on sees one catalog. */
export const KEPT_MS = 5_000;
/** Answers that are kept, of all apps: 500 large ones are some 100 MB at worst, and common ones 5. */
export const ANSWERS_KEPT = 500;
/** Of the fields of items that were found good, each twice in memory: 20,000 items of 400 characters. */
export const KNOWN_ITEMS_CHARACTERS = 8 * 1_048_576;
/** Calls of one app at once in a process: a studio's backend is asked for one page of each of so many players. */
export const CALLS_AT_ONCE = 32;
/** Calls of one app that may wait for one of those to end; the next one fails at once. */
export const CALLS_WAITING = 256;
/** A call that waited longer is not made any more: its player has seen the error page by then. */
export const WAIT_LIMIT_MS = 5_000;
/** Apps that are remembered in memory, each with a few hundred bytes. */
export const APPS_REMEMBERED = 10_000;

/** Calls in a row that fail until none is made for a while, and for how long at first: it doubles each time. */
export const FAILURES_THAT_OPEN = 5;
export const OPEN_AT_FIRST_MS = 5_000;
/** A failing catalog is tried again after so long at most: players look at the page that says so. */
export const OPEN_AT_MOST_MS = 30_000;

/** Failures are kept for a week: as long as attempts at webhooks (rules/webhooks 10). */
export const FAILURES_KEPT_SECONDS = 7 * 86_400;
/** Of one app: with the 14 kB that a failure takes at worst, 28 MB. */
export const FAILURES_KEPT = 2_000;
/** Of one app and process, failures that are recorded at once ... */
export const RECORDED_AT_ONCE = 10;
/** ... and how long it takes until there is room for another one: a day of failures is 17,280. */
export const RECORDED_EVERY_MS = 5_000;
