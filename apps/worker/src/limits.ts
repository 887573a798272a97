/** Every limit of the worker, each with its reason. */

/** A script takes under a millisecond; a Redis that is busy saving may take its time. */
export const REDIS_LIMIT_MS = 5_000;
/** A connection that is not there by then is tried anew. */
export const REDIS_CONNECT_LIMIT_MS = 2_000;

/** Calls of one piece of work that are under way at once: as many as a connection carries beside the others. */
export const CALLS_AT_ONCE = 32;
/** Items that one script writes: in well under a millisecond of Redis' time, as others wait behind it. */
export const WRITTEN_AT_ONCE = 200;
/** Items that one reading of Redis gives. */
export const READ_PAGE = 1_000;
/** Due dates, charges and refunds that one poll takes up, or looks for: after an outage of hours many are due at once. */
export const TAKEN_UP_AT_ONCE = 500;
/** Payments and differences that one poll names in the log: a person looks at each. */
export const NAMED_AT_ONCE = 100;

/** How often loops poll for due work, for an operator's request, and whether Redis has lost data. */
export const TICK_MS = 1_000;
/** How often loops poll for work that is seldom there: parked streams, lost payments, the hour, the day. */
export const SLOW_TICK_MS = 60_000;

/** Waits between attempts with jitter, as of an outcome that Redis does not take, or a stream that others change. */
export const RETRY_BASE_MS = 100;
export const RETRY_CAP_MS = 2_000;
/** One wait before another attempt, after an error of Redis, of the gateway, or of a test clock's step, or for want of room. */
export const RETRY_SOON_MS = 500;
/**
 * A command to a stream that others keep changing is executed so often, which takes some four seconds: the
 * executor has tried five times in each. The checkpoint waits for it, so it must not take longer.
 */
export const HOT_STREAM_ATTEMPTS = 8;
/** Directory, read models and feed follow the same store: work that is ahead of them waits this long. */
export const FOLLOW_LIMIT_MS = 10_000;
/** Read models lag by milliseconds, and a start may have lost a job: work begins again no sooner. */
export const BEGUN_AGAIN_AFTER_MS = 5_000;

/** Streams whose folded state is kept, over all partitions, while their events go by: a few kB each. */
export const STATES_KEPT = 10_000;
/** Events that stay in memory for deliveries, over all partitions, with messages some 4 kB each. */
export const EVENTS_KEPT = 16_000;
/** Events that are read again at once. */
export const PAST_EVENTS_PAGE = 256;
/** Marks of ended messages: a batch of 256 events that comes again seldom gives more than 1,000 messages. */
export const ENDED_KEPT = 5_000;
/** Checkpoints that only move over events of others are written no more often. */
export const IDLE_CHECKPOINT_EVERY_MS = 2_000;
/** Parked streams tried again in one go: the events of the partition wait meanwhile. */
export const PARKED_RETRIED_AT_ONCE = 50;

/**
 * After the loss of all of Redis the backup alone is left: the work of so long is repeated then, for each page that the
 * backup has. With much in flight it is written more seldom, so that it costs no more.
 */
export const BACKUP_PAGE_EVERY_MS = 2_000;
/** Deliveries given up that backups name beside the list of all: their reasons fill one page. */
export const EXHAUSTED_BESIDE_LIST = 100;
/**
 * Where only the position moves: so much of others' events is read again after a loss. Each of these backups
 * moves the position of the others, so that an idle ledger writes them for ever: seldom enough not to matter.
 */
export const IDLE_BACKUP_EVERY_MS = 900_000;

/**
 * Each partition has at least so many slots of its own. One app has half of them at most, and three apps have
 * three quarters: with few there would soon be none for another.
 */
export const SLOTS_AT_LEAST = 16;
/** Charges and refunds at the gateway at once, over all partitions: half of them for one app. */
export const PAYMENT_JOBS_AT_ONCE = 64;
/** Deliveries at once, over all partitions: most of them wait for a receiver. */
export const DELIVERIES_AT_ONCE = 128;
/** Charges and refunds that wait and are remembered, over all partitions: some 1,400 bytes each. */
export const WAITING_KEPT = 20_000;
/** Work that this process may not do now, or requeued as it was, is tried again after so long. */
export const REQUEUED_FOR_MS = 1_000;
/** Deliveries that are requeued again, since our side fails on, wait up to so much longer. */
export const REQUEUED_CAP_MS = 15_000;

/** Attempts of one job. A charge without an outcome then is asked for again when it is due. */
export const GATEWAY_ATTEMPTS = 2;
/** Between two questions for the same charge or refund: a buyer may wait; bank debits settle within days. */
export const ASK_AGAIN_MIN_MS = 1_000;
export const ASK_AGAIN_MAX_MS = 600_000;
/** The gateway is asked every ten minutes at least. A charge or refund without an outcome for longer may be lost. */
export const SETTLING_AT_GATEWAY_MS = 3_600_000;
/** A charge that was given up is asked about for so long: card networks return money within a month (rules/payments 17). */
export const GIVEN_UP_ASKED_FOR_MS = 30 * 86_400_000;
/** How often the gateway is asked about a charge that was given up, in the end, and for its books. */
export const DAILY_MS = 86_400_000;
/**
 * A key is trusted so much shorter than the gateway remembers it: clocks of machines differ, and a charge may be found
 * only some time later (decision 0020).
 */
