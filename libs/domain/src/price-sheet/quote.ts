import type { Instant } from '../event/index.js';
import { decimalsOf } from '../money/index.js';
import {
  applyRounding,
  currenciesOfCountry,
  createPriceFormat,
  findTaxRate,
  PRICING_RULE_VERSION,
  type PriceFormat,
  type Rounding,
  type TaxRate,
  type TaxRates,
  taxRatesInForce,
  withTaxIncluded,
} from '../pricing/index.js';
import type { PriceColumn, PriceSheet } from './price-sheet.js';
import { SOURCE_COUNTRY } from './sheet-check.js';

/** The one currency that conversions start from (rules/prices 7). */
export const SOURCE_CURRENCY = 'USD';

/** The basis of a quote besides the request and the moment: it changes as a whole, never in part. */
export interface PricingBasis {
  readonly sheet: PriceSheet;
  readonly sheetVersion: number;
  readonly taxRates: TaxRates;
}

/** The source of a quote; the answer's headers name it, so that the quote can be made again. */
export interface QuoteProvenance {
  readonly sheetVersion: number;
  /** 0 where no rates are in force. */
  readonly taxVersion: number;
  readonly ruleVersion: string;
}

/** One price of one country, its fields as they go out (rules/prices 7); amounts in minor units. */
export interface Quote {
  readonly priceId: string;
  readonly sourceAmount: number;
  readonly destinationAmount: number;
  readonly preRoundingAmount: number;
  readonly displayPrice: string;
  readonly decimalPlaces: number;
}

/** The common part of all quotes of a country at a moment. */
export interface QuoteTerms {
  readonly country: string;
  readonly currency: string;
  readonly decimals: number;
  readonly rounding: Rounding | undefined;
  /** The country's own rate, since a conversion names no region (rules/prices 5). */
  readonly tax: TaxRate | undefined;
  readonly provenance: QuoteProvenance;
  readonly column: PriceColumn;
  readonly sourceColumn: PriceColumn;
  readonly format: PriceFormat;
}

/** A price on its way: from the sheet, after tax, after rounding; minor units. */
export interface QuoteAmounts {
  readonly source: bigint;
  readonly net: bigint;
  readonly taxed: bigint;
  readonly final: bigint;
}

/**
 * The currency that a sheet prices a country in at a moment (rules/prices 6): the first legal tender in CLDR's order,
 * unless all its rows in legal tender are in another one. Undefined for a code of no country with a currency.
 */
export function currencyOfSheet(
  sheet: PriceSheet,
  country: string,
  at: Instant,
): string | undefined {
  const tenders = currenciesOfCountry(country, at);
  const [first, second] = tenders;
  if (second === undefined) return first;
  const priced = tenders.filter((currency) => !sheet.column(country, currency).isEmpty);
  return priced.length === 1 ? priced[0] : first;
}

/** The terms of a country at a moment; undefined for a code of no country with a currency. */
export function quoteTerms(
  basis: PricingBasis,
  country: string,
  rounding: Rounding | undefined,
  at: Instant,
): QuoteTerms | undefined {
  const currency = currencyOfSheet(basis.sheet, country, at);
  if (currency === undefined) return undefined;
  const taxRates = taxRatesInForce(basis.taxRates, at);
  return {
    country,
    currency,
    decimals: decimalsOf(currency),
    rounding,
    tax: taxRates && findTaxRate(taxRates.rates, country),
    provenance: {
      sheetVersion: basis.sheetVersion,
      taxVersion: taxRates?.version ?? 0,
      ruleVersion: PRICING_RULE_VERSION,
    },
    column: basis.sheet.column(country, currency),
    sourceColumn: basis.sheet.column(SOURCE_COUNTRY, SOURCE_CURRENCY),
    format: createPriceFormat(country, currency),
  };
}

/**
 * The amounts of a price (rules/prices 1): net from the sheet; an inclusive tax on top, an exclusive one
 * only reported; then the rounding. Undefined where the sheet has no row for the country, or none in
 * the currency that it has at that moment.
 */
export function quoteAmounts(priceId: string, terms: QuoteTerms): QuoteAmounts | undefined {
  const net = terms.column.amount(priceId);
  const source = terms.sourceColumn.amount(priceId);
  if (net === undefined || source === undefined) return undefined;
  const taxed = terms.tax?.inclusive === true ? withTaxIncluded(net, terms.tax.rate) : net;
  return { source, net, taxed, final: applyRounding(taxed, terms.decimals, terms.rounding) };
}

/** The quote of a price. The limit on a sheet's amounts keeps every number an exact integer. */
export function quotePrice(priceId: string, terms: QuoteTerms): Quote | undefined {
  const amounts = quoteAmounts(priceId, terms);
  if (amounts === undefined) return undefined;
  return {
    priceId,
    sourceAmount: Number(amounts.source),
    destinationAmount: Number(amounts.final),
    preRoundingAmount: Number(amounts.taxed),
    displayPrice: terms.format(amounts.final),
    decimalPlaces: terms.decimals,
  };
}
