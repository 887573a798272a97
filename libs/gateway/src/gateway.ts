import type { Instant } from '#domain/event';
import type { Money } from '#domain/money';
import type { Decline, PaymentCommand, PaymentMethodDetails } from '#domain/payment';
import type { CardEntry } from './card-entry.js';

/** One charge as the gateway is asked for it. */
export interface GatewayCharge {
  /** The idempotency key: the same key always has the same outcome, and charges once. */
  readonly key: string;
  /** Whose charges these are: the subscription. */
  readonly reference: string;
  readonly paymentMethod: string;
  /** Above 0: for nothing no gateway is asked (decision 0019). */
  readonly amount: Money;
  /** Whether the player is absent, as at a renewal. */
  readonly offSession: boolean;
  /**
   * Where a player who is present is led back to, an http address. Without one the gateway cannot ask for a
   * confirmation, and declines charges that need one.
   */
  readonly returnUrl?: string;
}

export interface GatewayRefund {
  /** The idempotency key of the refund. */
  readonly key: string;
  /** The key of the charge that is given back. */
  readonly chargeKey: string;
  readonly reference: string;
  readonly amount: Money;
}

/** The outcome of a charge. A pending one is asked for again later, with the same key. */
export type ChargeOutcome =
  | { readonly status: 'captured'; readonly method: PaymentMethodDetails }
  | {
      readonly status: 'declined';
      readonly decline: Decline;
      readonly method: PaymentMethodDetails;
    }
  /**
   * The bank wants the player to confirm, at this http address. It is the answer until that is decided, and is
   * never given where the player is absent (rules/payments 19).
   */
  | { readonly status: 'challenge'; readonly url: string }
  | { readonly status: 'pending' };

/** A charge that has its outcome. */
export type SettledCharge = Exclude<ChargeOutcome, { readonly status: 'challenge' | 'pending' }>;

/** The outcome of a refund. A refusal is an answer: it is never thrown, so that no fault is taken for one. */
export type GatewayRefundOutcome =
  | { readonly status: 'refunded' }
  | { readonly status: 'pending' }
  /** Nothing was captured, or less is left of it. */
  | { readonly status: 'refused'; readonly why: string };

/** The gateway has never taken anything under this key. */
interface NeverArrived {
  readonly status: 'unknown';
}

/** Names a charge that may have been made. */
export type ChargeQuery = Pick<GatewayCharge, 'key' | 'reference'>;
/** Names a refund that may have been made. */
export type RefundQuery = Pick<GatewayRefund, 'key' | 'chargeKey' | 'reference'>;
export type FoundCharge = ChargeOutcome | NeverArrived;
export type FoundRefund = GatewayRefundOutcome | NeverArrived;

/**
 * The payment gateway as a port (rules/payments 9). Where it is out of reach, or its answer is lost, calls
 * throw Fault `unavailable`. Whatever a call throws, its outcome is unknown: the same key is the way to know.
 */
export interface PaymentGateway {
  /**
   * For how long after its first use a key is one charge, or one refund, however often it is asked for. Behind
   * that the gateway may take it for a new one, so that it has to be found first (decision 0020).
   */
  readonly keyLifetimeMs: number;
  /** There where cards are entered on the gateway's own page; the sandbox's methods are words. */
  readonly cards?: CardEntry;
  /** Whether this is a token of a payment method that can be charged. */
  knows(paymentMethod: string): boolean;
  /** @throws Fault: whether it was charged is unknown until it is found, or the same key is asked again. */
  charge(charge: GatewayCharge): Promise<ChargeOutcome>;
  /** @throws Fault: whether it was refunded is unknown until it is found, or the same key is asked again. */
  refund(refund: GatewayRefund): Promise<GatewayRefundOutcome>;
  /** The outcome under a key, also under one that has expired; charges nothing. @throws Fault. */
  findCharge(query: ChargeQuery): Promise<FoundCharge>;
  /** The same for a refund; a refused one may be unknown. @throws Fault. */
  findRefund(query: RefundQuery): Promise<FoundRefund>;
}

/** Makes a command of the outcome of a charge, answered or told by a notice, for its payment (rules/payments 6). */
export function settleBy(outcome: SettledCharge, now: Instant): PaymentCommand {
  const { method } = outcome;
  return outcome.status === 'captured'
    ? { kind: 'CapturePayment', method, now }
    : { kind: 'DeclinePayment', decline: outcome.decline, method, now };
}
