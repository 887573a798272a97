import { addPeriods } from '../calendar/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { NotedPayment } from '../payment/index.js';
import { type ChangeCommand, type ChangeCommandRejection, decideChange } from './change.decide.js';
import { type ChangeCurrency, changeCurrency } from './currency.change.js';
import { type ChangeRegion, changeRegion } from './region.decide.js';
import { decideRenewal, type RenewalCommand } from './renewal.decide.js';
import type {
  SubscriptionEvent,
  SubscriptionExpired,
  SubscriptionTerms,
} from './subscription.events.js';
import {
  evolveSubscription,
  noSubscription,
  type StartedSubscription,
  type Subscription,
} from './subscription.state.js';

interface CreateSubscription {
  readonly kind: 'CreateSubscription';
  readonly terms: SubscriptionTerms;
  /** Null when a trial starts without a charge. */
  readonly initialPayment: NotedPayment | null;
  readonly now: Instant;
}

interface CancelSubscription {
  readonly kind: 'CancelSubscription';
  readonly cancelAtPeriodEnd: boolean;
  readonly now: Instant;
}

interface ReactivateSubscription {
  readonly kind: 'ReactivateSubscription';
  readonly now: Instant;
}

/**
 * A payment of this subscription was refunded. Each refund is given once: the caller's command id
 * tells a repetition, so that no list of refunds grows in the state.
 */
interface RecordRefund extends NotedPayment {
  readonly kind: 'RecordRefund';
  readonly now: Instant;
}

/** The refund of a change failed; noted once, as a refund is. */
interface RecordFailedRefund extends NotedPayment {
  readonly kind: 'RecordFailedRefund';
  readonly amount: Money;
  readonly now: Instant;
}

/** A payment of this subscription is disputed, or no longer; given once, as a refund is. */
interface RecordDispute extends NotedPayment {
  readonly kind: 'RecordDispute';
  readonly closed: boolean;
  /** Whether it was lost in an app whose subscriptions end then (rules/lifecycle 12). */
  readonly endsSubscription: boolean;
  readonly now: Instant;
}

export type SubscriptionCommand =
  | CreateSubscription
  | CancelSubscription
  | ReactivateSubscription
  | RenewalCommand
  | ChangeCommand
  | ChangeRegion
  | ChangeCurrency
  | RecordRefund
  | RecordFailedRefund
  | RecordDispute;

export interface SubscriptionRejection extends AnyRejection {
  readonly code:
    | 'subscription/not_found'
    | 'subscription/expired'
    | 'subscription/not_canceled'
    | 'subscription/access_ended'
    | ChangeCommandRejection['code'];
}

type SubscriptionDecision = Decision<SubscriptionEvent, SubscriptionRejection>;

/** Decides for one subscription (rules/lifecycle 6). */
function decideSubscription(
  command: SubscriptionCommand,
  state: Subscription,
): SubscriptionDecision {
  if (command.kind === 'CreateSubscription') return create(command, state);
  if (state.status === 'none') return reject('subscription/not_found');
  switch (command.kind) {
    case 'CancelSubscription':
      return cancel(command, state);
    case 'ReactivateSubscription':
      return reactivate(command, state);
    case 'RecordRefund': {
      const { paymentId, paymentRevision, now: recordedAt } = command;
      return accept({
        type: 'subscription.refund_recorded.v1',
        data: { paymentId, paymentRevision, recordedAt },
      });
    }
    case 'RecordFailedRefund': {
      const { paymentId, paymentRevision, amount, now: recordedAt } = command;
      return accept({
        type: 'subscription.credit_refund_failed.v1',
        data: { paymentId, paymentRevision, amount, recordedAt },
      });
    }
    case 'RecordDispute':
      return recordDispute(command, state);
    case 'ChangeRegion':
      return changeRegion(command, state);
    case 'ChangeCurrency':
      return changeCurrency(command, state);
    case 'SchedulePlanChange':
    case 'DropPlanChange':
    case 'RequestChange':
    case 'SettleChange':
      return decideChange(command, state);
    default:
      return decideRenewal(command, state);
  }
}

function create(command: CreateSubscription, state: Subscription): SubscriptionDecision {
  if (state.status !== 'none') return accept();
  const { terms, now, initialPayment } = command;
  const trialEnd = terms.trial === null ? null : addPeriods(now, terms.trial, 1);
  return accept({
    type: 'subscription.created.v2',
    data: {
      ...terms,
      createdAt: now,
      billingAnchor: trialEnd ?? now,
      currentPeriodEnd: trialEnd ?? addPeriods(now, terms.period, 1),
      trialEnd,
      initialPayment,
    },
  });
}

function cancel(command: CancelSubscription, state: StartedSubscription): SubscriptionDecision {
  const { now, cancelAtPeriodEnd } = command;
  switch (state.status) {
    case 'expired':
      return reject('subscription/expired');
    case 'past_due':
      return accept(expired('canceled_while_past_due', now));
    case 'canceled':
      return cancelAtPeriodEnd ? accept() : accept(expired('canceled_at_once', now));
    case 'active':
      if (!cancelAtPeriodEnd) return accept(expired('canceled_at_once', now));
      return accept({
        type: 'subscription.canceled.v1',
        data: { canceledAt: now, accessEndsAt: state.currentPeriodEnd },
      });
  }
}

function reactivate(
  command: ReactivateSubscription,
  state: StartedSubscription,
): SubscriptionDecision {
  if (state.status === 'expired') return reject('subscription/expired');
  if (state.status !== 'canceled') return reject('subscription/not_canceled', state.status);
  if (command.now >= state.currentPeriodEnd) {
    return reject('subscription/access_ended', state.currentPeriodEnd);
  }
  return accept({ type: 'subscription.reactivated.v1', data: { reactivatedAt: command.now } });
}

/**
 * Whether a lost dispute of the payment can end the subscription: one that has ended does not end again, and a
 * payment that came too late bought nothing of it.
 */
export function canEndByDispute(
  { status, lateCaptures }: Pick<StartedSubscription, 'status' | 'lateCaptures'>,
  paymentId: string,
): boolean {
  return status !== 'expired' && !lateCaptures.includes(paymentId);
}

function recordDispute(
  { paymentId, paymentRevision, closed, endsSubscription, now: recordedAt }: RecordDispute,
  subscription: StartedSubscription,
): SubscriptionDecision {
  const recorded: SubscriptionEvent = {
    type: 'subscription.dispute_recorded.v1',
    data: { paymentId, paymentRevision, closed, recordedAt },
  };
  if (!endsSubscription || !canEndByDispute(subscription, paymentId)) return accept(recorded);
  const data = { cause: 'dispute_lost', expiredAt: recordedAt, canceledAt: null } as const;
  return accept<SubscriptionEvent>(recorded, { type: 'subscription.expired.v1', data });
}

function expired(
  cause: 'canceled_at_once' | 'canceled_while_past_due',
  now: string,
): SubscriptionExpired {
  return { type: 'subscription.expired.v1', data: { cause, expiredAt: now, canceledAt: now } };
}

export const subscriptionAggregate = defineAggregate('subscription', {
  initialState: noSubscription,
  evolve: evolveSubscription,
  decide: decideSubscription,
});
