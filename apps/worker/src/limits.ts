/** Every limit of the worker, each with its reason. */

/** A script takes under a millisecond; a Redis that is busy saving may take its time. */
export const REDIS_LIMIT_MS = 5_000;

/** A connection that is not there by then is tried anew. */
export const REDIS_CONNECT_LIMIT_MS = 2_000;

/** Streams whose folded state is kept, over all partitions, while their events go by: a few kB each. */
export const STATES_KEPT = 10_000;
/** Things done at once for the events of one batch: as many as the store has appends in flight. */
export const COMMANDS_AT_ONCE = 32;
/**
 * A command to a stream that others keep changing is executed so often, which takes some three seconds: the
 * executor has tried five times in each. The checkpoint waits for it, so it must not take longer.
 */
export const HOT_STREAM_ATTEMPTS = 8;
export const HOT_STREAM_BASE_MS = 50;
export const HOT_STREAM_CAP_MS = 1_000;
/** The tenants' directory follows the same store; a batch that is ahead of it waits this long. */
export const DIRECTORY_LIMIT_MS = 10_000;
/** Checkpoints that only move over events of others are written no more often. */
export const IDLE_CHECKPOINT_EVERY_MS = 2_000;
/** How often the feed looks whether Redis still has its writes. */
export const LOSS_CHECK_EVERY_MS = 1_000;

/**
 * The backup is left after the loss of all of Redis: so much is repeated then, for each page that the backup has. With
 * much in flight it is written more seldom, so that it costs no more.
 */
export const BACKUP_PAGE_EVERY_MS = 2_000;
/** Deliveries given up that backups name beside the list of all: their reasons fill one page. */
export const EXHAUSTED_BESIDE_LIST = 100;
/**
 * Where only the position moves: so much of others' events is read again after a loss. Each of these backups
 * moves the position of the others, so that an idle ledger writes them for ever: seldom enough not to matter.
 */
export const IDLE_BACKUP_EVERY_MS = 900_000;
/** Things in flight that one script takes: well under a millisecond of Redis' time for each hundred. */
export const BEGUN_AT_ONCE = 500;
/** Ends that one script takes. */
export const ENDED_AT_ONCE = 200;
/** Things in flight that one script reads. */
export const IN_FLIGHT_PAGE = 1_000;
/** Deliveries that were given up that one script names, or names no more. */
export const EXHAUSTED_CHANGED_AT_ONCE = 500;
/** Events read at once, out of turn: as many calls as a connection carries beside the others. */
export const READS_AT_ONCE = 32;

/** How often all parked streams are tried again: missing data may be there by then. */
export const PARKED_RETRY_EVERY_MS = 60_000;
/** How soon an operator's request is seen to; asks memory only. */
export const PARKED_CHECK_EVERY_MS = 1_000;
/** Parked streams tried again in one go: the events of the partition wait meanwhile. */
export const PARKED_RETRIED_AT_ONCE = 50;

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
/** A lock is renewed every half of it: a killed worker's jobs are taken up that much later. */
export const RETRY_LOCK_MS = 6_000;
export const STALLED_CHECK_EVERY_MS = 1_000;
/** Stalls say something about workers, nothing about the job: they must not fail it. */
export const STALLS_ALLOWED = 1_000;
/** After an error of Redis, before the same thing is tried again. */
export const JOB_RETRY_AFTER_MS = 500;
/** Marks of ended messages: a batch of 256 events that comes again seldom gives more than 1,000 messages. */
export const ENDED_KEPT = 5_000;
/** The jobs that a stop requeues are not for this process, which may still be taking up jobs. */
export const REQUEUED_FOR_MS = 1_000;
/**
 * A job that is requeued again, since our side fails on, waits up to so much longer: all due ones would ask each
 * second.
 */
export const REQUEUED_CAP_MS = 15_000;
/** After an act that was refused since another worker, or a later start of this one, has the right to it. */
export const FENCED_RETRY_MS = 1_000;

/** An answer of the gateway that was lost is there when it is asked once more, soon. */
export const GATEWAY_RETRY_MS = 500;
/** Attempts of one job. A charge without an outcome then is asked for again when it is due. */
export const GATEWAY_ATTEMPTS = 2;
/** Between two questions for the same charge or refund: a buyer may wait; bank debits settle within days. */
export const ASK_AGAIN_MIN_MS = 1_000;
export const ASK_AGAIN_MAX_MS = 600_000;
/**
 * A charge that was given up is asked about for so long, once a day in the end: card networks take back money that is
 * not captured within a month (rules/payments 17).
 */
export const GIVEN_UP_ASKED_FOR_MS = 30 * 86_400_000;
export const ASK_GIVEN_UP_MAX_MS = 86_400_000;
/**
 * A key is trusted so much shorter than the gateway remembers it: clocks of machines differ, and a charge may be found
 * only some time later (decision 0020).
 */
