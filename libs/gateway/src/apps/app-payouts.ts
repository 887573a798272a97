import type { ReadPayout } from '../gateway-payouts.js';
import { openAccount, type Secrets, type StripeApp } from './stripe-clients.js';

/**
 * How the payouts of an app at Stripe are read; undefined for one that never was set to it.
 *
 * @throws Fault `undecodable` where its keys do not open.
 */
export function openPayouts(
  app: StripeApp,
  secrets: Secrets,
  stripeStandIn: URL | undefined,
): ReadPayout | undefined {
  const account = openAccount(app, secrets, stripeStandIn);
  if (account === undefined) return undefined;
  return async (payoutId, signal) => {
    const { readStripePayout } = await import('../stripe/index.js');
    return readStripePayout(account, payoutId, signal);
  };
}
