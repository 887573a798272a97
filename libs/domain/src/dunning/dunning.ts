import type { Instant } from '../event/index.js';
import type { DeclineClass } from '../payment/index.js';
import { type DunningPolicy, graceAfterFailure, nextRetry } from './dunning.policy.js';

/** An unpaid period on its way to recovery or expiry (rules/lifecycle 4). */
export interface Dunning {
  readonly firstFailedAt: Instant;
  readonly graceEndsAt: Instant;
  readonly failedAttempts: number;
  /** Null when no further attempt will be made. */
  readonly nextRetryAt: Instant | null;
}

/** What is decided after a failed attempt. */
export interface FailureDecision {
  readonly graceEndsAt: Instant;
  /** Null when no further attempt will be made. */
  readonly nextRetryAt: Instant | null;
  /** Whether grace is over as well, so that access ends with this attempt. */
  readonly isOver: boolean;
}

/** The number of the next attempt to charge the period, counted from 1. */
export function nextAttempt(dunning: Dunning | null): number {
  return (dunning?.failedAttempts ?? 0) + 1;
}

/** Whether the period is given up: no attempt is left, so the end of grace is what comes next. */
export function isOutOfRetries(dunning: Dunning | null): dunning is Dunning {
  return dunning !== null && dunning.nextRetryAt === null;
}

/**
 * Decides what follows from a failed attempt. Grace and retries count from the first failure, however
 * late one of the retries was made.
 *
 * @param dunning as it was before; null for the first failure of a period.
 */
export function decideAfterFailure(
  policy: DunningPolicy,
  dunning: Dunning | null,
  { declineClass, failedAt }: { readonly declineClass: DeclineClass; readonly failedAt: Instant },
): FailureDecision {
  const firstFailedAt = dunning?.firstFailedAt ?? failedAt;
  const graceEndsAt = dunning?.graceEndsAt ?? graceAfterFailure(policy, firstFailedAt);
  const at = { firstFailedAt, graceEndsAt, failedAt };
  const nextRetryAt = nextRetry(policy, declineClass, at);
  return { graceEndsAt, nextRetryAt, isOver: nextRetryAt === null && graceEndsAt <= failedAt };
}

/** Folds a failed attempt as it was decided. */
export function dunningAfter(
  before: Dunning | null,
  failed: {
    readonly attempt: number;
    readonly failedAt: Instant;
    readonly graceEndsAt: Instant;
    readonly nextRetryAt: Instant | null;
  },
): Dunning {
  const { attempt, failedAt, graceEndsAt, nextRetryAt } = failed;
  const firstFailedAt = before?.firstFailedAt ?? failedAt;
  return { firstFailedAt, graceEndsAt, failedAttempts: attempt, nextRetryAt };
}
