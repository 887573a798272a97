import { ApiError, STATUS } from './api-error.js';

const TYPE = 'type.googleapis.com/google.rpc.';
const DOMAIN = 'subledger';

/** The error body: the JSON form of google.rpc.Status (rules/api 12). */
export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly details: readonly Readonly<Record<string, unknown>>[];
}

/** Renders a refusal: exactly one ErrorInfo, and the further details that the refusal has. */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { code } = STATUS[error.status];
  const details: Record<string, unknown>[] = [
    {
      '@type': `${TYPE}ErrorInfo`,
      reason: error.reason,
      domain: DOMAIN,
      metadata: error.metadata,
    },
  ];
  if (error.fieldViolations.length > 0) {
    details.push({ '@type': `${TYPE}BadRequest`, fieldViolations: error.fieldViolations });
  }
  if (error.retryAfterMs !== undefined) {
    const retryDelay = `${retryAfterSeconds(error.retryAfterMs)}s`;
    details.push({ '@type': `${TYPE}RetryInfo`, retryDelay });
  }
  if (error.http >= 500) {
    details.push({ '@type': `${TYPE}RequestInfo`, requestId, servingData: '' });
  }
  return { code, message: error.message, details };
}

/** Whole seconds, at least one, for `Retry-After` and RetryInfo. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000));
}