export const KEY_MARGIN_MS = 3_600_000;
/** How often due work at the gateway is looked for. */
export const GATEWAY_SWEEP_EVERY_MS = 1_000;
/**
 * Charges and refunds that one sweep begins again, beside those at work: after an outage of hours many are due
 * at once. So many are also put off by one script, in about a millisecond of Redis' time.
 */
export const GATEWAY_SWEPT_AT_ONCE = 500;
/** Later than this, a sweep has failed, or finds more than it can begin. */
export const OVERDUE_AFTER_MS = 10_000;
/** A charge that is noted and has no job after this is begun again; a start does not wait for it. */
export const JOB_LOST_AFTER_MS = 5_000;
/** Between two looks at a charge that is due and whose job may still wait or be under way. */
export const POLL_AGAIN_MS = 30_000;

/**
 * The gateway is asked again every ten minutes at least. A charge or refund that has had no outcome for longer is in
 * flight, or it was lost.
 */
export const LOST_AT_GATEWAY_AFTER_MS = 3_600_000;
/** How often such payments are looked for, and how many of a partition at once: two reads for each. */
export const LOST_AT_GATEWAY_CHECK_EVERY_MS = 60_000;
export const LOST_AT_GATEWAY_AT_ONCE = 100;

/** Cards answer at once and bank debits within days: a payment without an outcome for so long is looked at. */
export const PENDING_TOO_LONG_MS = 7 * 86_400_000;
/** How often such payments are looked for, and how many are named in the log at once. */
export const PENDING_CHECK_EVERY_MS = 60_000;
export const PENDING_NAMED = 100;
/** The gateway's books are compared with the ledger once a day; how often it is looked whether that is due. */
export const RECONCILE_EVERY_MS = 86_400_000;
export const RECONCILE_CHECK_EVERY_MS = 600_000;
/** The gateway's acts within this time may be on their way: it is asked again at least every ten minutes. */
export const RECONCILE_SETTLING_MS = 3_600_000;
/** Of reading the books of one app: others wait for it. */
export const RECONCILE_ACCOUNT_LIMIT_MS = 600_000;
/** Differences of a partition that one run names in the log; all are counted. */
export const DIFFERENCES_NAMED = 100;
/** How often the scheduler looks for due dates. */
export const SCHEDULE_EVERY_MS = 1_000;
/** Due subscriptions of a partition that are asked for at once, the longest overdue first. */
export const DUE_AT_ONCE = 500;
/** The due dates of one run: should all of them be held up, the next run goes on behind them. */
export const DUE_IN_A_RUN = 10_000;
/**
 * Due dates of one app that have no outcome yet, over all partitions, and in each at least: the concurrency slots that
 * one app has for charges at most, and as many again on their way to them and back, or nearly. More of them would only
 * wait in memory, and stand in the log before the acts of other apps (rules/fairness 2).
 */
export const UNDER_WAY_OF_AN_APP = 56;
export const UNDER_WAY_OF_AN_APP_AT_LEAST = 8;
/**
 * Due dates of one app that wait in memory for room: more than end until a run finds others of it, a second later. With
 * 512 of them an app got no more than as many in a second.
 */
export const PASSED_OVER_OF_AN_APP = 2_048;
/** Those of all apps in a partition, some 200 bytes each. */
export const PASSED_OVER_KEPT = 20_000;
/** A charge without any news counts no longer: a gateway that hangs slows its app down and does not stop it. */
export const UNDER_WAY_LIMIT_MS = 10_000;
/** After a due date that could not be processed: a second, doubling, an hour at most. */
export const DUE_RETRY_BASE_MS = 1_000;
export const DUE_RETRY_CAP_MS = 3_600_000;
/** Read models are behind by milliseconds: a due date taken up just now is not taken up again before this. */
export const TAKEN_UP_FOR_MS = 5_000;
/** Test clocks that are looked up at once: a name each. */
export const CLOCKS_AT_ONCE = 1_000;
/** Between attempts to look them up, with full jitter. */
export const LEARN_AGAIN_BASE_MS = 100;
export const LEARN_AGAIN_CAP_MS = 5_000;
/** Partitions whose test clocks are learnt at once: one whose read model is behind holds up no other. */
export const LEARNT_AT_ONCE = 64;
/** Apps with a test clock that are asked for due dates at once. */
export const APPS_AT_ONCE = 8;

/** How often a partition that has done its part of a step looks whether the clock went on. */
export const ADVANCE_CHECK_EVERY_MS = 20;
/** A partition's message about its part of a step is repeated as often, and kept in Redis for so long. */
export const CLOCK_PART_SAID_EVERY_MS = 10_000;
export const CLOCK_PART_KEPT_MS = 60_000;
/** The longest wait of a step: for the read models, the directory, the feed. */
export const STEP_LIMIT_MS = 10_000;
/** A charge without any news, not even that it is pending, holds the clock; after this, all is looked at anew. */
export const SETTLE_LIMIT_MS = 5_000;
/** The stream itself is asked as often, should a notification be missed. */
export const SETTLE_POLL_MS = 250;
/** Due subscriptions that one step takes up in one go. */
export const STEP_AT_ONCE = 1_000;
/** After a failed step. */
export const ADVANCE_RETRY_MS = 250;

