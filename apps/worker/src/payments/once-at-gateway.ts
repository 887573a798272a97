import type {
  ChargeOutcome,
  GatewayCharge,
  GatewayRefund,
  GatewayRefundOutcome,
  PaymentGateway,
  PaymentGateways,
} from '#gateway';
import { Fault } from '#platform';
import { KEY_MARGIN_MS } from '../limits.js';
import type { Causation } from './payment-commands.js';

/** The known uses of a key. */
export interface KeyUse {
  /** Since something that came before its first use, also in a ledger that was restored since. */
  readonly ageMs: number;
  /** Whether the key may have been used before, as far as this ledger tells. */
  readonly mayBeUsed: boolean;
}

/**
 * Charges once, however late it is asked again (decision 0020): where it may have been asked for before, or the key may
 * have expired, the outcome of the charge is looked for first. One that never arrived is asked for under the same key,
 * so that two who ask at once still charge once.
 *
 * @throws Fault of the gateway.
 */
export async function chargeOnce(
  gateway: PaymentGateway,
  charge: GatewayCharge,
  { ageMs, mayBeUsed }: KeyUse,
): Promise<ChargeOutcome> {
  if (mayBeUsed || mayHaveExpired(gateway, ageMs)) {
    const found = await gateway.findCharge(charge);
    if (found.status !== 'unknown') return found;
  }
  return gateway.charge(charge);
}

/** Refunds once; as `chargeOnce`, by the age of the key alone. */
export async function refundOnce(
  gateway: PaymentGateway,
  refund: GatewayRefund,
  ageMs: number,
): Promise<GatewayRefundOutcome> {
  if (mayHaveExpired(gateway, ageMs)) {
    const found = await gateway.findRefund(refund);
    if (found.status !== 'unknown') return found;
  }
  return gateway.refund(refund);
}

/** An age far below 0 comes of a clock that was wrong: then it says nothing. */
function mayHaveExpired({ keyLifetimeMs }: PaymentGateway, ageMs: number): boolean {
  return ageMs > keyLifetimeMs - KEY_MARGIN_MS || ageMs < -KEY_MARGIN_MS;
}

/**
 * The gateway that the payment method is of, for the app that the work is for (decision 0027). Without one it waits as
 * for one that is down: that must not cost the player the access.
 *
 * @throws Fault `unavailable`.
 */
export async function requireGateway(
  gateways: PaymentGateways,
  { appId, environment }: Causation,
  { paymentMethod }: { readonly paymentMethod: string },
): Promise<PaymentGateway> {
  const gateway = await gateways.findFor(appId, paymentMethod);
  if (gateway !== undefined) return gateway;
  const message = `the ${environment} app ${appId} has no payment gateway (GATEWAY_NOT_CONFIGURED)`;
  throw new Fault('unavailable', message, { retryable: true });
}
