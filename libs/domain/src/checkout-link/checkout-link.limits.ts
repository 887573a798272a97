import { addHours, addMilliseconds } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { CheckoutAttempted } from './checkout-link.events.js';

/** Attempts to pay one thing, in their order, as far as their limits go by them. */
export interface AttemptSeries {
  readonly status: 'open' | 'attempting' | 'completed';
  /** The payment that was captured for it; null until then. */
  readonly paidBy: string | null;
  /** The change of a subscription; null where the link sells something. */
  readonly change: object | null;
  readonly attempts: readonly {
    readonly wallAttemptedAt: Instant;
    readonly paymentId: string | null;
    readonly challenge: object | null;
    readonly decline: object | null;
  }[];
}

/**
 * Limits that keep a link from being used to try out stolen cards (rules/payments 2). All of it follows from the link's
 * own events and the wall clock, so that it outlives every process and cannot be got round by many requests at once: an
 * attempt is appended at the revision it was decided on.
 */

/** Ten declines lock a link (rules/payments 2). An attempt without an answer counts as one. */
const ATTEMPTS_ALLOWED = 10;

/** A link whose attempt has no answer for so long can be paid by another method (rules/payments 2). */
export const ANSWER_LIMIT_MS = 10_000;

/**
 * A first purchase without an outcome is given up after so long, by the wall clock as all of a link
 * (rules/payments 17).
 */
const OPEN_AT_MOST_HOURS = 24;

/**
 * A link is all that it takes to join its attempt under ever new keys, so only so many are remembered
 * (rules/payments 3). A buyer's own browser retries a click a few times, and always with one key.
 */
export const KEYS_REMEMBERED = 20;

/** The pause after the first declined attempt, the second, ...: people do not mistype cards that fast. */
const PAUSES_MS: readonly number[] = [0, 0, 1, 2, 3, 5, 8, 13, 21].map((seconds) => seconds * 1000);

/** When the charge of an attempt is given up. */
export function attemptEndsAt({
  wallAttemptedAt,
}: Pick<CheckoutAttempted['data'], 'wallAttemptedAt'>): Instant {
  return addHours(wallAttemptedAt, OPEN_AT_MOST_HOURS);
}

/** Whether no further attempt will ever be made: as many as are allowed came to nothing. */
export function isLocked(link: AttemptSeries, wallNow: Instant): boolean {
  return link.attempts.length >= ATTEMPTS_ALLOWED && isFree(link, wallNow);
}

/** How long the next attempt has to wait, in milliseconds, counted from the start of the last one. */
export function pauseLeftMs(link: AttemptSeries, wallNow: Instant): number {
  const last = link.attempts.at(-1);
  const isInVain = last?.decline || last?.challenge;
  if (last === undefined || !isInVain) return 0;
  const pauseMs = PAUSES_MS[link.attempts.length - 1] ?? 0;
  return Math.max(0, Date.parse(last.wallAttemptedAt) + pauseMs - Date.parse(wallNow));
}

/**
 * Whether another method may take the place of the link's attempt: the gateway has not answered it within the
 * limit, or the bank waits for the player, who may not be able to confirm (rules/payments 2 and 19).
 */
export function canBeReplaced(link: AttemptSeries, wallNow: Instant): boolean {
  const last = link.attempts.at(-1);
  // The subscription takes one change at a time, until the gateway has answered (rules/lifecycle 11).
  if (link.change !== null) return false;
  // A trial starts without the gateway; a paid link has its answer.
  if (link.status !== 'attempting' || link.paidBy !== null || !last?.paymentId) return false;
  if (last.challenge !== null) return true;
  return wallNow >= addMilliseconds(last.wallAttemptedAt, ANSWER_LIMIT_MS);
}

/** Whether nothing stands in the way of a further attempt but the limits themselves. */
function isFree(link: AttemptSeries, wallNow: Instant): boolean {
  return link.status === 'open' || canBeReplaced(link, wallNow);
}
