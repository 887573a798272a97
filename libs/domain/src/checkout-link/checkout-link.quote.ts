import { addPeriods } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import { zero } from '../money/index.js';
import { type TaxedCharge, taxedCharge, type TaxRates } from '../pricing/index.js';
import type { Offer } from './checkout-link.events.js';

/** The costs of an offer, and their dates (rules/payments 8). */
export interface OfferQuote {
  /** The amount due at the click: nothing, where the offer begins with a trial. */
  readonly dueNow: TaxedCharge;
  /** The first charge of a whole period, taxed as known today for its due date: now, or the end of the trial. */
  readonly firstCharge: TaxedCharge;
}

/** The amounts of a link's offer at a moment: the same for its page and for the charge. */
export function quoteOffer(
  { offer, regionCode }: { readonly offer: Offer; readonly regionCode: string },
  taxRates: TaxRates,
  now: Instant,
): OfferQuote {
  const { price, trial } = offer;
  const dueAt = trial === null ? now : addPeriods(now, trial, 1);
  const firstCharge = taxedCharge(price, regionCode, taxRates, dueAt);
  const dueNow = trial === null ? firstCharge : { amount: zero(price.currency), tax: null };
  return { dueNow, firstCharge };
}
