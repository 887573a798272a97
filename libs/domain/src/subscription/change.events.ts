import type { Period } from '../calendar/index.js';
import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { PlayerBounds } from '../player-plans/index.js';
import type {
  BillingPeriod,
  DeclineClass,
  DeclineReason,
  NotedPayment,
  PaymentLine,
} from '../payment/index.js';
import type { UnusedCredit } from './unused-credit.js';

/** The plan that a subscription changes to, at the price that it then keeps (rules/lifecycle 7). */
export interface ChangedPlan {
  readonly planId: string;
  readonly price: Money;
  readonly period: Period;
}

/** The plan and the dates that a change leads to: they stay as they were decided. */
export interface PlanAfterChange extends ChangedPlan {
  readonly billingAnchor: Instant;
  /** The day of month that the present period's end stands for: 31 on the 28th of February. */
  readonly billingDay: number;
  /** Periods of before the anchor, a trial among them. */
  readonly periodsBeforeAnchor: number;
  readonly periodsPaid: number;
  readonly currentPeriodStart: Instant;
  readonly currentPeriodEnd: Instant;
  /** Since when the price holds, as the lines of the change say it: the bank's answer may come hours later. */
  readonly priceLockedAt: Instant;
  /** The fate of the former plan's unused time; null where the change uses up all of it. */
  readonly unusedCredit: UnusedCredit | null;
}

/** Which link a change came by; empty for one that came by none. */
interface ByLink {
  readonly linkId: string;
}

/** By which claim the player may have the plan; absent where nothing bounds it (rules/lifecycle 15). */
interface ByClaim {
  readonly claimId?: string;
}

/**
 * A change is to be paid for: from here on its charge happens exactly once, and nothing else is charged
 * until it has its outcome (rules/lifecycle 11).
 */
export type ChangeRequested = DomainEvent<
  'subscription.change_requested.v1',
  ByLink &
    ByClaim & {
      readonly paymentId: string;
      /** Which attempt on the link it is, counted from 1. */
      readonly attempt: number;
      /** Null where only the payment method changes. */
      readonly plan: PlanAfterChange | null;
      /** The period that was open and is paid by this; null where none was. */
      readonly openPeriod: BillingPeriod | null;
      /** The period that is open or was changed. */
      readonly period: BillingPeriod;
      readonly lines: readonly PaymentLine[];
      readonly paymentMethod: string;
      readonly requestedAt: Instant;
    }
>;
/** The charge of a change was declined: the subscription is as it was. */
export type ChangeDeclined = DomainEvent<
  'subscription.change_declined.v1',
  NotedPayment &
    ByLink & {
      readonly reason: DeclineReason;
      readonly declineClass: DeclineClass;
      readonly failedAt: Instant;
    }
>;
/** The link's change cannot be had any more: nothing was charged, or it goes back. */
export type ChangeRefused = DomainEvent<
  'subscription.change_refused.v1',
  ByLink & {
    readonly paymentId: string;
    /** The code of the rejection, `subscription/expired`. */
    readonly refusal: string;
    readonly refusedAt: Instant;
  }
>;
/** The claim of a change that waits for the end of the period, from the moment of its request. */
export interface ScheduledClaim {
  readonly claimId: string;
  readonly bounds: PlayerBounds;
}
/** The plan changes when the period is over, unless another change or a cancel comes before. */
export type PlanChangeScheduled = DomainEvent<
  'subscription.plan_change_scheduled.v1',
  ByLink & {
    readonly plan: ChangedPlan;
    readonly effectiveAt: Instant;
    readonly scheduledAt: Instant;
    /** Its claim; absent where nothing bounds the plan (rules/lifecycle 15). */
    readonly claim?: ScheduledClaim;
  }
>;
/**
 * The currency ends: with the next period, the subscription is of this plan at its price in another one
 * (rules/lifecycle 14).
 */
export type CurrencyChangeScheduled = DomainEvent<
  'subscription.currency_change_scheduled.v1',
  {
    readonly plan: ChangedPlan;
    /** When that period is charged, if it is paid in time. */
    readonly effectiveAt: Instant;
    /** The lines of its charge, by the tax rates that are known for that moment. */
    readonly lines: readonly PaymentLine[];
    readonly scheduledAt: Instant;
  }
>;
/** The player keeps the plan, or cannot have the other one: the change that waited does not happen. */
export type PlanChangeDropped = DomainEvent<
  'subscription.plan_change_dropped.v1',
  { readonly droppedAt: Instant }
>;
export type PlanChanged = DomainEvent<
  'subscription.plan_changed.v1',
  ByLink &
    ByClaim &
    PlanAfterChange & {
      /** Null where nothing was charged for it, or the payment is that of the open period. */
      readonly payment: NotedPayment | null;
      /** Of which payment the unused time is given back; null where none of it is. */
      readonly refundedPaymentId: string | null;
      readonly paymentMethod: string;
      readonly changedAt: Instant;
    }
>;
/** The player pays by another method from here on. */
export type PaymentMethodChanged = DomainEvent<
  'subscription.payment_method_changed.v1',
  ByLink & { readonly paymentMethod: string; readonly changedAt: Instant }
>;

/**
 * A change's refund failed: the payment was disputed or given back meanwhile, or the gateway refuses it (rules/payments
 * 20).
 */
export type CreditRefundFailed = DomainEvent<
  'subscription.credit_refund_failed.v1',
  NotedPayment & { readonly amount: Money; readonly recordedAt: Instant }
>;

/** The player lives somewhere else: tax goes by that from the next charge on (rules/lifecycle 13). */
export type RegionChanged = DomainEvent<
  'subscription.region_changed.v1',
  { readonly regionCode: string; readonly changedAt: Instant }
>;

export type ChangeEvent =
  | ChangeRequested
  | ChangeDeclined
  | ChangeRefused
  | PlanChangeScheduled
  | PlanChangeDropped
  | CurrencyChangeScheduled
  | PlanChanged
  | PaymentMethodChanged;
