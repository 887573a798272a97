import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from './fault.js';

export interface RetryOptions {
  /** How often to try in all. Without it, `deadlineMs` alone is the bound. */
  readonly attempts?: number;
  /** No new attempt is begun after this time. Without it, `attempts` alone is the bound. */
  readonly deadlineMs?: number;
  /** The wait before the second attempt is random between 0 and this; it doubles with each attempt. */
  readonly baseMs: number;
  /** No wait is longer than this. */
  readonly capMs: number;
  readonly signal?: AbortSignal;
  /** Which errors are worth another attempt; by default, retryable faults. */
  readonly isRetryable?: (error: unknown) => boolean;
}

/** Retrying without a bound is never meant: this is what a call without one gets. */
const DEFAULT_ATTEMPTS = 5;

/**
 * Calls `attempt` until it succeeds, its error is not retryable, or the bound is reached; then that
 * last error is thrown. Waits are exponential with full jitter, so that callers who failed together
 * do not come back together. (p-retry only stretches its waits by a random 1 to 2, so a crowd
 * stays a crowd.)
 *
 * @param attempt gets its number, from 0.
 */
export async function retry<T>(
  attempt: (number: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const attempts =
    options.attempts ?? (options.deadlineMs === undefined ? DEFAULT_ATTEMPTS : Infinity);
  const endsAt = performance.now() + (options.deadlineMs ?? Infinity);
  const isRetryable = options.isRetryable ?? isRetryableFault;
  for (let number = 0; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      const waitMs = jitteredDelayMs(number, options.baseMs, options.capMs);
      const isLast = number + 1 >= attempts || performance.now() + waitMs > endsAt;
      if (isLast || options.signal?.aborted === true || !isRetryable(error)) throw error;
      await sleep(waitMs, options.signal);
    }
  }
}

/** Full jitter: a random time between 0 and `baseMs` doubled `attempt` times, at most `capMs`. */
export function jitteredDelayMs(attempt: number, baseMs: number, capMs: number): number {
  return Math.random() * Math.min(capMs, baseMs * 2 ** attempt);
}

/** Waits. @throws the signal's reason as soon as it is aborted. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Waits for a promise, but not for ever. What it stands for goes on unseen when the limit is reached.
 *
 * @throws Fault `unavailable` (retryable) when `limitMs` have passed, saying `what` did not answer.
 */
export async function withTimeLimit<T>(
  promise: Promise<T>,
  limitMs: number,
  what: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `${what} did not answer within ${limitMs} ms`;
      reject(new Fault('unavailable', message, { retryable: true }));
    }, limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function isRetryableFault(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}
