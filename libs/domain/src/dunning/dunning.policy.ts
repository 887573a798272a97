import { addHours, laterInstant } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { DeclineClass } from '../payment/index.js';

/** How an app recovers renewals that were declined (rules/lifecycle 4). */
export interface DunningPolicy {
  /** Access lasts this long from the first failed attempt. */
  readonly graceHours: number;
  /** When retries are made, in hours from the first failed attempt, ascending. */
  readonly retryAfterHours: readonly number[];
  /** After which declines a retry is made. */
  readonly retriedDeclineClasses: readonly RetriedDeclineClass[];
}

/** A hard decline is final, and asking again makes a suspected fraud worse: no app can have them retried. */
export const RETRIED_DECLINE_CLASSES = ['soft', 'authentication_required', 'unknown'] as const;
export type RetriedDeclineClass = (typeof RETRIED_DECLINE_CLASSES)[number] & DeclineClass;

/** An app without settings of its own has 48 h of grace and retries after 24 h and 48 h. */
export const DEFAULT_DUNNING: DunningPolicy = {
  graceHours: 48,
  retryAfterHours: [24, 48],
  retriedDeclineClasses: RETRIED_DECLINE_CLASSES,
};

/** When an unpaid period is tried again, and after which declines. */
export interface RetrySchedule {
  /** Within grace, ascending. */
  readonly retriesAt: readonly Instant[];
  readonly retriedDeclineClasses: readonly DeclineClass[];
}

/** A charge made within this time of its due date is on time (rules/payments 4). */
const ON_TIME_HOURS = 1;
/** Gateways that do not decide at once mostly do within minutes; one that has failed is asked again by then. */
const ANSWER_HOURS = 1;

/** Whether every retry is made while access lasts: one after the grace would never be made. */
export function retriesFitGrace({
  graceHours,
  retryAfterHours,
}: Pick<DunningPolicy, 'graceHours' | 'retryAfterHours'>): boolean {
  return retryAfterHours.every((hours) => hours <= graceHours);
}

/**
 * Until when access is kept while a charge has no outcome (rules/payments 4). Grace counts from the
 * due date; where an outage of ours delayed the charge, from the charge itself. The gateway has an hour
 * in any case.
 */
export function graceOfPendingCharge(
  policy: DunningPolicy,
  { dueAt, chargedAt }: { readonly dueAt: Instant; readonly chargedAt: Instant },
): Instant {
  const isOnTime = chargedAt <= addHours(dueAt, ON_TIME_HOURS);
  const graceEndsAt = addHours(isOnTime ? dueAt : chargedAt, policy.graceHours);
  return withTimeToAnswer(graceEndsAt, chargedAt);
}

/** The bound of a charge whose grace is over, or nearly: one fault of a gateway is not to end a subscription. */
export function withTimeToAnswer(graceEndsAt: Instant, chargedAt: Instant): Instant {
  return laterInstant(graceEndsAt, addHours(chargedAt, ANSWER_HOURS));
}

/** When grace ends that begins with the first failed attempt. */
export function graceAfterFailure(policy: DunningPolicy, firstFailedAt: Instant): Instant {
  return addHours(firstFailedAt, policy.graceHours);
}

/** Plans the retries of a period whose first attempt has failed. */
export function planRetries(
  { retryAfterHours, retriedDeclineClasses }: DunningPolicy,
  {
    firstFailedAt,
    graceEndsAt,
  }: { readonly firstFailedAt: Instant; readonly graceEndsAt: Instant },
): RetrySchedule {
  const retriesAt = retryAfterHours
    .map((hours) => addHours(firstFailedAt, hours))
    .filter((retryAt) => retryAt <= graceEndsAt);
  return { retriesAt, retriedDeclineClasses };
}

/**
 * The retries that lie ahead: those that were missed are not made up for. One at the very end of grace goes before it
 * (rules/lifecycle 4), also where the attempt that has failed was open until then.
 */
export function retriesLeft(
  { retriesAt, ...rest }: RetrySchedule,
  {
    attemptedAt,
    failedAt,
    graceEndsAt,
  }: { readonly attemptedAt: Instant; readonly failedAt: Instant; readonly graceEndsAt: Instant },
): RetrySchedule {
  const isLast = (retryAt: Instant) => retryAt === graceEndsAt && retryAt > attemptedAt;
  const left = retriesAt.filter((retryAt) => retryAt > failedAt || isLast(retryAt));
  return { ...rest, retriesAt: left };
}

/** @returns null where no further attempt will be made. */
export function nextRetry(
  { retriesAt, retriedDeclineClasses }: RetrySchedule,
  declineClass: DeclineClass,
): Instant | null {
  return retriedDeclineClasses.includes(declineClass) ? (retriesAt[0] ?? null) : null;
}
