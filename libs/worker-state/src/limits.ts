/** Every limit of the state that workers write and others read, each with its reason (decisions 0029 and 0031). */

/** Longer than the longest wait between two attempts, and than the days after which failures disable. */
export const FAILURES_KEPT_MS = 7 * 86_400_000;

/** The attempts of a second are bounded. */
export const TOKEN_AWAY_MS = 1_000;

/** How long attempts are kept: for long enough to look into a failure of last week. */
export const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** Attempts kept of an endpoint over all partitions: some 2 MB of Redis without answers. */
export const ATTEMPTS_KEPT = 10_000;
/** Of an answer: its beginning says why, and more of it would be most of the log. */
export const ANSWER_BYTES = 1_024;
/** 1,024 bytes as base64url, with the version, key id, initialization vector and tag before them. */
export const SEALED_ANSWER_CHARACTERS = 1_500;
/** Of the sentence that says why an attempt failed. */
export const ERROR_CHARACTERS = 160;
/** Of the address that an attempt went to. It may have 2,000, and stands in each of the 10,000 attempts of an endpoint. */
export const URL_CHARACTERS = 500;
/** Attempts that are asked for at once of a partition: a megabyte with answers. */
export const ATTEMPTS_AT_ONCE = 500;
