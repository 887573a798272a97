import type { Period } from '../calendar/index.js';
import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { Decline, NotedPayment } from '../payment/index.js';
import type { PersonalTexts } from '../personal-data/index.js';
import type { PlanRefusal, PlayerBounds } from '../player-plans/index.js';
import type { TaxedCharge } from '../pricing/index.js';
import type { UnusedCreditPolicy } from '../subscription/index.js';

/** A copy of the plan as it was when the link was made, price included. */
export interface Offer {
  readonly planId: string;
  readonly planName: string;
  readonly planDescription: string;
  readonly price: Money;
  readonly period: Period;
  readonly trial: Period | null;
  /** How often a player may have the plan; null where nothing bounds it (rules/lifecycle 15). */
  readonly bounds: PlayerBounds | null;
}

export type CheckoutLinkCreated = DomainEvent<
  'checkout_link.created.v2',
  {
    readonly linkId: string;
    readonly appId: string;
    /** The player's pseudonym (rules/storage 6). */
    readonly player: string;
    readonly offer: Offer;
    readonly regionCode: string;
    /** The language of the page as a tag of BCP 47; empty where the browser decides. */
    readonly language: string;
    /** The page's way back to the game; empty where the studio named no address. */
    readonly returnUrl: string;
    readonly personal: PersonalTexts;
    readonly createdAt: Instant;
    /** On the wall clock, also in an app with a test clock (rules/payments 10). */
    readonly expiresAt: Instant;
  }
>;
/** The change that a link makes to a subscription (rules/lifecycle 11). */
export interface LinkedChange {
  readonly kind: 'plan' | 'payment_method';
  readonly subscriptionId: string;
  /** The studio's amount for it; null where the difference is computed. */
  readonly amountMinor: string | null;
  readonly restartsPeriod: boolean;
  readonly unusedCredit: UnusedCreditPolicy;
}

/** A link of a change; it offers the new plan, or for a payment method the plan that there is. */
export type ChangeLinkCreated = DomainEvent<
  'checkout_link.change_created.v1',
  CheckoutLinkCreated['data'] & { readonly change: LinkedChange }
>;
/** The data of every attempt on a link. */
export interface Attempted {
  readonly attempt: number;
  readonly paymentMethod: string;
  /** The same in every attempt: a link gives one subscription at most. */
  readonly subscriptionId: string;
  /** Null when a trial starts without a charge. */
  readonly paymentId: string | null;
  readonly attemptedAt: Instant;
  /** The same moment on the wall clock: pauses and the wait for an answer keep to it. */
  readonly wallAttemptedAt: Instant;
}
/** The player pays: from here on the attempt is carried to its end, also by a process that restarts. */
export type CheckoutAttempted = DomainEvent<
  'checkout_link.attempted.v1',
  Attempted & {
    /**
     * The charge, with the tax of that moment, that the player has agreed to; null when a trial starts without a
     * charge.
     */
    readonly charge: TaxedCharge | null;
  }
>;
/** The player agrees to a change: from here on it is carried to its end. */
export type ChangeAttempted = DomainEvent<
  'checkout_link.change_attempted.v1',
  Attempted & {
    readonly paymentId: string;
    /** The price that the player was shown; never is more charged. */
    readonly shown: Money;
    /** When that was computed, by the app's clock; null where the caller named no moment. */
    readonly quotedAt: Instant | null;
  }
>;
export type CheckoutDeclined = DomainEvent<
  'checkout_link.declined.v1',
  Pick<Decline, 'reason' | 'declineClass'> & {
    readonly attempt: number;
    readonly declinedAt: Instant;
  }
>;
/** The bank wants the player to confirm the charge of an attempt, at this address (rules/payments 19). */
export type CheckoutChallenged = DomainEvent<
  'checkout_link.challenged.v2',
  { readonly attempt: number; readonly sealedUrl: string; readonly challengedAt: Instant }
>;
/** The player may have the plan: the attempt goes on, to its charge or its trial (rules/lifecycle 15). */
export type CheckoutClaimGranted = DomainEvent<
  'checkout_link.claim_granted.v1',
  { readonly attempt: number; readonly grantedAt: Instant }
>;
/** The player has the plan already, or has had its trial: nothing is charged for the attempt. */
export type CheckoutRefused = DomainEvent<
  'checkout_link.refused.v1',
  { readonly attempt: number; readonly refusal: PlanRefusal; readonly refusedAt: Instant }
>;
/** This payment is the one that the link keeps; from here on no other one can buy anything. */
export type CheckoutPaid = DomainEvent<
  'checkout_link.paid.v1',
  NotedPayment & {
    /** As the payment has it: the purchase begins then. The link's own clock may be ahead of that. */
    readonly capturedAt: Instant;
    readonly paidAt: Instant;
  }
>;
/** The outcome of an attempt that another one had replaced; a capture must be refunded. */
export type CheckoutLateOutcomeRecorded = DomainEvent<
  'checkout_link.late_outcome_recorded.v1',
  { readonly paymentId: string; readonly captured: boolean; readonly recordedAt: Instant }
>;
export type CheckoutCompleted = DomainEvent<
  'checkout_link.completed.v1',
  { readonly subscriptionId: string; readonly completedAt: Instant }
>;

export type CheckoutLinkEvent =
  | CheckoutLinkCreated
  | ChangeLinkCreated
  | CheckoutAttempted
  | ChangeAttempted
  | CheckoutChallenged
  | CheckoutClaimGranted
  | CheckoutDeclined
  | CheckoutPaid
  | CheckoutRefused
  | CheckoutLateOutcomeRecorded
  | CheckoutCompleted;
