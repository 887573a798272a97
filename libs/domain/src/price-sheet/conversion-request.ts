import type { AnyRejection, FieldViolation } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { currencyOfCountry, isRounding, type Rounding, ROUNDINGS } from '../pricing/index.js';
import { SOURCE_CURRENCY } from './quote.js';

/** The body of a conversion (rules/prices 7); the edge has checked the types of its fields and no more. */
export interface ConversionRequest {
  readonly sourceCurrency: string;
  readonly destinationCountry: string;
  readonly priceIds: readonly string[];
  readonly rounding?: string;
}

/** Every bad field at once, or: this app has no price sheet (rules/prices 7). */
export type ConversionRejection = AnyRejection &
  (
    | { readonly code: 'prices/invalid_request'; readonly violations: readonly FieldViolation[] }
    | { readonly code: 'price_sheet/not_uploaded' }
  );

/** The errors in a request at a moment; an id that no sheet knows is no error (rules/prices 7). */
export function conversionViolations(request: ConversionRequest, at: Instant): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const { sourceCurrency, destinationCountry, priceIds, rounding } = request;
  if (sourceCurrency !== SOURCE_CURRENCY) {
    const description = `only ${SOURCE_CURRENCY} is supported, not ${JSON.stringify(sourceCurrency)}`;
    violations.push({ field: 'sourceCurrency', description });
  }
  const country = countryViolation(destinationCountry, at);
  if (country !== undefined) violations.push(country);
  if (priceIds.length === 0) {
    violations.push({ field: 'priceIds', description: 'name at least one priceId' });
  }
  if (rounding !== undefined && !isRounding(rounding)) {
    violations.push(roundingViolation(rounding));
  }
  return violations;
}

/** The rounding that a checked request names; undefined for none. */
export function requestedRounding({ rounding }: ConversionRequest): Rounding | undefined {
  return rounding !== undefined && isRounding(rounding) ? rounding : undefined;
}

function countryViolation(country: string, at: Instant): FieldViolation | undefined {
  if (currencyOfCountry(country, at) !== undefined) return undefined;
  const description = `${JSON.stringify(country)} is not a country's upper-case ISO 3166-1 alpha-2 code, or has no currency`;
  return { field: 'destinationCountry', description };
}

function roundingViolation(rounding: string): FieldViolation {
  const description = `${JSON.stringify(rounding)} is not one of ${ROUNDINGS.join(', ')}; omit it for no rounding`;
  return { field: 'rounding', description };
}
