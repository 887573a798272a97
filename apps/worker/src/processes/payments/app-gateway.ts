import type { PaymentGateway, PaymentGateways } from '#gateway';
import { Fault } from '#platform';
import type { Causation } from '../causation.js';

/**
 * The gateway of the app that the work is for. Without one it waits as for one that is down: that must not
 * cost the player the access.
 *
 * @throws Fault `unavailable`.
 */
export function requireGateway(
  gateways: PaymentGateways,
  { appId, environment }: Causation,
): PaymentGateway {
  const gateway = gateways.of(environment);
  if (gateway !== undefined) return gateway;
  const message = `the ${environment} app ${appId} has no payment gateway (GATEWAY_NOT_CONFIGURED)`;
  throw new Fault('unavailable', message, { retryable: true });
}
