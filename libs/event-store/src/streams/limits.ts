/** Every limit of the event store's client, each with its reason. */

export interface AppendLimits {
  /** One attempt: the server itself gives up after 2 s, so an answer not there by twice that is lost. */
  readonly attemptMs: number;
  /** No attempt begins after this, so that a request is always answered within 15 s. */
  readonly retryForMs: number;
}
export const APPEND_LIMITS: AppendLimits = { attemptMs: 4_000, retryForMs: 8_000 };
/**
 * The largest append of the ledger: as much as EventStoreDB takes unless it is set otherwise. KurrentDB 26.1 takes 256
 * times as much, and such an append could be moved to no other store.
 */
export const LEDGER_APPEND_BYTES = 1_048_576;
/**
 * Before an append, a read or a dial is repeated while nodes are lost or elect a leader, with full jitter: appends in
 * flight share their next connection, and a dial over TLS costs a node more than an append.
 */
export const FAILOVER_BASE_MS = 20;
export const FAILOVER_CAP_MS = 250;
/**
 * The store groups appends in flight into one commit, and gains little beyond this. The client's own appends have been
 * seen to hang in bursts of over 100 on a fresh connection; ours are tried with 1,000.
 */
export const APPENDS_IN_FLIGHT = 256;
/** Appends that wait for their turn: more than this is a store that cannot keep up, and callers should know. */
export const APPENDS_WAITING = 10_000;
/**
 * A call that brings nothing for this long is given up: a read, whose stream may take longer in all, or a subscription
 * that is not confirmed.
 */
export const CALL_IDLE_MS = 8_000;
/**
 * A command begins no read again after this: longer than a failover takes, and a caller who waits 15 s is answered
 * before.
 */
export const READ_AGAIN_FOR_MS = 6_000;
/** Silence of a connection is counted in these (decision 0005): short against it, long against a turn of the loop. */
export const WATCH_TICK_MS = 250;
/** A connection on which nothing came for a second is asked for a sign of life. */
export const PROBE_AFTER_TICKS = 4;
/** A second later it is left. Twice within the 6 s that a frozen leader may cost, and time to look for another. */
export const SILENT_AFTER_TICKS = 8;
/** A node that was left and is named as the leader again, as one that is frozen is for seconds, has half a second. */
export const NAMED_AGAIN_AFTER_TICKS = 2;
/** The longest that silence is borne where one connection after the other brings nothing: below an append's 8 s. */
export const SILENT_AFTER_TICKS_AT_MOST = 24;
/** Seconds that a node may take to name the leader; one that is frozen takes all of them. The client's own is 5. */
export const GOSSIP_TIMEOUT_S = 1;
/** So often a read follows a leader that has changed; then the caller has to ask again. */
export const LEADER_MOVES = 5;
/** A store that starts together with us may take a moment; a start that waits longer, for any answer of it, is given up. */
export const START_LIMIT_MS = 60_000;
/**
 * A cluster that is new makes its users in its first moments, and a namespace may be opened while we start. A refusal, or
 * that the namespace is missing, is believed this time after the first one only.
 */
export const REFUSAL_LIMIT_MS = 5_000;
/** A sign of life takes some milliseconds: of an address that is looked at, and of the store for our own readiness. */
export const SIGN_OF_LIFE_MS = 2_000;
/** Closing waits for no server, unless a cluster was never found. */
export const CLOSE_MS = 1_000;
/** Events handed to a projector at once: enough to amortise a Redis call, little enough to stay prompt. */
export const BATCH_SIZE = 256;
/** A reader that catches up, and has handled all present events, waits this long for more to come. */
export const GATHERING_MS = 3;
/** Between subscriptions after an error, with full jitter. */
export const RESUBSCRIBE_BASE_MS = 100;
export const RESUBSCRIBE_CAP_MS = 5_000;
/** A command that met this many conflicts is given back as a fault: the stream is too contended. */
export const CONFLICTS = 5;
export const CONFLICT_BASE_MS = 5;
export const CONFLICT_CAP_MS = 100;
/** Folded states kept by a command executor: a few kB each. */
export const CACHED_STREAMS = 10_000;
/** Short-lived streams whose limit was said: a name each; an unknown one costs one read of its metadata. */
export const LIMITED_STREAMS_KNOWN = 50_000;

/**
 * The bytes that a store may send on a call before we have taken them: some two thousand events. A connection has as
 * much, which Node gives back as it comes; so it is this for each of the long calls.
 */
export const FLOW_CONTROL_WINDOW_BYTES = 1_048_576;

/** States kept live by a process (rules/events 11): apps, endpoints, clocks and prices of 10,000 tenants, twice over. */
export const LIVE_STATES = 80_000;
/** Of those together, as `weigh` counts them: a kilobyte each, and room for a few tenants of thousands of segments. */
export const LIVE_STATE_BYTES = 128 * 1024 * 1024;
/** Streams known not to exist: most apps have no test clock. A name and a few words each. */
export const LIVE_ABSENT_STREAMS = 40_000;
/** Streams read at once to be kept live: as many as one store answers in some milliseconds. */
export const LIVE_READS = 32;
/** Streams that wait to be read: more than these take a second to answer, and callers should know. */
export const LIVE_READS_WAITING = 2_000;
/** A reading that an event overtook is repeated; each repetition reads the missed ones alone. */
export const LIVE_READ_ATTEMPTS = 5;
/**
 * Between two looks at how the ledger is divided. Work done in the meantime is done twice, or not shown; a look is one
 * small read of the store.
 */
export const LEDGER_POLL_MS = 3_000;
