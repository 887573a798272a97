import type { QuoteProvenance } from '#domain/price-sheet';

type Headers = Readonly<Record<string, string>>;

/** The source of prices, so that they can be made again (rules/prices 1). */
export function provenanceHeaders(provenance: QuoteProvenance): Headers {
  return {
    'x-price-sheet-version': String(provenance.sheetVersion),
    'x-tax-rates-version': String(provenance.taxVersion),
    'x-pricing-rule-version': provenance.ruleVersion,
  };
}

/** The version of the app's price sheet, counted from 1. */
export function sheetVersionHeader(version: number): Headers {
  return { 'x-price-sheet-version': String(version) };
}

/** The version of the app's tax rates, counted from 1; 0 where none are in force. */
export function taxVersionHeader(version: number): Headers {
  return { 'x-tax-rates-version': String(version) };
}
