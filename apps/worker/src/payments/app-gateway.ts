import type { PaymentGateway, PaymentGateways } from '#gateway';
import { Fault } from '#platform';
import type { Causation } from './causation.js';

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
