import { toMilliseconds } from '#domain/calendar';
import { ASK_AGAIN_MAX_MS, ASK_AGAIN_MIN_MS, RETRY_SOON_MS } from '../limits.js';
import type { Causation } from './payment-commands.js';

/** When the gateway is asked again: the longer it is since then, the later, up to the cap. */
export interface AskAgain {
  readonly sinceMs: number;
  readonly capMs: number;
}

/** The outcome of a job, in a word, as it is counted. */
export interface JobResult {
  readonly outcome: string;
  /** Null where the job has ended for good. */
  readonly again: AskAgain | null;
}

export function ended(outcome: string): JobResult & { readonly again: null } {
  return { outcome, again: null };
}

/** An event's charge or refund has no outcome yet. */
export function pendingSince({ occurredAt }: Causation): JobResult & { readonly again: AskAgain } {
  return pendingFrom(toMilliseconds(occurredAt));
}

/** As `pendingSince`, where the wall clock does not tell the age: that of an app may be ahead of it. */
export function pendingFor(ageMs: number): JobResult & { readonly again: AskAgain } {
  return pendingFrom(Date.now() - ageMs);
}

function pendingFrom(sinceMs: number): JobResult & { readonly again: AskAgain } {
  return { outcome: 'pending', again: { sinceMs, capMs: ASK_AGAIN_MAX_MS } };
}

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
