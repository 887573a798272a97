/** Limits of a JSON body (rules/api 5), beside the one of its bytes. */

/** No request of ours nests deeper than three; a function that walks a body may call itself. */
export const MAX_DEPTH = 32;
/** Fields of one object: metadata has the most, with 50. */
export const MAX_FIELDS = 1_000;
/** Entries of one list: as many as there can be tax rates. */
export const MAX_ENTRIES = 5_000;
/** Fields and entries in all of one body. A route that needs more sets `maxValues`. */
export const MAX_VALUES = 10_000;
