import { type AnyRejection } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { CLDR_VERSION, findCharmBand, localeOfCountry } from '../pricing/index.js';
import {
  type ConversionRejection,
  type ConversionRequest,
  conversionViolations,
  requestedRounding,
} from './conversion-request.js';
import {
  type PricingBasis,
  type QuoteAmounts,
  quoteAmounts,
  type QuoteProvenance,
  type QuoteTerms,
  quoteTerms,
  SOURCE_CURRENCY,
} from './quote.js';
import { SOURCE_COUNTRY } from './sheet-check.js';

/** One price of one country, asked for as a conversion would, at any moment. */
export interface ExplainRequest {
  readonly priceId: string;
  readonly country: string;
  readonly rounding?: string;
}

/** One step of the arithmetic: its name, and the amount in minor units after it. */
interface ExplainedStep {
  readonly step: 'source' | 'sheet' | 'tax' | 'rounding' | 'display';
  readonly explanation: string;
  readonly amountMinor: string;
  readonly currency: string;
}

export interface Explanation extends QuoteProvenance {
  readonly priceId: string;
  readonly country: string;
  readonly at: Instant;
  readonly cldrVersion: string;
  readonly displayPrice: string;
  readonly steps: readonly ExplainedStep[];
}

export type ExplainRejection =
  ConversionRejection | (AnyRejection & { readonly code: 'prices/price_not_found' });

export type ExplainAnswer =
  | { readonly accepted: true; readonly explanation: Explanation }
  | { readonly accepted: false; readonly rejection: ExplainRejection };

/**
 * Each step from the sheet's row to the final amount, by the functions that quote, so that a
 * quote of the past can be made again (rules/prices 1). The basis is the one of the moment `at`.
 */
export function explainQuote(
  basis: PricingBasis | undefined,
  request: ExplainRequest,
  at: Instant,
): ExplainAnswer {
  const conversion = asConversion(request);
  const violations = conversionViolations(conversion, at).map(({ field, description }) => ({
    field: field === 'destinationCountry' ? 'country' : field,
    description,
  }));
  if (violations.length > 0) return refuse({ code: 'prices/invalid_request', violations });
  if (basis === undefined) return refuse({ code: 'price_sheet/not_uploaded' });
  const terms = quoteTerms(basis, request.country, requestedRounding(conversion), at);
  const amounts = terms && quoteAmounts(request.priceId, terms);
  if (terms === undefined || amounts === undefined) {
    const detail = `${request.priceId} in ${request.country}`;
    return refuse({ code: 'prices/price_not_found', detail });
  }
  return { accepted: true, explanation: explain(request.priceId, at, terms, amounts) };
}

function explain(
  priceId: string,
  at: Instant,
  terms: QuoteTerms,
  amounts: QuoteAmounts,
): Explanation {
  const { country, currency, decimals, format, provenance } = terms;
  const shown = format(amounts.final);
  const inCurrency = (step: ExplainedStep['step'], explanation: string, amount: bigint) => ({
    step,
    explanation,
    amountMinor: amount.toString(),
    currency,
  });
  const steps: ExplainedStep[] = [
    {
      step: 'source',
      explanation: `row of ${SOURCE_COUNTRY} in sheet version ${provenance.sheetVersion}`,
      amountMinor: amounts.source.toString(),
      currency: SOURCE_CURRENCY,
    },
    inCurrency(
      'sheet',
      `row of ${country} in sheet version ${provenance.sheetVersion}; ${currency} is the currency of ${country} at that moment (CLDR ${CLDR_VERSION}), with ${decimals} decimals (ISO 4217)`,
      amounts.net,
    ),
    inCurrency('tax', taxExplanation(terms, amounts), amounts.taxed),
    inCurrency('rounding', roundingExplanation(terms, amounts), amounts.final),
    inCurrency('display', `locale ${localeOfCountry(country)}, ${shown}`, amounts.final),
  ];
  return {
    priceId,
    country,
    at,
    ...provenance,
    cldrVersion: CLDR_VERSION,
    displayPrice: shown,
    steps,
  };
}

function taxExplanation({ tax, provenance }: QuoteTerms, { net, taxed }: QuoteAmounts): string {
  if (tax === undefined) return 'no tax rate is set for the country: unchanged';
  const source = `rate ${tax.rate} of tax version ${provenance.taxVersion}`;
  if (!tax.inclusive) return `${source} is exclusive, added at checkout: unchanged`;
  return `${source} is inclusive: ${net} × (1 + ${tax.rate}), half-even, = ${taxed}`;
}

function roundingExplanation(
  { rounding, decimals, provenance }: QuoteTerms,
  { taxed, final }: QuoteAmounts,
): string {
  if (rounding === undefined) return 'none was asked for: unchanged';
  const source = `${rounding} of rule version ${provenance.ruleVersion}`;
  if (taxed === 0n) return `${source}: zero stays zero`;
  const { step, ending } = findCharmBand(taxed, decimals);
  const candidates = `${ending}, ${ending + step}, ${ending + 2n * step} and so on`;
  return `${source}: the nearest to ${taxed} of ${candidates} (every ${step}), ties up, = ${final}`;
}

function asConversion({ priceId, country, rounding }: ExplainRequest): ConversionRequest {
  return {
    sourceCurrency: SOURCE_CURRENCY,
    destinationCountry: country,
    priceIds: [priceId],
    ...(rounding !== undefined && { rounding }),
  };
}

function refuse(rejection: ExplainRejection): ExplainAnswer {
  return { accepted: false, rejection };
}