export const KEY_MARGIN_MS = 3_600_000;
/** Later than this, a sweep has failed, or finds more than it can begin. */
export const OVERDUE_AFTER_MS = 10_000;
/** Between two polls of a charge that is due and whose job may still wait or be under way. */
export const POLL_AGAIN_MS = 30_000;
/** Cards answer at once and bank debits within days: a person looks at a payment without an outcome for so long. */
export const PENDING_TOO_LONG_MS = 7 * 86_400_000;
/** Of reading the books of one app: others wait for it. */
export const RECONCILE_ACCOUNT_LIMIT_MS = 600_000;

/** A run of the scheduler looks at so many: should all of them be held up, the next run goes on behind them. */
export const DUE_IN_A_RUN = 10_000;
/**
 * Due dates of one app that have no outcome yet, over all partitions: as many as one app has slots for charges, and as
 * many again on their way to them and back, or nearly. More of them would only wait in memory, and stand in the log
 * before the events of other apps (rules/fairness 2).
 */
export const UNDER_WAY_OF_AN_APP = 56;
/** A charge without any news counts no longer: a gateway that hangs slows its app down and does not stop it. */
export const UNDER_WAY_LIMIT_MS = 10_000;
/** After a due date that could not be processed: a second, doubling, an hour at most. */
export const DUE_RETRY_BASE_MS = 1_000;
export const DUE_RETRY_CAP_MS = 3_600_000;

/** How often a partition that has done its part of a step looks whether the clock went on. */
export const ADVANCE_CHECK_EVERY_MS = 20;
/** A partition repeats the answer about its part of a step as often. */
export const CLOCK_PART_SAID_EVERY_MS = 10_000;
/** A charge without any news, not even that it is pending, holds the clock; after this, all is looked at anew. */
export const SETTLE_LIMIT_MS = 5_000;
/** The stream itself is asked as often, should a notification be missed. */
export const SETTLE_POLL_MS = 250;

/** Whole attempt, from the look-up of the name to the last byte of the answer (rules/webhooks 6). */
export const ATTEMPT_LIMIT_MS = 15_000;
/** More of an answer is not read. */
export const ANSWER_LIMIT_BYTES = 16_384;
/** `Retry-After` of a receiver is honoured up to this. */
export const RETRY_AFTER_MAX_MS = 24 * 3_600_000;
/** How often attempts are written into the delivery log: soon enough for readers, and few round trips. */
export const LOG_ATTEMPTS_EVERY_MS = 250;
/** Attempts that wait for the log, over all partitions: some 20 MB with answers, seconds of a full load. */
export const ATTEMPTS_GATHERED = 10_000;
/** A stop waits so long for the last of them. */
export const LOG_STOP_LIMIT_MS = 500;

/** How long a failing delivery may hold back later ones of its subject (rules/webhooks 6). */
export const HOLD_BACK_MS = 3_600_000;
/** Attempts at one endpoint at once, over all partitions: more would only wait at the receiver. */
export const ENDPOINT_ATTEMPTS_AT_ONCE = 32;
/** And in each partition at least: one place is for retries, the others for first attempts. */
export const ENDPOINT_ATTEMPTS_AT_LEAST = 2;
/**
 * Failures in a row that open an endpoint's breaker. A receiver that is restarted fails a few that are under way at
 * once; one whose every fifth message fails has a success among five.
 */
export const FAILURES_THAT_OPEN = 5;
/** How long a breaker is open at first, as long as until the second attempt of a delivery; it doubles each time. */
export const OPEN_AT_FIRST_MS = 5_000;
/** At most: a receiver that is back gets its webhooks within so long. Jobs of a disabled endpoint wait as long. */
export const OPEN_AT_MOST_MS = 300_000;
/** Endpoints of which a partition remembers how they are. */
export const ENDPOINTS_KEPT = 10_000;
/** How often a success is reported of an endpoint that has not failed here. */
export const SUCCESS_REPORTED_EVERY_MS = 3_600_000;
/** Where no token is there, it is not asked for again before. */
export const PAUSED_AT_LEAST_MS = 20;
/** Nothing but failures for so long disables an endpoint (rules/webhooks 6). */
export const FAILING_DISABLES_AFTER_MS = 5 * 86_400_000;

/** Deliveries to one endpoint that are in flight, over all partitions; and at least in one of them. */
export const IN_FLIGHT_OF_ENDPOINT = 1_000;
export const IN_FLIGHT_AT_LEAST_OF_PARTITION = 20;
/** How often backlogged endpoints that have room are polled for; asks memory only. */
export const BACKLOG_POLL_EVERY_MS = 50;
/** After so long another endpoint is read for: the one before may be days behind. */
export const BACKLOG_PASS_MS = 1_000;
/** An endpoint whose next message cannot be made is not read for: the store would be read for it in each turn. */
export const BACKLOG_HELD_UP_FOR_MS = 5_000;

/** Jobs of a partition that make their attempts at once: one that finds no room is put off, and holds no place. */
export const RETRIES_AT_ONCE = 64;
/** Those of one endpoint that find no room come back so far from each other. */
export const RETRY_SPACING_MS = 10;
/** A lock is renewed every half of it: jobs of a killed worker are taken up that much later. */
export const RETRY_LOCK_MS = 6_000;
/** How often queues are measured. */
export const MEASURE_EVERY_MS = 5_000;
/** Jobs that wait for this long while nothing is under way mean workers that only seem to run. */
export const WEDGED_AFTER_MS = 30_000;

/**
 * Jobs and steps on their way when a stop is asked for may take this long; attempts are given up. Their partitions have
 * half as much more, and the whole process twice as much.
 */
export const JOBS_STOP_LIMIT_MS = 2_000;
