import { accept, type AnyRejection, type Decision, reject } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isGreater, isPositive, isSameMoney, type Money } from '../money/index.js';
import type { Decline, NotedPayment } from '../payment/index.js';
import { noTaxRates, type TaxRates } from '../pricing/index.js';
import type { ChangeEvent, ChangeRequested, ScheduledClaim } from './change.events.js';
import { quoteAsShown } from './change.hold.js';
import { type ChangeRejection, isSamePeriod, quoteWithoutPage } from './change.quote.js';
import { refundedCredit } from './change.refund.js';
import type { ScheduledChange } from './change.state.js';
import type { WantedChange } from './change.wanted.js';
import type { SubscriptionEvent } from './subscription.events.js';
import type { StartedSubscription } from './subscription.state.js';

/**
 * Changes of the plan and of the payment method (rules/lifecycle 11). Like a renewal, a charge is asked for
 * by one event and settled by another.
 */

/**
 * A change to a plan that costs no more for a day: it waits for the period's end. The present plan drops the
 * change that waits.
 */
interface SchedulePlanChange {
  readonly kind: 'SchedulePlanChange';
  readonly wanted: WantedChange;
  /** The claim of the plan on its player; absent where nothing bounds it (rules/lifecycle 15). */
  readonly claim?: ScheduledClaim;
  readonly now: Instant;
}

/** The player cannot have the plan that waits: another subscription was faster (rules/lifecycle 15). */
interface DropPlanChange {
  readonly kind: 'DropPlanChange';
  readonly claimId: string;
  readonly now: Instant;
}

/** The player has agreed on the page of a change link. */
interface RequestChange {
  readonly kind: 'RequestChange';
  readonly linkId: string;
  readonly attempt: number;
  readonly paymentId: string;
  readonly paymentMethod: string;
  readonly wanted: WantedChange;
  /** By which the player may have the plan; absent where nothing bounds it. */
  readonly claimId?: string;
  /** The amount that the player was shown; never is more charged. */
  readonly shown: Money;
  /** The moment of that amount; null for the present one. */
  readonly quotedAt: Instant | null;
  readonly taxRates: TaxRates;
  readonly now: Instant;
}

/** The gateway's answer for the charge of a change. */
interface SettleChange extends NotedPayment {
  readonly kind: 'SettleChange';
  readonly outcome: 'captured' | Decline;
  readonly now: Instant;
}

export type ChangeCommand = SchedulePlanChange | DropPlanChange | RequestChange | SettleChange;

export interface ChangeCommandRejection extends AnyRejection {
  readonly code: ChangeRejection['code'] | 'subscription/not_a_downgrade';
}

type ChangeDecision = Decision<SubscriptionEvent, ChangeCommandRejection>;

/** Decides about a change of a subscription (rules/lifecycle 11). */
export function decideChange(command: ChangeCommand, state: StartedSubscription): ChangeDecision {
  switch (command.kind) {
    case 'SchedulePlanChange':
      return schedule(command, state);
    case 'DropPlanChange':
      return drop(command, state);
    case 'RequestChange':
      return request(command, state);
    case 'SettleChange':
      return settle(command, state);
  }
}

function schedule(command: SchedulePlanChange, state: StartedSubscription): ChangeDecision {
  const { wanted, claim, now } = command;
  // Nothing is charged for it now, and so nothing taxed.
  const quoted = quoteWithoutPage(state, wanted, { taxRates: noTaxRates, now });
  if (!quoted.accepted) return quoted;
  const { plan } = wanted;
  if (!quoted.quote.isScheduled || plan === null) return reject('subscription/not_a_downgrade');
  if (plan.planId === state.planId) {
    return accept({ type: 'subscription.plan_change_dropped.v1', data: { droppedAt: now } });
  }
  const { effectiveAt } = quoted.quote;
  const isClaimed = (state.scheduledClaimId !== '') === (claim !== undefined);
  if (isClaimed && isSet(state.scheduledChange, { plan, effectiveAt })) return accept();
  const claimed = claim === undefined ? {} : { claim };
  return accept({
    type: 'subscription.plan_change_scheduled.v1',
    data: { linkId: '', plan, effectiveAt, scheduledAt: now, ...claimed },
  });
}

/** Another change may wait by now, which has a claim of its own. */
function drop(
  { claimId, now: droppedAt }: DropPlanChange,
  { scheduledChange, scheduledClaimId }: StartedSubscription,
): ChangeDecision {
  if (scheduledChange === null || scheduledClaimId !== claimId) return accept();
  return accept({ type: 'subscription.plan_change_dropped.v1', data: { droppedAt } });
}

