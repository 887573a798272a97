/** The codes of google.rpc that we use, with the HTTP status that follows from each (decisions 4). */
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

/** One bad field of a request: its path (`prices.0.currency`) and what is wrong with it. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

interface ApiErrorOptions {
  /** UPPER_SNAKE, stable: what a client's code switches on. */
  readonly reason: string;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly fieldViolations?: readonly FieldViolation[];
  /** Where the HTTP status is not the code's usual one (412, 413, 414, 415). */
  readonly http?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
}

/** A refusal on its way to the client; the error filter turns it into the body of interface 7. */
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
    this.metadata = options.metadata ?? {};
    this.fieldViolations = options.fieldViolations ?? [];
    this.headers = options.headers ?? {};
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Every bad field of a request at once (decisions 4). */
export function invalidFields(fieldViolations: readonly FieldViolation[]): ApiError {
  const fields = fieldViolations.map(({ field }) => field).join(', ');
  return new ApiError('INVALID_ARGUMENT', {
    reason: 'INVALID_FIELDS',
    message: `These fields are not valid: ${fields}.`,
    fieldViolations,
  });
}

/** An unknown id, or another app's object: the two are not told apart (decisions 3). */
export function notFound(what: string, id: string): ApiError {
  return new ApiError('NOT_FOUND', {
    reason: `${what.toUpperCase().replaceAll(/[ -]/g, '_')}_NOT_FOUND`,
    message: `There is no ${what} with the id ${JSON.stringify(id)}.`,
  });
}
