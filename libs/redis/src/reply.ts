import { Defect, Fault } from '#platform';

/** The wait of a caller who met a Redis out of reach. */
const RETRY_AFTER_MS = 1_000;

/** ioredis's error for a command that found no connection, in place of the reason. */
const WITHOUT_CONNECTION =
  /^(Reached the max retries|Connection is closed|Stream isn't writeable|None of startup nodes)/;

/** Replies by which Redis says that it understood, and cannot serve now, or not this client. */
const PASSING_REPLIES =
  /^(NOAUTH|WRONGPASS|NOPERM|LOADING|OOM|MISCONF|BUSY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNKILLABLE|MOVED|ASK) |(?:^|-)READONLY /;

/** A command that is late after a connection failed is late for that reason, if it was not long ago. */
const PROBLEM_EXPLAINS_MS = 10_000;

/** Why the last connection failed: a command that waited for one does not learn it. One Redis a process. */
let lastProblem = 'no connection';
let lastProblemAtMs = -PROBLEM_EXPLAINS_MS;

/** Keeps the reason for the commands that fail for want of this connection. */
export function noteConnectionProblem(error: unknown): void {
  lastProblem = describeError(error);
  lastProblemAtMs = performance.now();
}

/**
 * The reply of Redis to a command or a script.
 *
 * @throws Fault `unavailable` (retryable) when it is out of reach, late, or cannot serve now; Defect
 *   when it refuses the command as such.
 */
export async function redisReply<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw redisFailure(error);
  }
}

/** The error of `redisReply` for a failed command. */
export function redisFailure(error: unknown): Fault | Defect {
  if (!isRefusal(error)) return redisFault(error);
  return new Defect(`Redis refused a command: ${describeError(error)}`, { cause: error });
}

/** A fault that names the setting to look at: the address itself may hold a password. */
export function redisFault(error: unknown): Fault {
  const text = describeError(error);
  const isLate = text === 'Command timed out';
  const isExplained = isLate && performance.now() - lastProblemAtMs < PROBLEM_EXPLAINS_MS;
  const message = WITHOUT_CONNECTION.test(text)
    ? `Redis at REDIS_URL cannot be reached: ${lastProblem}`
    : `Redis at REDIS_URL: ${text}${isExplained ? ` (${lastProblem})` : ''}`;
  return new Fault('unavailable', message, {
    retryable: true,
    cause: error,
    retryAfterMs: RETRY_AFTER_MS,
  });
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'ReplyError' && !PASSING_REPLIES.test(error.message)
  );
}

/** An attempt at several addresses, or nodes, fails with an error that does not say why. */
function describeError(error: unknown): string {
  if (error instanceof Error && 'lastNodeError' in error && error.lastNodeError instanceof Error) {
    return describeError(error.lastNodeError);
  }
  if (error instanceof AggregateError && error.message === '')
    return describeError(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
