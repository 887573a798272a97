import type { AnyRejection } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { Decline } from '../payment/index.js';
import type { SubscriptionTerms } from './subscription.events.js';

/** How an app recovers failed renewals (decisions 6, "Dunning"). */
export interface DunningSettings {
  /** Access lasts this long from the first failed attempt. */
  readonly graceHours: number;
  /** When retries are made, in hours from the first failed attempt, ascending. */
  readonly retryAfterHours: readonly number[];
}

/** decisions 6: grace of 48 h, retries at +24 h and +48 h. */
export const DEFAULT_DUNNING: DunningSettings = { graceHours: 48, retryAfterHours: [24, 48] };

export interface CreateSubscription {
  readonly kind: 'CreateSubscription';
  readonly terms: SubscriptionTerms;
  /** Null when a trial starts without a charge. */
  readonly initialPaymentId: string | null;
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

/** Whatever is due by now: a renewal, a retry, the end of a canceled period or of grace. */
export interface ProcessDueDate {
  readonly kind: 'ProcessDueDate';
  /** The id that a charge gets if one is due: derived from subscription, due date and attempt. */
  readonly paymentIdFor: (dueAt: Instant, attempt: number) => string;
  readonly dunning: DunningSettings;
  readonly now: Instant;
}

/** The gateway's word on the pending charge. */
export interface SettleRenewal {
  readonly kind: 'SettleRenewal';
  readonly paymentId: string;
  readonly outcome: 'captured' | Decline;
  readonly dunning: DunningSettings;
  readonly now: Instant;
}

export type SubscriptionCommand =
  CreateSubscription | CancelSubscription | ReactivateSubscription | ProcessDueDate | SettleRenewal;

export interface SubscriptionRejection extends AnyRejection {
  readonly code:
    | 'subscription/not_found'
    | 'subscription/expired'
    | 'subscription/not_canceled'
    | 'subscription/access_ended';
}
