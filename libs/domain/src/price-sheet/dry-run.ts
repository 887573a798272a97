import type { Instant } from '../event/index.js';
import { type Rounding, toMajorText } from '../pricing/index.js';
import { type PricingBasis, quoteAmounts, type QuoteTerms, quoteTerms } from './quote.js';

/** A price as players see it: after tax and rounding; amount as a decimal text of major units. */
interface DryRunPrice {
  readonly currency: string;
  readonly amount: string;
}

/** A final price that would change; null where there is none on that side. */
export interface PriceChange {
  readonly country: string;
  readonly priceId: string;
  readonly before: DryRunPrice | null;
  readonly after: DryRunPrice | null;
}

/** One side of a dry run: the present sheet (undefined before the first one), or the new one. */
export interface DryRunSide {
  readonly basis: PricingBasis | undefined;
  readonly rounding: Rounding | undefined;
}

/**
 * Every price whose final amount would change between two sheets, tax rates or roundings, by country
 * and then priceId. Rows in a currency that their country does not have at that moment are no prices.
 */
export function dryRun(before: DryRunSide, after: DryRunSide, at: Instant): PriceChange[] {
  const old = new SidePrices(before, at);
  const next = new SidePrices(after, at);
  const changes: PriceChange[] = [];
  for (const { priceId, country } of next.cells()) {
    const change = findChange(priceId, country, old, next);
    if (change !== null) changes.push(change);
  }
  for (const { priceId, country } of old.cells()) {
    if (next.price(priceId, country) !== null) continue;
    const change = findChange(priceId, country, old, next);
    if (change !== null) changes.push(change);
  }
  return changes.sort((a, b) => compare(a.country, b.country) || compare(a.priceId, b.priceId));
}

/** The final prices of one side, with the terms of each country made once. */
class SidePrices {
  private readonly terms = new Map<string, QuoteTerms | undefined>();

  constructor(
    private readonly side: DryRunSide,
    private readonly at: Instant,
  ) {}

  /** Every row that is a price at that moment. */
  *cells(): Generator<{ priceId: string; country: string }> {
    if (this.side.basis === undefined) return;
    for (const { priceId, country, currency } of this.side.basis.sheet.rows()) {
      if (this.countryTerms(country)?.currency === currency) yield { priceId, country };
    }
  }

  price(priceId: string, country: string): DryRunPrice | null {
    const terms = this.countryTerms(country);
    const amounts = terms && quoteAmounts(priceId, terms);
    if (terms === undefined || amounts === undefined) return null;
    return { currency: terms.currency, amount: toMajorText(amounts.final, terms.decimals) };
  }

  private countryTerms(country: string): QuoteTerms | undefined {
    const { basis, rounding } = this.side;
    if (basis === undefined) return undefined;
    if (!this.terms.has(country)) {
      this.terms.set(country, quoteTerms(basis, country, rounding, this.at));
    }
    return this.terms.get(country);
  }
}

function findChange(
  priceId: string,
  country: string,
  old: SidePrices,
  next: SidePrices,
): PriceChange | null {
  const before = old.price(priceId, country);
  const after = next.price(priceId, country);
  if (before?.amount === after?.amount && before?.currency === after?.currency) return null;
  return { country, priceId, before, after };
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
