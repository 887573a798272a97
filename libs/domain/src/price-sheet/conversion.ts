import type { Instant } from '../event/index.js';
import { taxRatesInForce } from '../pricing/index.js';
import {
  type ConversionRejection,
  type ConversionRequest,
  conversionViolations,
  requestedRounding,
} from './conversion-request.js';
import {
  currencyOfSheet,
  type PricingBasis,
  type Quote,
  quotePrice,
  type QuoteProvenance,
  quoteTerms,
  SOURCE_CURRENCY,
} from './quote.js';

/** The `taxRate` of a country without a rate (rules/prices 1). */
const NO_TAX_RATE = '0';

/** The answer to a conversion; its fields stand in the order in which they go out (rules/prices 7). */
export interface Conversion {
  readonly sourceCurrency: string;
  readonly destinationCurrency: string;
  readonly destinationCountry: string;
  readonly conversions: readonly Quote[];
  readonly missingPriceIds: readonly string[];
  readonly taxRate: string;
  readonly taxInclusive: boolean;
}

export type ConversionAnswer =
  | {
      readonly accepted: true;
      readonly conversion: Conversion;
      readonly provenance: QuoteProvenance;
    }
  | { readonly accepted: false; readonly rejection: ConversionRejection };

/**
 * Converts prices (rules/prices 7). Ids are answered once each, in the order of the request; those
 * without a price are listed. Bad fields are named also where there is no sheet yet.
 *
 * @param basis undefined before the first sheet.
 */
export function convertPrices(
  basis: PricingBasis | undefined,
  request: ConversionRequest,
  at: Instant,
): ConversionAnswer {
  const violations = conversionViolations(request, at);
  if (violations.length > 0) return refuse({ code: 'prices/invalid_request', violations });
  const { destinationCountry } = request;
  const terms = basis && quoteTerms(basis, destinationCountry, requestedRounding(request), at);
  // The country was checked, so that terms are missing only where there is no sheet.
  if (terms === undefined) return refuse({ code: 'price_sheet/not_uploaded' });
  const conversions: Quote[] = [];
  const missingPriceIds: string[] = [];
  for (const priceId of new Set(request.priceIds)) {
    const quote = quotePrice(priceId, terms);
    if (quote === undefined) missingPriceIds.push(priceId);
    else conversions.push(quote);
  }
  const conversion = {
    sourceCurrency: SOURCE_CURRENCY,
    destinationCurrency: terms.currency,
    destinationCountry: terms.country,
    conversions,
    missingPriceIds,
    taxRate: terms.tax?.rate ?? NO_TAX_RATE,
    taxInclusive: terms.tax?.inclusive ?? false,
  };
  return { accepted: true, conversion, provenance: terms.provenance };
}

/**
 * The part of an answer's basis besides the request and the sheet: currency and rates may change with the hour alone.
 * Equal requests to one basis have equal answers as long as this text is the same.
 */
export function termsKey(
  basis: PricingBasis | undefined,
  { destinationCountry }: ConversionRequest,
  at: Instant,
): string {
  const currency = (basis && currencyOfSheet(basis.sheet, destinationCountry, at)) ?? '';
  const taxRates = basis && taxRatesInForce(basis.taxRates, at);
  return `${currency} ${taxRates?.version ?? 0}`;
}

function refuse(rejection: ConversionRejection): ConversionAnswer {
  return { accepted: false, rejection };
}
