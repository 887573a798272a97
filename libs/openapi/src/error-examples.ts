import { ApiError, errorBody } from '#nest';

/** Of one request; nothing is known of it. */
const REQUEST_ID = '0b7f3c1e-8d2a-4f6b-9c55-1e2d3c4b5a69';
const RETRY_AFTER_MS = 1_000;
const TOO_LARGE = 413;

/**
 * How an operation is refused with a status, as it answers that.
 *
 * @param errors those of the status; the first one that has a sentence is shown.
 */
export function exemplifyRefusal(
  errors: readonly ApiError[],
  mayRetry: (error: ApiError) => boolean,
): object {
  const shown = errors.find(({ message }) => message !== '') ?? errors[0];
  if (shown === undefined) return {};
  const { status, reason, message, http, fieldViolations, metadata } = shown;
  // The same body is too large at any time.
  const isPassing = mayRetry(shown) && http !== TOO_LARGE;
  const retry = isPassing ? { retryAfterMs: shown.retryAfterMs ?? RETRY_AFTER_MS } : {};
  const options = { reason, message, http, fieldViolations, metadata, ...retry };
  return errorBody(new ApiError(status, options), REQUEST_ID);
}
