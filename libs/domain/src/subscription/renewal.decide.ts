import { laterInstant } from '../calendar/index.js';
import { accept, type Decision } from '../decider/index.js';
import {
  decideAfterFailure,
  dunningWhilePending,
  type DunningPolicy,
  graceOfPendingCharge,
  graceOfPendingRetry,
  isOutOfRetries,
  nextAttempt,
} from '../dunning/index.js';
import type { Instant } from '../event/index.js';
import { derivePeriodPaymentId } from '../ids/index.js';
import { type Decline, GIVEN_UP, type NotedPayment } from '../payment/index.js';
import { dueChange } from './next-charge.js';
import type {
  LateOutcomeRecorded,
  RenewalRequested,
  SubscriptionEvent,
  SubscriptionExpired,
} from './subscription.events.js';
import {
  evolveSubscription,
  nextPeriod,
  nextStepAt,
  type StartedSubscription,
} from './subscription.state.js';

/**
 * Renewal, retry and expiry (rules/lifecycle 8). A charge is asked for by one event and settled by
 * another. Between the two the gateway is asked under an id that is derived from the due date and the
 * attempt, so that a crash at any point neither charges twice nor forgets to charge.
 */

/** The step that is due by now: a renewal, a retry, the end of a canceled period or of grace. */
interface ProcessDueDate {
  readonly kind: 'ProcessDueDate';
  readonly dunning: DunningPolicy;
  readonly now: Instant;
}

/** The gateway's answer for the pending charge. */
interface SettleRenewal extends NotedPayment {
  readonly kind: 'SettleRenewal';
  readonly outcome: 'captured' | 'given_up' | Decline;
  readonly dunning: DunningPolicy;
  readonly now: Instant;
}

/**
 * A charge that had been given up was captured after all. Each is given once: the caller's command id tells a
 * repetition.
 */
interface RecordLateCapture extends NotedPayment {
  readonly kind: 'RecordLateCapture';
  readonly now: Instant;
}

export type RenewalCommand = ProcessDueDate | SettleRenewal | RecordLateCapture;

/** These commands reject nothing. */
type RenewalDecision = Decision<SubscriptionEvent, never>;

/** Decides the steps of a subscription by itself (rules/lifecycle 8). */
export function decideRenewal(
  command: RenewalCommand,
  state: StartedSubscription,
): RenewalDecision {
  switch (command.kind) {
    case 'ProcessDueDate':
      return processDueDate(command, state);
    case 'SettleRenewal':
      return settleRenewal(command, state);
    case 'RecordLateCapture':
      return accept(lateOutcome(command, true));
  }
}

/** The step that is due by now; none when the due date lies ahead or a charge is on its way. */
function processDueDate(command: ProcessDueDate, state: StartedSubscription): RenewalDecision {
  const dueAt = nextStepAt(state);
  if (dueAt === null || dueAt > command.now) return accept();
  if (state.status === 'canceled') {
    // The period may have been over at the cancel, while its renewal was pending at the gateway.
    const endedAt = laterInstant(
      state.currentPeriodEnd,
      state.canceledAt ?? state.currentPeriodEnd,
    );
    return accept(expired('period_ended', endedAt));
  }
  if (isOutOfRetries(state.dunning)) {
    return accept(expired('grace_ended', state.dunning.graceEndsAt));
  }
  const change = dueChange(state, command.now);
  if (change === null) return accept(requestCharge(command, state));
  const after = evolveSubscription(state, change);
  if (after.status === 'none') return accept();
  return accept<SubscriptionEvent>(change, requestCharge(command, after));
}

/** Asks for the charge of the next period, or for that of an unpaid one again. */
function requestCharge(
  { dunning: policy, now }: ProcessDueDate,
  state: StartedSubscription,
): RenewalRequested {
  const attempt = nextAttempt(state.dunning);
  // A recovered renewal keeps the original due date, so every attempt is for the same period.
  const period = nextPeriod(state);
  const dueAt = period.start;
  return {
    type: 'subscription.renewal_requested.v1',
    data: {
      paymentId: derivePeriodPaymentId(state.subscriptionId, { dueAt, attempt }),
      period,
      attempt,
      amount: state.price,
      requestedAt: now,
      graceEndsAt:
        state.dunning === null
          ? graceOfPendingCharge(policy, { dueAt, chargedAt: now })
          : graceOfPendingRetry(state.dunning, now),
    },
  };
}

/** Takes the outcome of the pending charge; one that is known already changes nothing. */
function settleRenewal(command: SettleRenewal, state: StartedSubscription): RenewalDecision {
  const pending = state.pendingCharge;
  if (pending?.paymentId !== command.paymentId) return accept();
  const { now, outcome, paymentId, paymentRevision } = command;
  if (state.status === 'canceled' || state.status === 'expired') {
    return accept(lateOutcome(command, outcome === 'captured'));
  }
  if (outcome !== 'captured') return declined(state, pending, outcome, command);
  return accept({
    type: 'subscription.renewed.v1',
    data: {
      paymentId,
      paymentRevision,
      dueAt: pending.period.start,
      renewedAt: now,
      currentPeriodEnd: pending.period.end,
    },
  });
}

/** The dunning policy decides the next step; where grace is over as well, access ends at once. */
function declined(
  state: StartedSubscription,
  pending: RenewalRequested['data'],
  outcome: 'given_up' | Decline,
  { dunning: policy, now: failedAt, paymentRevision }: SettleRenewal,
): RenewalDecision {
  const { paymentId, period, attempt, requestedAt: attemptedAt } = pending;
  const { reason, declineClass } = outcome === 'given_up' ? GIVEN_UP : outcome;
  // The player has had the grace of a charge that was given up.
  const before = state.dunning ?? (outcome === 'given_up' ? dunningWhilePending(pending) : null);
  const decided = decideAfterFailure(policy, before, { declineClass, attemptedAt, failedAt });
  const { isOver, ...next } = decided;
  const failure = { reason, declineClass, failedAt, ...next };
  const failed: SubscriptionEvent = {
    type: 'subscription.renewal_failed.v2',
    data: { paymentId, paymentRevision, dueAt: period.start, attempt, ...failure },
  };
  if (!isOver) return accept(failed);
  return accept<SubscriptionEvent>(
    failed,
    expired('grace_ended', laterInstant(next.graceEndsAt, failedAt)),
  );
}

/** It comes after the subscription has ended, or after the charge was given up. */
function lateOutcome(
  { paymentId, paymentRevision, now: recordedAt }: SettleRenewal | RecordLateCapture,
  captured: boolean,
): LateOutcomeRecorded {
  const data = { paymentId, paymentRevision, captured, recordedAt };
  return { type: 'subscription.late_outcome_recorded.v1', data };
}

function expired(cause: 'period_ended' | 'grace_ended', expiredAt: string): SubscriptionExpired {
  return { type: 'subscription.expired.v1', data: { cause, expiredAt, canceledAt: null } };
}
