import type { AnyRejection } from '../decider/index.js';
import type { DunningPolicy } from '../dunning/index.js';
import type { Instant } from '../event/index.js';
import type { Decline, NotedPayment } from '../payment/index.js';
import type { SubscriptionTerms } from './subscription.events.js';

export interface CreateSubscription {
  readonly kind: 'CreateSubscription';
  readonly terms: SubscriptionTerms;
  /** Null when a trial starts without a charge. */
  readonly initialPayment: NotedPayment | null;
  readonly now: Instant;
}

export interface CancelSubscription {
  readonly kind: 'CancelSubscription';
  readonly cancelAtPeriodEnd: boolean;
  readonly now: Instant;
}

export interface ReactivateSubscription {
  readonly kind: 'ReactivateSubscription';
  readonly now: Instant;
}

/** What is due by now: a renewal, a retry, the end of a canceled period or of grace. */
export interface ProcessDueDate {
  readonly kind: 'ProcessDueDate';
  readonly dunning: DunningPolicy;
  readonly now: Instant;
}

/** The gateway's answer for the pending charge. */
export interface SettleRenewal extends NotedPayment {
  readonly kind: 'SettleRenewal';
  readonly outcome: 'captured' | Decline;
  readonly dunning: DunningPolicy;
  readonly now: Instant;
}

/**
 * A payment of this subscription was refunded. Each refund is given once: the caller's command id
 * tells a repetition, so that no list of refunds grows in the state.
 */
export interface RecordRefund extends NotedPayment {
  readonly kind: 'RecordRefund';
  readonly now: Instant;
}

export type SubscriptionCommand =
  | CreateSubscription
  | CancelSubscription
  | ReactivateSubscription
  | ProcessDueDate
  | SettleRenewal
  | RecordRefund;

export interface SubscriptionRejection extends AnyRejection {
  readonly code:
    | 'subscription/not_found'
    | 'subscription/expired'
    | 'subscription/not_canceled'
    | 'subscription/access_ended';
}
