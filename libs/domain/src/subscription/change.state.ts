import { addHours, laterInstant } from '../calendar/index.js';
import { unknownEvent } from '../decider/index.js';
import type { Dunning } from '../dunning/index.js';
import type { Instant } from '../event/index.js';
import type { ChangedPlan, ChangeEvent, ChangeRequested } from './change.events.js';
import type { SubscriptionEvent } from './subscription.events.js';

/** The changes of a subscription that are on their way. */
export interface ChangeProgress {
  /** The change whose charge has no outcome yet: nothing else is charged meanwhile. */
  readonly pendingChange: ChangeRequested['data'] | null;
  /** The change that waits for the period's end. */
  readonly scheduledChange: ScheduledChange | null;
}

export interface ScheduledChange {
  readonly plan: ChangedPlan;
  readonly effectiveAt: Instant;
  /** Whether it moves the subscription to another currency: no other change takes its place then. */
  readonly movesCurrency: boolean;
}

/** A change without an outcome is given up after so long, as a first purchase is (rules/payments 17). */
const OPEN_AT_MOST_HOURS = 24;

/** When the charge of a change is given up, by the app's clock. */
export function changeEndsAt({
  requestedAt,
}: Pick<ChangeRequested['data'], 'requestedAt'>): Instant {
  return addHours(requestedAt, OPEN_AT_MOST_HOURS);
}

interface ChangedDates {
  readonly periodsPaid: number;
  readonly currentPeriodEnd: Instant;
}

const CHANGE_EVENTS: ReadonlySet<string> = new Set<ChangeEvent['type']>([
  'subscription.change_declined.v1',
  'subscription.change_refused.v1',
  'subscription.change_requested.v1',
  'subscription.currency_change_scheduled.v1',
  'subscription.payment_method_changed.v1',
  'subscription.plan_change_dropped.v1',
  'subscription.plan_change_scheduled.v1',
  'subscription.plan_changed.v1',
]);

/** Whether an event is about a change of the plan or of the payment method. */
export function isChangeEvent(event: SubscriptionEvent): event is ChangeEvent {
  return CHANGE_EVENTS.has(event.type);
}

/** A cancel drops a plan that waits, for good. A currency that ends does so also where the cancel is taken back. */
export function keptByCancel({
  scheduledChange,
}: Pick<ChangeProgress, 'scheduledChange'>): Pick<ChangeProgress, 'scheduledChange'> {
  return { scheduledChange: scheduledChange?.movesCurrency === true ? scheduledChange : null };
}

/** Folds an event of a change into the changes that are on their way (rules/lifecycle 11). */
export function evolveChange(
  state: ChangeProgress,
  event: ChangeEvent,
): Partial<ChangeProgress & ChangedDates> {
  switch (event.type) {
    case 'subscription.change_requested.v1':
      return { pendingChange: event.data };
    case 'subscription.change_declined.v1':
    case 'subscription.change_refused.v1':
      return state.pendingChange?.paymentId === event.data.paymentId ? { pendingChange: null } : {};
    case 'subscription.payment_method_changed.v1':
      return { pendingChange: null };
    case 'subscription.plan_change_scheduled.v1': {
      const { plan, effectiveAt } = event.data;
      return { scheduledChange: { plan, effectiveAt, movesCurrency: false } };
    }
    case 'subscription.currency_change_scheduled.v1': {
      const { plan, effectiveAt } = event.data;
      return { scheduledChange: { plan, effectiveAt, movesCurrency: true } };
    }
    case 'subscription.plan_change_dropped.v1':
      return { scheduledChange: null };
    case 'subscription.plan_changed.v1': {
      const { periodsPaid, currentPeriodEnd } = event.data;
      return { periodsPaid, currentPeriodEnd, pendingChange: null, scheduledChange: null };
    }
    default:
      return unknownEvent({}, event);
  }
}

/** Grace that ended while a change was open lasted until its decline: access has been shown until then. */
export function waitedFor(
  { dunning, pendingChange }: ChangeProgress & { readonly dunning: Dunning | null },
  event: ChangeEvent,
): { readonly dunning?: Dunning } {
  if (event.type !== 'subscription.change_declined.v1' || dunning === null) return {};
  const { paymentId, failedAt } = event.data;
  if (pendingChange?.paymentId !== paymentId) return {};
  const graceEndsAt = laterInstant(dunning.graceEndsAt, failedAt);
  return { dunning: { ...dunning, graceEndsAt } };
}
