/** Every limit of what is shared about endpoints, each with its reason (decision 0123). */

/**
 * Failures in a row that open an endpoint's breaker. A receiver that is restarted fails a few that are under way at
 * once; one whose every fifth message fails has a success among five.
 */
export const FAILURES_THAT_OPEN = 5;
/** How long a breaker is open at first, as long as until the second attempt of a delivery; it doubles each time. */
export const OPEN_AT_FIRST_MS = 5_000;
/** At most: a receiver that is back is sent its webhooks again within so long. */
export const OPEN_AT_MOST_MS = 300_000;
/** For this share longer or shorter, at random: what was opened together does not come back together. */
export const OPEN_JITTER = 0.2;
/** A probe is an attempt, of 15 s at most. What was not heard of by then is lost, and another one is made. */
export const PROBE_LASTS_MS = 20_000;
/** Longer than the longest wait between two attempts, and than the days after which failures disable. */
export const FAILURES_KEPT_MS = 7 * 86_400_000;

/** What is bounded are the attempts of a second. */
export const TOKEN_AWAY_MS = 1_000;

/** Attempts at one endpoint at once, beside one of each partition: more would only wait at the receiver. */
export const PLACES_OF_ENDPOINT = 32;
/** How long those are taken that a process had which died. */
export const PLACES_LENT_MS = 5_000;
