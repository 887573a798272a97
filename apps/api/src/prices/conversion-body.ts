import type { Instant } from '#domain/event';
import { type ConversionRequest, conversionViolations } from '#domain/price-sheet';
import { isOneLine } from '#domain/text';
import {
  type FieldViolation,
  invalidFields,
  mergeRefusals,
  parseJsonBody,
  unknownParameters,
} from '#nest';

const FIELDS: readonly string[] = ['sourceCurrency', 'destinationCountry', 'priceIds', 'rounding'];

/**
 * The body of a conversion: fields of the right types go on to the domain, which knows the rules. Where a type is
 * wrong, the domain checks the other fields at once (rules/api 12).
 *
 * @throws ApiError naming every bad field.
 */
export function readConversionBody(bytes: Buffer, now: Instant): ConversionRequest {
  const body = bytes.length === 0 ? undefined : parseJsonBody(bytes);
  if (isConversionRequest(body)) return body;
  throw invalidFields(findViolations(body, now));
}

/**
 * A conversion has no query: its parameters are refused beside the errors of the body (rules/api 12).
 *
 * @throws ApiError naming every bad parameter and field.
 */
export function refuseParameters(names: readonly string[], bytes: Buffer, now: Instant): never {
  const body = bytes.length === 0 ? undefined : parseJsonBody(bytes);
  throw mergeRefusals(unknownParameters(names), invalidFields(findViolations(body, now)));
}

/** The good case, which nearly every request is: one look at each field and no more. */
function isConversionRequest(body: unknown): body is ConversionRequest {
  if (!isRecord(body)) return false;
  for (const field in body) if (!FIELDS.includes(field)) return false;
  const { sourceCurrency, destinationCountry, priceIds, rounding } = body;
  return (
    typeof sourceCurrency === 'string' &&
    typeof destinationCountry === 'string' &&
    isLines(priceIds) &&
    (rounding === undefined || typeof rounding === 'string')
  );
}

function findViolations(body: unknown, now: Instant): FieldViolation[] {
  if (!isRecord(body)) return [{ field: 'body', description: 'must be a JSON object' }];
  const violations = Object.keys(body)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => ({ field, description: 'is not a field of this request' }));
  const wrongType = (field: string, description: string) => {
    violations.push({ field, description });
  };
  const { sourceCurrency, destinationCountry, priceIds, rounding } = body;
  if (typeof sourceCurrency !== 'string') wrongType('sourceCurrency', 'must be a string');
  if (typeof destinationCountry !== 'string') wrongType('destinationCountry', 'must be a string');
  if (!isLines(priceIds)) {
    wrongType('priceIds', 'must be a list of strings without control characters');
  }
  if (rounding !== undefined && typeof rounding !== 'string') {
    wrongType('rounding', 'must be a string; omit it for no rounding');
  }
  const request: ConversionRequest = {
    sourceCurrency: typeof sourceCurrency === 'string' ? sourceCurrency : '',
    destinationCountry: typeof destinationCountry === 'string' ? destinationCountry : '',
    priceIds: isLines(priceIds) ? priceIds : [],
    ...(typeof rounding === 'string' && { rounding }),
  };
  const named = new Set(violations.map(({ field }) => field));
  const others = conversionViolations(request, now).filter(({ field }) => !named.has(field));
  return [...violations, ...others];
}

/** Looked at as one text, since a request may have thousands of them (rules/api 3). */
function isLines(value: unknown): value is string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return false;
  return isOneLine(value.join(' '));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
