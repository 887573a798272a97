import { addMilliseconds, addPeriods, laterOf } from '../calendar/index.js';
import { accept, type Decision } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { Decline } from '../payment/index.js';
import type {
  DunningSettings,
  ProcessDueDate,
  SettleRenewal,
  SubscriptionRejection,
} from './subscription.commands.js';
import type { SubscriptionEvent, SubscriptionExpired } from './subscription.events.js';
import { nextDueAt, type StartedSubscription } from './subscription.state.js';

/**
 * Renewal, retry and expiry (decisions 6). A charge is asked for by one event and settled by another;
 * between the two the gateway is asked under an id that is derived from the due date and the attempt,
 * so that a crash at any point neither charges twice nor forgets to charge.
 */
type RenewalDecision = Decision<SubscriptionEvent, SubscriptionRejection>;

const HOUR_MS = 3_600_000;
/** A charge made within this time of its due date is on time (rules/payments 4). */
const ON_TIME_HOURS = 1;

/** What is due by now; nothing when the due date lies ahead or a charge is on its way. */
export function processDueDate(
  command: ProcessDueDate,
  state: StartedSubscription,
): RenewalDecision {
  const dueAt = nextDueAt(state);
  if (dueAt === null || dueAt > command.now) return accept();
  if (state.status === 'canceled') {
    // The period may have been over at the cancel, while its renewal was pending at the gateway.
    const endedAt = laterOf(state.currentPeriodEnd, state.canceledAt ?? state.currentPeriodEnd);
    return accept(expired('period_ended', endedAt));
  }
  if (state.dunning !== null && state.dunning.nextRetryAt === null) {
    return accept(expired('grace_ended', state.dunning.graceEndsAt));
  }
  // A recovered renewal keeps the original due date, so every attempt is for the same period.
  const attempt = (state.dunning?.failedAttempts ?? 0) + 1;
  const periodDueAt = state.currentPeriodEnd;
  return accept({
    type: 'subscription.renewal_requested.v1',
    data: {
      paymentId: command.paymentIdFor(periodDueAt, attempt),
      context: attempt === 1 ? 'RENEWAL' : 'RENEWAL_RETRY',
      amount: state.price,
      dueAt: periodDueAt,
      attempt,
      requestedAt: command.now,
      graceEndsAt: state.dunning?.graceEndsAt ?? graceOf(periodDueAt, command),
    },
  });
}

/** Grace counts from the due date; where an outage delayed the charge, from the charge itself. */
function graceOf(dueAt: Instant, { now, dunning }: ProcessDueDate): Instant {
  const isOnTime = now <= hoursAfter(dueAt, ON_TIME_HOURS);
  return hoursAfter(isOnTime ? dueAt : now, dunning.graceHours);
}

/** Takes the outcome of the pending charge; one that is known already changes nothing. */
export function settleRenewal(command: SettleRenewal, state: StartedSubscription): RenewalDecision {
  const pending = state.pendingCharge;
  if (pending?.paymentId !== command.paymentId) return accept();
  const { now, outcome } = command;
  if (state.status === 'canceled' || state.status === 'expired') {
    return accept({
      type: 'subscription.late_outcome_recorded.v1',
      data: { paymentId: pending.paymentId, captured: outcome === 'captured', recordedAt: now },
    });
  }
  if (outcome !== 'captured') return declined(state, pending, outcome, command);
  return accept({
    type: 'subscription.renewed.v1',
    data: {
      paymentId: pending.paymentId,
      dueAt: pending.dueAt,
      renewedAt: now,
      currentPeriodEnd: addPeriods(state.billingAnchor, state.period, state.periodsPaid + 1),
    },
  });
}

function declined(
  state: StartedSubscription,
  pending: NonNullable<StartedSubscription['pendingCharge']>,
  decline: Decline,
  { dunning, now }: SettleRenewal,
): RenewalDecision {
  const firstFailedAt = state.dunning?.firstFailedAt ?? now;
  const graceEndsAt = state.dunning?.graceEndsAt ?? hoursAfter(firstFailedAt, dunning.graceHours);
  const nextRetryAt = nextRetry(decline, { dunning, firstFailedAt, graceEndsAt, now });
  const { paymentId, dueAt, attempt } = pending;
  const { reason, declineClass } = decline;
  const failed: SubscriptionEvent = {
    type: 'subscription.renewal_failed.v1',
    data: {
      paymentId,
      dueAt,
      attempt,
      reason,
      declineClass,
      failedAt: now,
      graceEndsAt,
      nextRetryAt,
    },
  };
  const isOver = nextRetryAt === null && graceEndsAt <= now;
  if (!isOver) return accept(failed);
  return accept<SubscriptionEvent>(failed, expired('grace_ended', laterOf(graceEndsAt, now)));
}

/** The next retry that lies ahead and within grace; hard declines get none (decisions 6). */
function nextRetry(
  decline: Decline,
  at: { dunning: DunningSettings; firstFailedAt: Instant; graceEndsAt: Instant; now: Instant },
): Instant | null {
  if (decline.declineClass === 'hard' || decline.declineClass === 'fraud') return null;
  const retries = at.dunning.retryAfterHours.map((hours) => hoursAfter(at.firstFailedAt, hours));
  return retries.find((retryAt) => retryAt > at.now && retryAt <= at.graceEndsAt) ?? null;
}

function hoursAfter(instant: Instant, hours: number): Instant {
  return addMilliseconds(instant, hours * HOUR_MS);
}

function expired(cause: 'period_ended' | 'grace_ended', expiredAt: Instant): SubscriptionExpired {
  return { type: 'subscription.expired.v1', data: { cause, expiredAt, canceledAt: null } };
}
