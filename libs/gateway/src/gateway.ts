import type { Money } from '#domain/money';
import type { Decline, PaymentMethodDetails } from '#domain/payment';

/** One charge as the gateway is asked for it. */
export interface GatewayCharge {
  /** The idempotency key: the same key always has the same outcome, and charges once. */
  readonly key: string;
  /** Whose charges these are: the subscription. */
  readonly reference: string;
  readonly paymentMethod: string;
  readonly amount: Money;
  /** Whether the player is absent, as at a renewal. */
  readonly offSession: boolean;
}

export interface GatewayRefund {
  /** The idempotency key of the refund. */
  readonly key: string;
  /** The key of the charge that is given back. */
  readonly chargeKey: string;
  readonly reference: string;
  readonly amount: Money;
}

/** What became of a charge. A pending one is asked for again later, with the same key. */
export type ChargeOutcome =
  | { readonly status: 'captured'; readonly method: PaymentMethodDetails }
  | {
      readonly status: 'declined';
      readonly decline: Decline;
      readonly method: PaymentMethodDetails;
    }
  | { readonly status: 'pending' };

/**
 * The payment gateway as a port (rules/payments 9). When it is out of reach, or its answer is lost, calls
 * throw Fault `unavailable` (retryable): the same call with the same key is then the way to know.
 */
export interface PaymentGateway {
  /** Whether this is a token of a payment method that can be charged. */
  knows(paymentMethod: string): boolean;
  /** @throws Fault `unavailable`: whether it was charged is unknown until the same key is asked again. */
  charge(charge: GatewayCharge): Promise<ChargeOutcome>;
  /** @throws Fault `unavailable`, or `refused` when nothing was captured, or less is left of it. */
  refund(refund: GatewayRefund): Promise<void>;
}
