import type { Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import { type TaxRates, taxRatesInForce } from './tax-rates.state.js';
import { chargeWithTax, findTaxRate } from './tax.js';

/** The rate that a tax was computed with, and the version of the app's rates that it is of. */
export interface AppliedTaxRate {
  /** A decimal fraction, "0.19". */
  readonly rate: string;
  readonly version: number;
}

/** The tax in a charge. */
export interface ChargedTax {
  readonly amount: Money;
  /** Whether the tax was in the price, or was added to it. */
  readonly inclusive: boolean;
  readonly rate: AppliedTaxRate;
}

/** The charge for a price (rules/payments 8): the whole amount, and the tax in it. */
export interface TaxedCharge {
  readonly amount: Money;
  /** Null where no rate is set. */
  readonly tax: ChargedTax | null;
}

/**
 * The charge for a price where the player is: the rate of the link's region, or else of its country,
 * in force on the due date (rules/payments 8). Rates never reach back (decision 0023), so that the answer
 * for a due date that has come is always the same.
 *
 * @param regionCode a CLDR region, `DE`, or a part of one, `US-NY`; empty where none is known.
 */
export function taxedCharge(
  price: Money,
  regionCode: string,
  taxRates: TaxRates,
  dueAt: Instant,
): TaxedCharge {
  const [country = '', part] = regionCode.split('-');
  const inForce = taxRatesInForce(taxRates, dueAt);
  const found = findTaxRate(inForce?.rates ?? [], country, part);
  if (inForce === undefined || found === undefined) return { amount: price, tax: null };
  const { amount, tax } = chargeWithTax(price, found);
  const rate = { rate: found.rate, version: inForce.version };
  return { amount, tax: { amount: tax, inclusive: found.inclusive, rate } };
}
