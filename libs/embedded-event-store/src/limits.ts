/** Every limit of the embedded event store, each with its reason. */

/** Loopback only: this is a store for one machine. */
export const HOST = '127.0.0.1';

/** EventStoreDB's default; code that passes here must pass there (rules/protocol 4). */
export const MAX_APPEND_BYTES = 1024 * 1024;

/**
 * A client splits a batch at 3 MiB, and a client may send up to 16 MiB before it is refused. The unfinished requests of a
 * call may hold twice as much together; an honest append needs a twentieth of that.
 */
export const MAX_RECEIVE_BYTES = 20 * 1024 * 1024;

/** Kestrel's default, so that a program meets the same wall here as in production. */
export const MAX_CALLS_PER_CONNECTION = 100;

/** EventStoreDB's write timeout: a batch that is not finished by then is answered with Timeout. */
export const WRITE_TIMEOUT_MS = 2000;

/** Unfinished requests on one BatchAppend call; a sane client has one or a few. */
export const MAX_UNFINISHED_REQUESTS = 1000;

/** Answers awaited on one BatchAppend call before we stop reading more requests from it. */
export const MAX_REQUESTS_IN_FLIGHT = 2000;

/**
 * The bytes that a client may send before they are read. With HTTP/2's 64 kB, a hundred appends in flight wait for the
 * next turn of the event loop.
 */
export const RECEIVE_WINDOW_BYTES = 1024 * 1024;

/** Bytes of answers that a call may owe its client before it makes no more: several of a connection's windows. */
export const MAX_UNSENT_BYTES = 256 * 1024;

/** Bytes waiting for the disk before append calls are made to wait. */
export const MAX_STAGED_BYTES = 32 * 1024 * 1024;

/** A stream name of any sane program is far shorter; the record stores its length in 16 bits. */
export const MAX_STREAM_NAME_BYTES = 16 * 1024;

/** The record stores an event type's length in 16 bits. */
export const MAX_EVENT_TYPE_BYTES = 65_535;

/** One step of a read: bounded in events and in bytes, so that no call holds the event loop. */
export const READ_CHUNK_EVENTS = 128;
export const READ_CHUNK_BYTES = 512 * 1024;

/** Streams whose heads are kept in memory after their appends; others are looked up on disk. */
export const CACHED_STREAM_HEADS = 20_000;

/** Recent event ids known for idempotency at `any` (EventStoreDB: 8 MiB, in memory only). */
export const RECENT_EVENT_IDS = 50_000;

/** Names of events that are kept for filters: those of some 150,000 events of a ledger, beside their strings' heads. */
export const REMEMBERED_NAMES_BYTES = 16 * 1024 * 1024;

/** How long a filter's regular expression may work on one chunk of names. */
export const REGEX_CHUNK_TIMEOUT_MS = 250;

/** Live checkpoints of a subscription come no closer. A read that waits for one waits no longer than this. */
export const CHECKPOINTS_GATHERED_MS = 50;

/** Longer expressions are refused before they are compiled. */
export const MAX_REGEX_LENGTH = 4096;

/**
 * The address space that lmdb maps of its file. Addresses, not memory: the map grows beyond it, but lmdb keeps the
 * smaller ones beside each larger one, and pages read through them stay resident twice.
 */
export const MAPPED_BYTES = 64 * 2 ** 30;

/** Events that are verified in one step, after which the progress is shown. */
export const VERIFY_CHUNK_EVENTS = 1000;

/**
 * Open calls have so long to hear of an orderly end, or of damage that the store met, before their connections
 * are cut.
 */
export const SHUTDOWN_GRACE_MS = 1500;

/** How soon the file stops growing after a backup was killed: pages of its reader are not written over. */
export const DEAD_READERS_EVERY_MS = 60_000;
