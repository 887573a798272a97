import { type BillingPeriod, type PaymentLine, periodLines } from '../payment/index.js';
import { taxedCharge, type TaxRates } from '../pricing/index.js';
import type { StartedSubscription } from './subscription.state.js';

/**
 * The lines of a subscription's period: its price, with the tax of the player's region, at the rate in force on the due
 * date (rules/payments 8). The charge, the page that pays an open period and every preview read it here.
 */
export function renewalLines(
  { price, planId, priceLockedAt: lockedAt, regionCode }: StartedSubscription,
  period: BillingPeriod,
  taxRates: TaxRates,
): PaymentLine[] {
  const charge = taxedCharge(price, regionCode, taxRates, period.start);
  return periodLines(charge, period, { planId, price, lockedAt });
}
