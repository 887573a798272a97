/** The limits of a copy, each with its reason. */

/** A window is written before the next one is read: enough for the store to group, and a few MB at most. */
export const WINDOW_EVENTS = 1_000;
export const WINDOW_BYTES = 4_194_304;
/** So long an event waits for others to go with it. */
export const WINDOW_MS = 20;
/** One append: a store takes a megabyte or more unless it is set otherwise; the source may have taken more at once. */
export const APPEND_EVENTS = 200;
export const APPEND_BYTES = 524_288;
/** Buckets that are written at the same time: the store groups appends in flight. */
export const BUCKETS_AT_ONCE = 64;
/** A record of how far it has come stands behind each window, and at most once a second where windows are small. */
export const RECORD_EVERY_MS = 1_000;
export const RECORD_EVERY_EVENTS = 1_000;
/**
 * How much may have been written behind the last record: a run that goes on looks for so many events whether
 * they are there, and makes its first record behind them.
 */
export const EVENTS_BEHIND_RECORD = RECORD_EVERY_EVENTS + 2 * WINDOW_EVENTS;
/** A store that is away for so long ends the copy; its next run goes on at the last record. */
export const OUT_OF_REACH_MS = 60_000;
/** A reading of the comparison that is begun again so often has waited for about as long. */
export const ATTEMPTS = 60;
export const RETRY_BASE_MS = 100;
export const RETRY_CAP_MS = 2_000;
/** Streams that are compared at a time: some 60 MB. Of a larger ledger some buckets are compared after others. */
export const STREAMS_AT_ONCE = 200_000;
/** Streams that a report names of each kind; it counts all. */
export const STREAMS_NAMED = 1_000;
/** Streams whose revisions differ in source and target, remembered; others are looked up again. */
export const SHIFTS_REMEMBERED = 10_000;
