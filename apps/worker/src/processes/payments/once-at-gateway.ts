import type {
  ChargeOutcome,
  GatewayCharge,
  GatewayRefund,
  PaymentGateway,
  GatewayRefundOutcome,
} from '#gateway';
import { KEY_MARGIN_MS } from '../../limits.js';

/**
 * Charges once, however late it is asked again (decision 0104): within the life of the key the gateway itself
 * knows the charge; behind it, what became of the charge is found first. One that never arrived is asked for
 * under the same key, so that two who ask at once still charge once.
 *
 * @param ageMs since something that came before the first use of the key. @throws Fault of the gateway.
 */
export async function chargeOnce(
  gateway: PaymentGateway,
  charge: GatewayCharge,
  ageMs: number,
): Promise<ChargeOutcome> {
  if (mayHaveExpired(gateway, ageMs)) {
    const found = await gateway.findCharge(charge);
    if (found.status !== 'unknown') return found;
  }
  return gateway.charge(charge);
}

/** Refunds once; as `chargeOnce`. */
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