/** Whole attempt, from the look-up of the name to the last byte of the answer (rules/webhooks 6). */
export const ATTEMPT_LIMIT_MS = 15_000;
/** More of an answer is not read. */
export const ANSWER_LIMIT_BYTES = 16_384;
/** How often attempts are written into the delivery log: soon enough for readers, and few round trips. */
export const LOG_ATTEMPTS_EVERY_MS = 250;
/** Attempts that one script adds, in under a millisecond of Redis' time: ends of deliveries wait behind it. */
export const ATTEMPTS_LOGGED_AT_ONCE = 200;
/** Attempts that wait for the log, over all partitions: some 20 MB with answers, seconds of a full load. */
export const ATTEMPTS_GATHERED = 10_000;
/** The wait of a stop for the last of them. */
export const LOG_STOP_LIMIT_MS = 500;
/** How long a failing delivery may hold back later ones of its subject (rules/webhooks 6). */
export const HOLD_BACK_MS = 3_600_000;
/** Attempts at one endpoint at once, over all partitions: more would only wait at the receiver. */
export const ENDPOINT_ATTEMPTS_AT_ONCE = 32;
/** And in each partition at least: one slot is for retries, the others for first attempts. */
export const ENDPOINT_ATTEMPTS_AT_LEAST = 2;
/**
 * Failures in a row that open an endpoint's breaker. A receiver that is restarted fails a few that are under way at
 * once; one whose every fifth message fails has a success among five.
 */
export const FAILURES_THAT_OPEN = 5;
/** How long a breaker is open at first, as long as until the second attempt of a delivery; it doubles each time. */
export const OPEN_AT_FIRST_MS = 5_000;
/** At most: a receiver that is back is sent its webhooks again within so long. */
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
/**
 * Deliveries to one endpoint that are deferred, beside its in-flight limit, over all partitions: messages that a
 * receiver refuses for days would fill the limit, and hold back those that it takes.
 */
export const DEFERRED_OF_ENDPOINT = 9_000;
/** How often it is looked for backlogged endpoints and have room; asks memory only. */
export const BACKLOG_POLL_EVERY_MS = 50;
/** Events that are read again at once. */
export const PAST_EVENTS_PAGE = 256;
/** After so long another endpoint is read for: the one before may be days behind. */
export const BACKLOG_PASS_MS = 1_000;
/** An endpoint whose next message cannot be made is not read for: the store would be read for it in each turn. */
export const BACKLOG_HELD_UP_FOR_MS = 5_000;
/** Events that are in memory for backlogged endpoints, over all partitions: nearly all of them those below. */
export const RECENT_EVENTS_KEPT = 16_000;
/** Events whose messages are in memory, over all partitions, some 4 kB each; others are read again. */
export const MESSAGES_KEPT = 16_000;
/** Jobs of failed deliveries that are read at once when a partition is taken up. */
export const RETRIES_PAGE = 1_000;
/** Jobs of a partition that make their attempts at once: one that finds no room is put off, and holds no slot. */
export const RETRIES_AT_ONCE = 64;
/** One that finds no room comes back after so long, and those of one endpoint so far from each other. */
export const RETRY_AGAIN_MS = 250;
export const RETRY_SPACING_MS = 10;
/** A job whose endpoint is disabled is put off for so long. When that is enabled, it is promoted. */
export const RETRY_HELD_FOR_MS = 300_000;
/** Waits before an outcome is noted again. */
export const OUTCOME_RETRY_BASE_MS = 200;
export const OUTCOME_RETRY_CAP_MS = 2_000;
/** `Retry-After` of a receiver is honoured up to this. */
export const RETRY_AFTER_MAX_MS = 24 * 3_600_000;

/** Jobs and steps on their way when a stop is asked for may take this long; attempts are given up. */
export const JOBS_STOP_LIMIT_MS = 2_000;
export const LOOPS_STOP_LIMIT_MS = 2_200;
export const PARTITIONS_STOP_LIMIT_MS = 3_000;
export const STOP_LIMIT_MS = 4_000;
/** How often it is looked whether the last record of the time index is an hour old: one read. */
export const TIME_INDEX_CHECK_EVERY_MS = 600_000;
/** How often queues are measured. */
export const MEASURE_EVERY_MS = 5_000;
/** Jobs that wait for this long while nothing is under way mean workers that only seem to run. */
export const WEDGED_AFTER_MS = 30_000;
