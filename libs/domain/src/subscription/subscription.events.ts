import type { Period } from '../calendar/index.js';
import type { ChangeEvent, CreditRefundFailed, RegionChanged } from './change.events.js';
import type { RetrySchedule } from '../dunning/index.js';
import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { PersonalTexts } from '../personal-data/index.js';
import type { BillingPeriod, DeclineClass, DeclineReason, NotedPayment } from '../payment/index.js';

/** The terms of the purchase of a subscription; its price is locked (rules/lifecycle 7). */
export interface SubscriptionTerms {
  readonly subscriptionId: string;
  readonly appId: string;
  /** The player's pseudonym (rules/storage 6). */
  readonly player: string;
  readonly planId: string;
  readonly price: Money;
  readonly period: Period;
  readonly trial: Period | null;
  readonly paymentMethod: string;
  readonly checkoutLinkId: string;
  readonly regionCode: string;
  readonly personal: PersonalTexts;
  /** By which its player has the plan; absent where nothing bounds the plan (rules/lifecycle 15). */
  readonly claimId?: string;
}

export type SubscriptionCreated = DomainEvent<
  'subscription.created.v2',
  SubscriptionTerms & {
    readonly createdAt: Instant;
    /** All later billing dates are counted from here; with a trial it is the trial's end. */
    readonly billingAnchor: Instant;
    readonly currentPeriodEnd: Instant;
    readonly trialEnd: Instant | null;
    /** Null when a trial starts without a charge. */
    readonly initialPayment: NotedPayment | null;
  }
>;
/** A charge became due and is now asked for: from here on it happens exactly once (rules/lifecycle 8). */
export type RenewalRequested = DomainEvent<
  'subscription.renewal_requested.v1',
  {
    readonly paymentId: string;
    /** It becomes due with its start. */
    readonly period: BillingPeriod;
    /** Which attempt to charge the period this is, counted from 1. */
    readonly attempt: number;
    /** The price of the period; its tax is the charge's. */
    readonly amount: Money;
    readonly requestedAt: Instant;
    /** Access is kept until then while the charge has no outcome, and then it is given up (rules/payments 4). */
    readonly graceEndsAt: Instant;
  }
>;
export type SubscriptionRenewed = DomainEvent<
  'subscription.renewed.v1',
  NotedPayment & {
    readonly dueAt: Instant;
    readonly renewedAt: Instant;
    readonly currentPeriodEnd: Instant;
  }
>;
export type RenewalFailed = DomainEvent<
  'subscription.renewal_failed.v2',
  NotedPayment & {
    readonly dueAt: Instant;
    readonly attempt: number;
    readonly reason: DeclineReason;
    readonly declineClass: DeclineClass;
    readonly failedAt: Instant;
    readonly graceEndsAt: Instant;
    /** Null when no further attempt will be made. */
    readonly nextRetryAt: Instant | null;
    /** The retries that lie ahead, as they were set at the first failure. */
    readonly schedule: RetrySchedule;
  }
>;
/** The outcome of a charge came after the subscription had ended; a capture must be refunded. */
export type LateOutcomeRecorded = DomainEvent<
  'subscription.late_outcome_recorded.v1',
  NotedPayment & { readonly captured: boolean; readonly recordedAt: Instant }
>;
/** A payment of this subscription was refunded, wholly or in part. */
export type RefundRecorded = DomainEvent<
  'subscription.refund_recorded.v1',
  NotedPayment & { readonly recordedAt: Instant }
>;
/** A payment of this subscription is disputed, or a dispute of it was closed. */
export type DisputeRecorded = DomainEvent<
  'subscription.dispute_recorded.v1',
  NotedPayment & { readonly closed: boolean; readonly recordedAt: Instant }
>;
export type SubscriptionCanceled = DomainEvent<
  'subscription.canceled.v1',
  { readonly canceledAt: Instant; readonly accessEndsAt: Instant }
>;
export type SubscriptionReactivated = DomainEvent<
  'subscription.reactivated.v1',
  { readonly reactivatedAt: Instant }
>;
/** Why a subscription has ended, as its message tells it (rules/webhooks 2). */
export const EXPIRY_CAUSES = [
  'canceled_at_once',
  'canceled_while_past_due',
  'period_ended',
  'grace_ended',
  'dispute_lost',
] as const;
type ExpiryCause = (typeof EXPIRY_CAUSES)[number];
export type SubscriptionExpired = DomainEvent<
  'subscription.expired.v1',
  {
    readonly cause: ExpiryCause;
    readonly expiredAt: Instant;
    /** Set when a cancel led here. */
    readonly canceledAt: Instant | null;
  }
>;

export type SubscriptionEvent =
  | SubscriptionCreated
  | RenewalRequested
  | SubscriptionRenewed
  | RenewalFailed
  | LateOutcomeRecorded
  | RefundRecorded
  | DisputeRecorded
  | SubscriptionCanceled
  | SubscriptionReactivated
  | SubscriptionExpired
  | ChangeEvent
  | CreditRefundFailed
  | RegionChanged;

/** Events of payments and of terms: they move nothing in the life of the subscription. */
type BesideProgress = RefundRecorded | DisputeRecorded | CreditRefundFailed | RegionChanged;

const BESIDE_PROGRESS: ReadonlySet<string> = new Set<BesideProgress['type']>([
  'subscription.credit_refund_failed.v1',
  'subscription.dispute_recorded.v1',
  'subscription.refund_recorded.v1',
  'subscription.region_changed.v1',
]);

export function isBesideProgress(event: SubscriptionEvent): event is BesideProgress {
  return BESIDE_PROGRESS.has(event.type);
}
