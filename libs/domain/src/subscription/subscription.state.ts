import { addPeriods, billingDayAt, dayOfMonth, laterInstant } from '../calendar/index.js';
import { unknownEvent } from '../decider/index.js';
import { type Dunning, dunningAfter } from '../dunning/index.js';
import type { Instant } from '../event/index.js';
import type { BillingPeriod } from '../payment/index.js';
import {
  changeEndsAt,
  type ChangeProgress,
  evolveChange,
  isChangeEvent,
  keptByCancel,
  waitedFor,
} from './change.state.js';
import { evolveClaims, type HeldClaims } from './subscription.claims.js';
import { countMessages } from './subscription.messages.js';
import {
  isBesideProgress,
  type RenewalRequested,
  type SubscriptionCreated,
  type SubscriptionEvent,
  type SubscriptionTerms,
} from './subscription.events.js';

/** The four statuses of the wire; nothing else ever leaves the service (rules/lifecycle 1). */
export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'canceled', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
type Status = SubscriptionStatus | 'none';

/** The status of a subscription from its first event on, with a trial as without (rules/lifecycle 1). */
export const FIRST_STATUS = 'active' satisfies SubscriptionStatus;

/**
 * The life of a subscription as a table (rules/lifecycle 1): an event that has no row for the state that it
 * meets leaves the status as it is. `expired` is terminal: it has no row of its own.
 */
export const SUBSCRIPTION_TRANSITIONS: readonly {
  readonly from: Status;
  readonly on: SubscriptionEvent['type'];
  readonly to: SubscriptionStatus;
}[] = [
  { from: 'none', on: 'subscription.created.v2', to: FIRST_STATUS },
  { from: 'active', on: 'subscription.renewed.v1', to: 'active' },
  { from: 'active', on: 'subscription.renewal_failed.v2', to: 'past_due' },
  { from: 'active', on: 'subscription.canceled.v1', to: 'canceled' },
  { from: 'active', on: 'subscription.expired.v1', to: 'expired' },
  { from: 'past_due', on: 'subscription.renewed.v1', to: 'active' },
  { from: 'past_due', on: 'subscription.renewal_failed.v2', to: 'past_due' },
  { from: 'past_due', on: 'subscription.expired.v1', to: 'expired' },
  { from: 'canceled', on: 'subscription.reactivated.v1', to: 'active' },
  { from: 'canceled', on: 'subscription.expired.v1', to: 'expired' },
];

/** The part of a subscription that changes. */
export interface SubscriptionProgress extends ChangeProgress {
  readonly status: SubscriptionStatus;
  /** How many periods since the anchor are paid: dates are always counted from the anchor. */
  readonly periodsPaid: number;
  readonly currentPeriodEnd: Instant;
  readonly canceledAt: Instant | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly expiredAt: Instant | null;
  readonly dunning: Dunning | null;
  /** The charge that was asked for and has no outcome yet. */
  readonly pendingCharge: RenewalRequested['data'] | null;
  /** How many messages the events so far gave rise to: the number of the last one. */
  readonly messageCount: number;
}

/** A subscription as its events tell it. */
export interface StartedSubscription
  extends Omit<SubscriptionTerms, 'claimId'>, SubscriptionProgress, HeldClaims {
  readonly createdAt: Instant;
  readonly trialEnd: Instant | null;
  readonly billingAnchor: Instant;
  /** The day of month that the present period's end stands for: 31 on the 28th of February. */
  readonly billingDay: number;
  /** Periods of before the anchor: a trial, and those of before a change of dates. */
  readonly periodsBeforeAnchor: number;
  readonly currentPeriodStart: Instant;
  /** Since when it has its price. */
  readonly priceLockedAt: Instant;
  /** The payment that paid last for the present period; null where none did. */
  readonly paidBy: string | null;
  /** The payments that were captured too late for it: they go back, once no dispute is to decide. */
  readonly lateCaptures: readonly string[];
}

export type Subscription = { readonly status: 'none' } | StartedSubscription;

export const noSubscription: Subscription = { status: 'none' };

