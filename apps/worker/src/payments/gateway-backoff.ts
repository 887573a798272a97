import { ASK_AGAIN_MAX_MS, ASK_AGAIN_MIN_MS, RETRY_SOON_MS } from '../limits.js';

/** After so much of its age work without an outcome is asked for again: soon at first, then less often. */
const ASK_AFTER_AGE_FRACTION = 1 / 4;
/** Jobs that failed together do not come back together. */
const JITTER = 0.2;

/** The wait before the one repetition of an attempt that failed, in milliseconds. @param random from 0 to 1. */
export function gatewayRetryMs(random: number): number {
  return jittered(RETRY_SOON_MS, random);
}

/**
 * The wait before the gateway is asked again about a charge or refund that has no outcome, in
 * milliseconds: a quarter of its age, between a second and ten minutes, ±20 %. It follows from the event
 * alone, so that no count of attempts has to survive the loss of Redis.
 *
 * @param ageMs since the event that the work followed from. In an app whose test clock was moved that may
 *   be below 0, and is then asked for often. @param random from 0 to 1. @param capMs in place of ten minutes.
 */
export function askAgainAfterMs(
  ageMs: number,
  random: number,
  capMs: number = ASK_AGAIN_MAX_MS,
): number {
  const waitMs = Math.max(ASK_AGAIN_MIN_MS, ageMs * ASK_AFTER_AGE_FRACTION);
  return jittered(Math.min(waitMs, capMs), random);
}

function jittered(waitMs: number, random: number): number {
  return Math.round(waitMs * (1 - JITTER + 2 * JITTER * random));
}
