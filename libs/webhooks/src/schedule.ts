const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each attempt (rules/webhooks 6); the first is made at once. About three days in all. */
export const RETRY_SCHEDULE_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
];

/** ±20 % (rules/webhooks 6), so that deliveries that failed together do not come back together. */
const JITTER = 0.2;

/**
 * The wait before an attempt, in milliseconds.
 *
 * @param attempt counted from 0, the first one.
 * @param random from 0 to 1.
 * @returns undefined when no such attempt is made.
 */
export function delayBeforeAttempt(attempt: number, random: number): number | undefined {
  const delayMs = RETRY_SCHEDULE_MS[attempt];
  if (delayMs === undefined) return undefined;
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
}
