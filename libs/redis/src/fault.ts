import { Fault } from '#platform';

/** What ioredis says of a command that found no connection, in place of the reason. */
const WITHOUT_CONNECTION = /^(Reached the max retries|Connection is closed|Stream isn't writeable)/;

/** Why the last connection failed: a command that waited for one is not told. One Redis a process. */
let lastProblem = 'no connection';

/** Keeps the reason for the commands that fail for want of this connection. */
export function noteConnectionProblem(error: unknown): void {
  lastProblem = textOf(error);
}

/**
 * What Redis failed with, as a fault that names the setting to look at; its address may hold a
 * password. Whatever it was, the same call may succeed later.
 */
export function redisFault(
  error: unknown,
  options: { readonly retryAfterMs?: number } = {},
): Fault {
  const text = textOf(error);
  const message = WITHOUT_CONNECTION.test(text)
    ? `Redis at REDIS_URL cannot be reached: ${lastProblem}`
    : `Redis at REDIS_URL: ${text}`;
  return new Fault('unavailable', message, { retryable: true, cause: error, ...options });
}

/** An attempt at several addresses of a name fails with an error that has no message of its own. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return textOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
