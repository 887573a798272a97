import type { FieldViolation } from '#domain/decider';

export type { FieldViolation };

/**
 * The codes of google.rpc that we use, with the HTTP status that follows from each (rules/api 12).
 */
export const STATUS = {
  INVALID_ARGUMENT: { code: 3, http: 400 },
  NOT_FOUND: { code: 5, http: 404 },
  ALREADY_EXISTS: { code: 6, http: 409 },
  PERMISSION_DENIED: { code: 7, http: 403 },
  RESOURCE_EXHAUSTED: { code: 8, http: 429 },
  FAILED_PRECONDITION: { code: 9, http: 400 },
  ABORTED: { code: 10, http: 409 },
  UNIMPLEMENTED: { code: 12, http: 405 },
  INTERNAL: { code: 13, http: 500 },
  UNAVAILABLE: { code: 14, http: 503 },
  UNAUTHENTICATED: { code: 16, http: 401 },
} as const;

export type StatusName = keyof typeof STATUS;

/** A refusal names this many bad fields and says how many more there are (rules/api 6). */
export const MAX_VIOLATIONS = 100;
/** The message names the first few; the violations name them all. */
const FIELDS_IN_MESSAGE = 10;
/** A caller's texts come back in messages only up to this length. */
const MAX_NAME_CHARACTERS = 100;
const MAX_DESCRIPTION_CHARACTERS = 400;

interface ApiErrorOptions {
  /** UPPER_SNAKE, stable: a client's code switches on it. */
  readonly reason: string;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly fieldViolations?: readonly FieldViolation[];
  /** How many bad fields there are, where `fieldViolations` lacks some. */
  readonly violationCount?: number;
  /** Where the HTTP status is not the code's usual one (412, 413, 414, 415). */
  readonly http?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
}

/**
 * A refusal on its way to the client; the error filter turns it into the body of an error
 * (rules/api 12).
 */
export class ApiError extends Error {
  readonly status: StatusName;
  readonly http: number;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fieldViolations: readonly FieldViolation[];
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | undefined;

  constructor(status: StatusName, options: ApiErrorOptions) {
    super(options.message);
    this.name = 'ApiError';
    this.status = status;
    this.http = options.http ?? STATUS[status].http;
    this.reason = options.reason;
    const violations = options.fieldViolations ?? [];
    const unnamed = (options.violationCount ?? violations.length) - MAX_VIOLATIONS;
    this.metadata = {
      ...options.metadata,
      ...(unnamed > 0 && { moreFieldViolations: String(unnamed) }),
    };
    this.fieldViolations = violations.slice(0, MAX_VIOLATIONS).map(shortened);
    this.headers = options.headers ?? {};
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Every bad field of a request at once, as many of them as an answer may have (rules/api 6). */
export function invalidFields(
  fieldViolations: readonly FieldViolation[],
  options: Pick<ApiErrorOptions, 'violationCount' | 'metadata'> = {},
): ApiError {
  const { violationCount = fieldViolations.length } = options;
  const named = fieldViolations.slice(0, FIELDS_IN_MESSAGE).map(({ field }) => cut(field));
  const unnamed = violationCount - named.length;
  const fields = named.join(', ') + (unnamed > 0 ? ` and ${unnamed} more` : '');
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'INVALID_FIELDS',
    message: `These fields are not valid: ${fields}.`,
    fieldViolations,
    ...options,
  });
}

/** Whether a request was refused for the values of its fields. */
export function isAboutFields(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === 'INVALID_FIELDS';
}

/** Two refusals of the same request as one; an error of a field, or of a part of it, is named once. */
export function mergeRefusals(first: ApiError, second: ApiError): ApiError {
  const isNamed = ({ field }: FieldViolation) =>
    first.fieldViolations.some(
      (named) => isWithin(named.field, field) || isWithin(field, named.field),
    );
  const others = second.fieldViolations.filter((violation) => !isNamed(violation));
  const { moreFieldViolations: unnamed = '0', ...metadata } = first.metadata;
  const { moreFieldViolations: otherUnnamed = '0', ...otherMetadata } = second.metadata;
  const violations = [...first.fieldViolations, ...others];
  return invalidFields(violations, {
    violationCount: violations.length + Number(unnamed) + Number(otherUnnamed),
    metadata: { ...metadata, ...otherMetadata },
  });
}

function isWithin(field: string, whole: string): boolean {
  return field === whole || field.startsWith(`${whole}.`);
}

/**
 * A production app without a payment gateway of its own: nothing can be sold there
 * (rules/payments 1).
 */
export function gatewayNotConfigured(): ApiError {
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'GATEWAY_NOT_CONFIGURED',
    message: 'This app is in production and has no payment gateway: nothing can be paid yet.',
  });
}

/**
 * The studio's backend gave no catalog, so that there is nothing to be shown or sold (rules/catalog 5).
 *
 * @param reference by which the operator finds why.
 */
export function catalogUnavailable(reference: string): ApiError {
  return new ApiError('UNAVAILABLE', {
    reason: 'CATALOG_UNAVAILABLE',
    message: 'The shop cannot be shown at present. Try again in a moment.',
    metadata: { reference },
    http: 502,
  });
}

/**
 * An unknown id, or another app's object: both look the same (rules/api 10).
 *
 * @param key by which the object was looked for.
 */
export function notFound(what: string, value: string, key = 'id'): ApiError {
  return new ApiError('NOT_FOUND', {
    reason: `${what.toUpperCase().replaceAll(/[ -]/g, '_')}_NOT_FOUND`,
    message: `There is no ${what} with the ${key} ${JSON.stringify(cut(value))}.`,
  });
}

function shortened({ field, description }: FieldViolation): FieldViolation {
  return { field: cut(field), description: cut(description, MAX_DESCRIPTION_CHARACTERS) };
}

/** A caller's text, short enough to be said back. */
export function cut(text: string, max = MAX_NAME_CHARACTERS): string {
  if (text.length <= max) return text;
  // Half a surrogate pair, where the cut went through one, is no text.
  return `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}...`;
}
