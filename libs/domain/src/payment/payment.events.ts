import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { PersonalTexts } from '../personal-data/index.js';
import type { PaymentLine } from './payment.lines.js';
import type { PaymentPurpose } from './payment.purpose.js';

/** How a decline is classed (rules/payments 7). Hard declines are not retried. */
export const DECLINE_CLASSES = [
  'soft',
  'hard',
  'fraud',
  'authentication_required',
  'unknown',
] as const;
export type DeclineClass = (typeof DECLINE_CLASSES)[number];

/** Normalized reasons of a failed payment (rules/payments 7). */
export type DeclineReason =
  | 'insufficient_funds'
  | 'expired_card'
  | 'card_declined'
  | 'do_not_honor'
  | 'lost_or_stolen_card'
  | 'incorrect_cvc'
  | 'limit_exceeded'
  | 'fraud_suspected'
  | 'authentication_required'
  | 'issuer_unavailable'
  | 'processing_error'
  | 'canceled_by_player'
  | 'expired'
  | 'unknown';

/** The reason of a declined charge, normalized and as the card network put it. */
export interface Decline {
  readonly reason: DeclineReason;
  readonly declineClass: DeclineClass;
  readonly rawDeclineCode: string;
}

/**
 * The decline of a charge that was given up. The bank's reason is not known: its class is none of those that tell
 * whether to try again.
 */
export const GIVEN_UP: Decline = {
  reason: 'issuer_unavailable',
  declineClass: 'unknown',
  rawDeclineCode: '',
};

/** The gateway's description of the payment method; empty where it gives none. */
export interface PaymentMethodDetails {
  readonly paymentMethodSubType: string;
  readonly issuerBank: string;
}

/** A payment's event, as other streams note it. Readers fold the payment up to that event to see its state then. */
export interface NotedPayment {
  readonly paymentId: string;
  readonly paymentRevision: number;
}

/** Everything about a charge that is known before the gateway is asked (decision 0019). */
export interface ChargeRequest {
  readonly paymentId: string;
  readonly appId: string;
  /** The player's pseudonym (rules/storage 6). */
  readonly player: string;
  readonly checkoutLinkId: string;
  /** The CLDR region whose tax rates its lines were computed by, `DE` or `US-NY`; empty where none was known. */
  readonly regionCode: string;
  readonly purpose: PaymentPurpose;
  /** The whole amount charged, tax included: the sum of the lines. */
  readonly amount: Money;
  readonly lines: readonly PaymentLine[];
  readonly paymentMethod: string;
  readonly personal: PersonalTexts;
}

export type PaymentRequested = DomainEvent<
  'payment.requested.v3',
  ChargeRequest & { readonly requestedAt: Instant }
>;
/** The gateway has not settled the charge yet: it may take days, and no process waits for it. */
export type PaymentPending = DomainEvent<'payment.pending.v1', { readonly pendingSince: Instant }>;
/**
 * The bank wants the player to confirm the charge: who comes back to the checkout is led there, until the charge
 * has its outcome (rules/payments 19).
 */
export type PaymentChallenged = DomainEvent<
  'payment.challenged.v2',
  { readonly sealedUrl: string; readonly challengedAt: Instant }
>;
export type PaymentCaptured = DomainEvent<
  'payment.captured.v1',
  PaymentMethodDetails & { readonly capturedAt: Instant }
>;
export type PaymentDeclined = DomainEvent<
  'payment.declined.v1',
  Decline & PaymentMethodDetails & { readonly failedAt: Instant }
>;
/**
 * The charge had no outcome by the time that it may take at most: the payment counts as failed. The gateway is asked
 * about it for some time longer, by the wall clock, to which it keeps: a late capture goes back (rules/payments 17).
 */
export type PaymentGivenUp = DomainEvent<
  'payment.given_up.v1',
  Decline & { readonly givenUpAt: Instant; readonly wallGivenUpAt: Instant }
>;
/**
 * Money is to be given back: its amount is fixed, and kept from the remaining amount, before the gateway is asked
 * (rules/payments 13). `tax` is its tax; null where the payment has none.
 */
export type PaymentRefundRequested = DomainEvent<
  'payment.refund_requested.v1',
  {
    readonly refundId: string;
    readonly amount: Money;
    readonly tax: Money | null;
    readonly requestedAt: Instant;
  }
>;
/**
 * The gateway refuses the refund: its amount is available again. One by a change of the plan may have failed before the
 * gateway was asked (rules/payments 20).
 */
export type PaymentRefundFailed = DomainEvent<
  'payment.refund_failed.v1',
  { readonly refundId: string; readonly amount: Money; readonly failedAt: Instant }
>;
export type PaymentRefunded = DomainEvent<
  'payment.refunded.v1',
  { readonly refundId: string; readonly amount: Money; readonly refundedAt: Instant }
>;
/**
 * The payment was captured, and buys nothing: another one has paid for its purpose. It belongs to no subscription from
 * here on, and is given back (rules/payments 2).
 */
export type PaymentUnapplied = DomainEvent<
  'payment.unapplied.v1',
  { readonly unappliedAt: Instant }
>;
export type DisputeOpened = DomainEvent<
  'payment.dispute_opened.v1',
  { readonly disputeId: string; readonly amount: Money; readonly openedAt: Instant }
>;
export type DisputeClosed = DomainEvent<
  'payment.dispute_closed.v1',
  { readonly disputeId: string; readonly won: boolean; readonly closedAt: Instant }
>;

export type PaymentEvent =
  | PaymentRequested
  | PaymentPending
  | PaymentChallenged
  | PaymentCaptured
  | PaymentDeclined
  | PaymentGivenUp
  | PaymentRefundRequested
  | PaymentRefunded
  | PaymentRefundFailed
  | PaymentUnapplied
  | DisputeOpened
  | DisputeClosed;