/** Folds one event; total, and faithful to the table above. */
export function evolveSubscription(state: Subscription, event: SubscriptionEvent): Subscription {
  if (state.status !== 'none') {
    return evolveTerms(evolveProgress(evolveClaims(state, event), event), event);
  }
  if (event.type !== 'subscription.created.v2') return state;
  const { initialPayment, claimId = '', ...terms } = event.data;
  const { createdAt, trialEnd, billingAnchor, currentPeriodEnd: end, period } = terms;
  // Copied last: V8 takes a hundred times as long to add fields to a copy of many.
  return {
    periodsBeforeAnchor: trialEnd === null ? 0 : 1,
    currentPeriodStart: createdAt,
    billingDay: billingDayAt(end, period, dayOfMonth(billingAnchor)),
    priceLockedAt: createdAt,
    paidBy: initialPayment?.paymentId ?? null,
    lateCaptures: [],
    ...{ claimId, scheduledClaimId: '', freedClaimIds: [] },
    ...initialProgress(event),
    ...terms,
  };
}

/** Folds an event into the terms of the purchase, and into payments that buy none of it. */
function evolveTerms(state: StartedSubscription, event: SubscriptionEvent): StartedSubscription {
  switch (event.type) {
    case 'subscription.renewed.v1': {
      const { dueAt: currentPeriodStart, currentPeriodEnd, paymentId: paidBy } = event.data;
      const billingDay = billingDayAt(currentPeriodEnd, state.period, state.billingDay);
      return { ...state, currentPeriodStart, billingDay, paidBy };
    }
    case 'subscription.payment_method_changed.v1':
      return { ...state, paymentMethod: event.data.paymentMethod };
    case 'subscription.region_changed.v1':
      return { ...state, regionCode: event.data.regionCode };
    case 'subscription.late_outcome_recorded.v1': {
      const { paymentId, captured } = event.data;
      return captured ? { ...state, lateCaptures: [...state.lateCaptures, paymentId] } : state;
    }
    case 'subscription.plan_changed.v1': {
      const { planId, price, period, billingAnchor, billingDay, periodsBeforeAnchor } = event.data;
      const { currentPeriodStart, paymentMethod, priceLockedAt, payment } = event.data;
      const paidBy = payment?.paymentId ?? state.paidBy;
      const plan = { planId, price, period, priceLockedAt, paymentMethod, paidBy };
      const dates = { billingAnchor, billingDay, periodsBeforeAnchor, currentPeriodStart };
      return { ...state, ...plan, ...dates };
    }
    default:
      return state;
  }
}

/** Folds one event into the part that changes, and keeps whatever else the state holds. Total. */
export function evolveProgress<State extends SubscriptionProgress>(
  state: State,
  event: SubscriptionEvent,
): State {
  const messageCount = state.messageCount + countMessages(event);
  if (event.type === 'subscription.created.v2') return { ...state, messageCount };
  return {
    ...state,
    ...changes(state, event),
    status: nextStatus(state.status, event.type),
    messageCount,
  };
}

/** How a subscription begins. */
export function initialProgress(event: SubscriptionCreated): SubscriptionProgress {
  const { trialEnd, currentPeriodEnd } = event.data;
  return {
    status: 'active',
    currentPeriodEnd,
    // The dates count, not the payment: a trial ends at the anchor, a paid period one period later.
    periodsPaid: trialEnd === null ? 1 : 0,
    canceledAt: null,
    cancelAtPeriodEnd: false,
    expiredAt: null,
    dunning: null,
    pendingCharge: null,
    pendingChange: null,
    scheduledChange: null,
    messageCount: countMessages(event),
  };
}

/** The status after an event, by the table. */
function nextStatus(from: SubscriptionStatus, on: SubscriptionEvent['type']): SubscriptionStatus {
  return SUBSCRIPTION_TRANSITIONS.find((row) => row.from === from && row.on === on)?.to ?? from;
}

/** When access ends (rules/lifecycle 5). */
export function accessEndsAt(state: StartedSubscription): Instant {
  if (state.status === 'expired') return state.expiredAt ?? state.currentPeriodEnd;
  if (state.status === 'canceled') return state.currentPeriodEnd;
  const { dunning, pendingCharge, pendingChange, currentPeriodEnd } = state;
  // A bank that takes its time is not the player's fault: nothing is cut while a charge is pending.
  const graceEndsAt =
    state.status === 'past_due' ? dunning?.graceEndsAt : pendingCharge?.graceEndsAt;
  const endsAt = graceEndsAt ?? currentPeriodEnd;
  return pendingChange === null ? endsAt : laterInstant(endsAt, changeEndsAt(pendingChange));
}

