/** Every limit of what is shared about endpoints, each with its reason (decision 0029). */

/** Longer than the longest wait between two attempts, and than the days after which failures disable. */
export const FAILURES_KEPT_MS = 7 * 86_400_000;

/** What is bounded are the attempts of a second. */
export const TOKEN_AWAY_MS = 1_000;
