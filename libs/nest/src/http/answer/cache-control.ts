/**
 * The `Cache-Control` of whatever is for its caller alone: no cache keeps it, and no proxy compresses it,
 * since that would take the strong ETag away (rules/http 10).
 */
export const FOR_ITS_CALLER_ALONE = 'no-store, no-transform';