/** Whether the very same change waits already: a call that is repeated leaves no second event. */
function isSet(
  before: ScheduledChange | null,
  { plan, effectiveAt }: Omit<ScheduledChange, 'movesCurrency'>,
): boolean {
  if (before?.effectiveAt !== effectiveAt || before.plan.planId !== plan.planId) return false;
  const { price, period } = before.plan;
  return isSameMoney(price, plan.price) && isSamePeriod(period, plan.period);
}

/**
 * Decides the agreed change for the present subscription: it may have moved on since the page was shown, so that a
 * refusal is an event, which the link goes by.
 */
function request(command: RequestChange, state: StartedSubscription): ChangeDecision {
  const { linkId, paymentId, paymentMethod, wanted, attempt, claimId, now } = command;
  const claimed = claimId === undefined ? {} : { claimId };
  if (state.pendingChange?.paymentId === paymentId) return accept();
  const refuse = (refusal: string) =>
    accept<ChangeEvent>({
      type: 'subscription.change_refused.v1',
      data: { linkId, paymentId, refusal, refusedAt: now },
    });
  const quoted = quoteAsShown(state, wanted, command);
  if (!quoted.accepted) return refuse(quoted.rejection.code);
  const { quote } = quoted;
  if (quote.isScheduled) return refuse('subscription/not_an_upgrade');
  if (isPositive(quote.amount)) {
    const { shown } = command;
    if (quote.amount.currency !== shown.currency) return refuse('subscription/currency_changed');
    if (isGreater(quote.amount, shown)) return refuse('subscription/amount_changed');
  }
  const { lines, plan, openPeriod, period } = quote;
  if (!isPositive(quote.amount)) {
    const { paidBy } = state;
    if (paidBy === null && refundedCredit(quote) !== null) {
      return refuse('subscription/unused_credit_not_refundable');
    }
    return accept(
      changed({ linkId, plan, paymentMethod, ...claimed }, { payment: null, paidBy }, now),
    );
  }
  return accept({
    type: 'subscription.change_requested.v1',
    data: {
      ...{ linkId, paymentId, attempt, plan, openPeriod, period, lines, paymentMethod },
      requestedAt: now,
      ...claimed,
    },
  });
}

/** Takes the outcome of the charge; one that is known already changes nothing. */
function settle(command: SettleChange, state: StartedSubscription): ChangeDecision {
  const pending = state.pendingChange;
  if (pending?.paymentId !== command.paymentId) return accept();
  const { paymentId, paymentRevision, outcome, now } = command;
  const payment = { paymentId, paymentRevision };
  const { linkId, openPeriod } = pending;
  if (state.status === 'canceled' || state.status === 'expired') {
    const captured = outcome === 'captured';
    const refusal = `subscription/${state.status}`;
    return accept<SubscriptionEvent>(
      {
        type: 'subscription.late_outcome_recorded.v1',
        data: { ...payment, captured, recordedAt: now },
      },
      {
        type: 'subscription.change_refused.v1',
        data: { linkId, paymentId, refusal, refusedAt: now },
      },
    );
  }
  if (outcome !== 'captured') {
    const { reason, declineClass } = outcome;
    return accept({
      type: 'subscription.change_declined.v1',
      data: { ...payment, linkId, reason, declineClass, failedAt: now },
    });
  }
  const paidBy = paymentId;
  if (openPeriod === null) return accept(changed(pending, { payment, paidBy }, now));
  return accept<SubscriptionEvent>(
    {
      type: 'subscription.renewed.v1',
      data: {
        ...payment,
        dueAt: openPeriod.start,
        renewedAt: now,
        currentPeriodEnd: openPeriod.end,
      },
    },
    changed(pending, { payment: null, paidBy }, now),
  );
}

/** The payer and the purpose of a payment. */
interface Paid {
  /** For the change alone. */
  readonly payment: NotedPayment | null;
  /** For the time that it credits. */
  readonly paidBy: string | null;
}

/**
 * The change happens: of the plan, or of the payment method alone.
 *
 * @throws Error where unused time goes back of a change that was charged for: then we were wrong.
 */
function changed(
  change: Pick<ChangeRequested['data'], 'linkId' | 'plan' | 'paymentMethod' | 'claimId'>,
  { payment, paidBy }: Paid,
  changedAt: Instant,
): ChangeEvent {
  const { linkId, plan, paymentMethod, claimId } = change;
  if (plan === null) {
    return {
      type: 'subscription.payment_method_changed.v1',
      data: { linkId, paymentMethod, changedAt },
    };
  }
  const refundedPaymentId = refundedCredit({ plan }) === null ? null : paidBy;
  if (payment !== null && refundedPaymentId !== null) {
    throw new Error(`${payment.paymentId} pays for a change that gives unused time back`);
  }
  return {
    type: 'subscription.plan_changed.v1',
    data: {
      ...{ linkId, ...plan, payment, refundedPaymentId, paymentMethod, changedAt },
      ...(claimId !== undefined && { claimId }),
    },
  };
}
