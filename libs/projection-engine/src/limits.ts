/** Every limit of the read models, each with its reason. */

/** A read takes under a millisecond; a caller that waited this long should learn that Redis is not well. */
export const READ_LIMIT_MS = 1_000;
/** A batch of the projector may meet a Redis that is busy saving; no caller waits for its answer. */
export const WRITE_LIMIT_MS = 5_000;
/** A connection that is not there by then is tried anew. */
export const CONNECT_LIMIT_MS = 1_000;
/** The wait of a caller who met a Redis out of reach. */
export const RETRY_AFTER_MS = 1_000;
/** How often the watermark is looked at while a call waits for it. */
export const WATERMARK_POLL_MS = 3;
/** A build is over in its own time; this is only when to ask again. */
export const RETRY_AFTER_BUILD_MS = 5_000;
/**
 * Documents of a partition that one command asks for, and events of a batch of a build with a bounded rate: more would keep
 * Redis for long from everything else.
 */
export const DOCUMENTS_AT_ONCE = 100;
/** Documents that a projector keeps, over its partitions: a busy stream is not fetched for every event. */
export const CACHED_DOCUMENTS = 5_000;
/**
 * Characters of remembered pages and their names, for each read model. With the documents made of them, and their
 * printed texts, a page of payments takes about ten times as many bytes.
 */
export const REMEMBERED_PAGES_LENGTH = 4_194_304;
/** The size of a remembered page beside its texts, in characters: its entry, and the list itself. It bounds their number. */
export const REMEMBERED_PAGE_OVERHEAD = 1_000;
/** Keys looked at, and deleted, in one step: each takes well under a millisecond of Redis' time. */
export const CLEARING_STEP = 500;
/** A process that was not heard of for so long may be replaced: its partitions stand still meanwhile. */
export const LEASE_MS = 3_000;
/**
 * How often loops poll Redis for the leases, some of which polls may fail before a lease runs out, and for partitions
 * that do not stand any more where the projector left them. Partitions without an event move on with the others no more
 * often: each is a write, and in a busy store of many partitions these would be most of the writes.
 */
export const TICK_MS = 1_000;
/**
 * How long partitions that change hands wait at most for the work on them to get further: less than a lease
 * lasts, since a store that is away must not keep them from others.
 */
export const MOVE_BEFORE_CHANGE_MS = 2_000;
/** A lease on keys to be deleted; no one waits for it, and large read models take some time. */
export const RETIREMENT_LEASE_MS = 60_000;
/** One for which a reader waits moves so soon: many waits at once move it no more often. */
export const AWAITED_MOVE_MS = 20;
/** How often a reader announces its wait again; a projector believes an announcement for five times as long. */
export const ANNOUNCE_AGAIN_MS = 200;
/**
 * Events handed over at once while read models are built: each partition's share of them is one script, which
 * takes a millisecond or two. No one waits for a single event then.
 */
export const BUILD_BATCH_SIZE = 1_024;
/** Documents that the gate compares with the events before a generation answers. */
export const GATE_SAMPLE = 1_000;
/** Events that wait for longer than this keep a generation from being judged, and so does a comparison of counts. */
export const UNAPPLIED_LIMIT_MS = 5_000;
/**
 * Read models that seem to be ahead of their store are believed to be so after this: a node that answers
 * from behind, or a leader that is being elected, has caught up long before.
 */
export const AHEAD_BELIEVED_AFTER_MS = 120_000;
/** Between attempts to begin, or to go on, while store or Redis is away: each may start together with us. */
export const OPEN_AGAIN_BASE_MS = 100;
export const OPEN_AGAIN_CAP_MS = 5_000;
/**
 * How often loops try parked streams, which a fixed release can read, look after unused read models, and look at
 * generations that the gate holds, since its findings may be mended meanwhile.
 */
export const SLOW_TICK_MS = 30_000;
/** Parked streams that are tried in one round: each is a read of the store. */
export const PARKED_RETRIED = 100;
/** How often generations are measured for the metrics; a lag is logged as often while there is one. */
export const MEASURED_EACH_MS = 5_000;
