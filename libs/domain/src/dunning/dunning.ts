import type { Instant } from '../event/index.js';
import type { DeclineClass } from '../payment/index.js';
import {
  type DunningPolicy,
  graceAfterFailure,
  nextRetry,
  planRetries,
  retriesLeft,
  type RetrySchedule,
  withTimeToAnswer,
} from './dunning.policy.js';

/** An unpaid period on its way to recovery or expiry (rules/lifecycle 4). */
export interface Dunning {
  readonly firstFailedAt: Instant;
  readonly graceEndsAt: Instant;
  readonly failedAttempts: number;
  /** Null when no further attempt will be made. */
  readonly nextRetryAt: Instant | null;
  /** As the settings were at the first failure. */
  readonly schedule: RetrySchedule;
}

/** An attempt to charge a period that has failed. */
interface FailedCharge {
  readonly declineClass: DeclineClass;
  /** When it was begun; it may have been open for long. */
  readonly attemptedAt: Instant;
  readonly failedAt: Instant;
}

/** The decision after a failed attempt. */
export interface FailureDecision {
  readonly graceEndsAt: Instant;
  /** Null when no further attempt will be made. */
  readonly nextRetryAt: Instant | null;
  /** The retries that lie ahead of the failure, also where its class has none of them made. */
  readonly schedule: RetrySchedule;
  /** Whether grace is over as well, so that access ends with this attempt. */
  readonly isOver: boolean;
}

/** The number of the next attempt to charge the period, counted from 1. */
export function nextAttempt(dunning: Dunning | null): number {
  return (dunning?.failedAttempts ?? 0) + 1;
}

/** Whether the period is given up: no attempt is left, so the end of grace comes next. */
export function isOutOfRetries(dunning: Dunning | null): dunning is Dunning {
  return dunning !== null && dunning.nextRetryAt === null;
}

/**
 * Decides after a failed attempt. Grace and retries count from the first failure, however late one of the retries was
 * made, and stay as they were set then (rules/lifecycle 4).
 *
 * @param policy of the app as it is now.
 * @param dunning as it was before; null for the first failure of a period.
 */
export function decideAfterFailure(
  policy: DunningPolicy,
  dunning: Dunning | null,
  failure: FailedCharge,
): FailureDecision {
  const { declineClass, attemptedAt, failedAt } = failure;
  const firstFailedAt = dunning?.firstFailedAt ?? failedAt;
  const graceEndsAt = dunning?.graceEndsAt ?? graceAfterFailure(policy, firstFailedAt);
  const planned = dunning?.schedule ?? planRetries(policy, { firstFailedAt, graceEndsAt });
  const schedule = retriesLeft(planned, { attemptedAt, failedAt, graceEndsAt });
  const nextRetryAt = nextRetry(schedule, declineClass);
  const isOver = nextRetryAt === null && graceEndsAt <= failedAt;
  return { graceEndsAt, nextRetryAt, schedule, isOver };
}

/**
 * An unpaid period whose first attempt has no outcome: its grace began with the charge (rules/payments 4). Retries count
 * from a failure, so that none is planned.
 */
export function dunningWhilePending(charge: {
  readonly requestedAt: Instant;
  readonly graceEndsAt: Instant;
}): Dunning {
  const { requestedAt: firstFailedAt, graceEndsAt } = charge;
  const schedule = { retriesAt: [], retriedDeclineClasses: [] };
  return { firstFailedAt, graceEndsAt, failedAttempts: 0, nextRetryAt: null, schedule };
}

/**
 * Until when a retry may have no outcome. Access ends with the grace that the first failure began; the gateway
 * has some time all the same where the retry is made at the very end of it.
 */
export function graceOfPendingRetry({ graceEndsAt }: Dunning, chargedAt: Instant): Instant {
  return withTimeToAnswer(graceEndsAt, chargedAt);
}

/** Folds a failed attempt as it was decided. */
export function dunningAfter(
  before: Dunning | null,
  failed: {
    readonly attempt: number;
    readonly failedAt: Instant;
    readonly graceEndsAt: Instant;
    readonly nextRetryAt: Instant | null;
    readonly schedule: RetrySchedule;
  },
): Dunning {
  const { attempt, failedAt, graceEndsAt, nextRetryAt, schedule } = failed;
  const firstFailedAt = before?.firstFailedAt ?? failedAt;
  return { firstFailedAt, graceEndsAt, failedAttempts: attempt, nextRetryAt, schedule };
}