/** The next billing attempt, or the last one computed where none will be made (rules/lifecycle 5). */
export function nextBillingDate(state: SubscriptionProgress): Instant {
  if (state.dunning === null) return state.currentPeriodEnd;
  return state.dunning.nextRetryAt ?? state.dunning.graceEndsAt;
}

/** The period after the one that is paid or was on trial; its dates count from the anchor. */
export function nextPeriod(state: StartedSubscription): BillingPeriod {
  const { billingAnchor, billingDay, currentPeriodEnd: start, period, periodsPaid } = state;
  const end = addPeriods(billingAnchor, period, periodsPaid + 1, billingDay);
  return { number: state.periodsBeforeAnchor + periodsPaid + 1, start, end };
}

/** A charge that has no outcome yet. */
export interface AwaitedCharge {
  readonly paymentId: string;
  readonly requestedAt: Instant;
  /** When it is given up, by the app's clock (rules/payments 17). */
  readonly givenUpAt: Instant;
}

/** The charge that has no outcome yet: of a renewal or of a change, never of both. */
export function awaitedCharge({
  pendingCharge,
  pendingChange,
}: SubscriptionProgress): AwaitedCharge | null {
  if (pendingCharge !== null) {
    const { paymentId, requestedAt, graceEndsAt: givenUpAt } = pendingCharge;
    return { paymentId, requestedAt, givenUpAt };
  }
  if (pendingChange === null) return null;
  const { paymentId, requestedAt } = pendingChange;
  return { paymentId, requestedAt, givenUpAt: changeEndsAt(pendingChange) };
}

/**
 * When something will have to happen by itself: the next due step, or the end of a charge on its way (rules/payments
 * 17), also where the subscription has ended meanwhile. Null for nothing.
 */
export function nextDueAt(
  state: SubscriptionProgress | { readonly status: 'none' },
): Instant | null {
  if (state.status === 'none') return null;
  const dueAt = nextStepAt(state);
  const givenUpAt = awaitedCharge(state)?.givenUpAt ?? null;
  if (dueAt === null || givenUpAt === null) return dueAt ?? givenUpAt;
  return dueAt < givenUpAt ? dueAt : givenUpAt;
}

/** When the subscription itself goes on; null for never, or while a charge is on its way. */
export function nextStepAt(state: SubscriptionProgress): Instant | null {
  if (state.status === 'expired') return null;
  if (state.status === 'canceled') return state.currentPeriodEnd;
  if (awaitedCharge(state) !== null) return null;
  return nextBillingDate(state);
}

/**
 * Whether a charge, or the end of grace, is due that has not been processed yet. A change would put it off, and
 * a player who asks for one after the other would keep access unpaid (rules/lifecycle 11).
 */
export function isStepDue(state: SubscriptionProgress, now: Instant): boolean {
  if (state.status !== 'active' && state.status !== 'past_due') return false;
  return now >= nextBillingDate(state);
}

/** The fields that an event changes beside the status. */
function changes(
  state: SubscriptionProgress,
  event: Exclude<SubscriptionEvent, SubscriptionCreated>,
): Partial<SubscriptionProgress> {
  if (isChangeEvent(event)) return { ...evolveChange(state, event), ...waitedFor(state, event) };
  if (isBesideProgress(event)) return {};
  switch (event.type) {
    case 'subscription.renewal_requested.v1':
      return { pendingCharge: event.data };
    case 'subscription.renewed.v1':
      return {
        currentPeriodEnd: event.data.currentPeriodEnd,
        periodsPaid: state.periodsPaid + 1,
        dunning: null,
        pendingCharge: null,
      };
    case 'subscription.renewal_failed.v2':
      return { dunning: dunningAfter(state.dunning, event.data), pendingCharge: null };
    case 'subscription.late_outcome_recorded.v1':
      // It may be of a charge that was given up, while another one is on its way.
      return state.pendingCharge?.paymentId === event.data.paymentId ? { pendingCharge: null } : {};
    case 'subscription.canceled.v1':
      return { canceledAt: event.data.canceledAt, cancelAtPeriodEnd: true, ...keptByCancel(state) };
    case 'subscription.reactivated.v1':
      return { canceledAt: null, cancelAtPeriodEnd: false };
    case 'subscription.expired.v1': {
      const { expiredAt, canceledAt } = event.data;
      const scheduledChange = null;
      return { expiredAt, canceledAt: canceledAt ?? state.canceledAt, scheduledChange };
    }
    default:
      return unknownEvent({}, event);
  }
}
