import { addHours } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { DeclineClass } from '../payment/index.js';

/** How an app recovers renewals that were declined (rules/lifecycle 4). */
export interface DunningPolicy {
  /** Access lasts this long from the first failed attempt. */
  readonly graceHours: number;
  /** When retries are made, in hours from the first failed attempt, ascending. */
  readonly retryAfterHours: readonly number[];
}

/** An app without settings of its own has 48 h of grace and retries after 24 h and 48 h. */
export const DEFAULT_DUNNING: DunningPolicy = { graceHours: 48, retryAfterHours: [24, 48] };

/** A charge made within this time of its due date is on time (rules/payments 4). */
const ON_TIME_HOURS = 1;

/** A hard decline is final, and asking again makes a suspected fraud worse. */
const NEVER_RETRIED: ReadonlySet<DeclineClass> = new Set(['hard', 'fraud']);

/** Whether every retry is made while access lasts: one after the grace would never be made. */
export function retriesFitGrace({ graceHours, retryAfterHours }: DunningPolicy): boolean {
  return retryAfterHours.every((hours) => hours <= graceHours);
}

/**
 * Until when access is kept while a charge has no outcome (rules/payments 4). Grace counts from the
 * due date; where an outage of ours delayed the charge, from the charge itself.
 */
export function graceOfPendingCharge(
  policy: DunningPolicy,
  { dueAt, chargedAt }: { readonly dueAt: Instant; readonly chargedAt: Instant },
): Instant {
  const isOnTime = chargedAt <= addHours(dueAt, ON_TIME_HOURS);
  return addHours(isOnTime ? dueAt : chargedAt, policy.graceHours);
}

/** When grace ends that begins with the first failed attempt. */
export function graceAfterFailure(policy: DunningPolicy, firstFailedAt: Instant): Instant {
  return addHours(firstFailedAt, policy.graceHours);
}

/**
 * The next retry: the first one that lies ahead and within grace. Retries that were missed are not
 * made up for.
 *
 * @returns null where no further attempt will be made.
 */
export function nextRetry(
  policy: DunningPolicy,
  declineClass: DeclineClass,
  at: {
    readonly firstFailedAt: Instant;
    readonly graceEndsAt: Instant;
    readonly failedAt: Instant;
  },
): Instant | null {
  if (NEVER_RETRIED.has(declineClass)) return null;
  const retries = policy.retryAfterHours.map((hours) => addHours(at.firstFailedAt, hours));
  return retries.find((retryAt) => retryAt > at.failedAt && retryAt <= at.graceEndsAt) ?? null;
}
