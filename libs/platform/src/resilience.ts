import { once, setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DelegateBackoff,
  fullJitterGenerator,
  handleWhen,
  retry as createRetryPolicy,
} from 'cockatiel';
import { Fault } from './fault.js';

/**
 * How we wait and try again (decision 0001). Attempts and their waits are cockatiel's; here are the
 * bounds without which nothing is retried. Time limits are our own: cockatiel's `timeout` makes an
 * abort controller and its listeners for each call, and one is set for every event that is read.
 */
export interface RetryOptions {
  /** How often to try in all. Without it, `deadlineMs` alone is the bound. */
  readonly attempts?: number;
  /** No new attempt is begun after this time. Without it, `attempts` alone is the bound. */
  readonly deadlineMs?: number;
  /**
   * The wait before the second attempt is random between 0 and this; it doubles with each attempt.
   */
  readonly baseMs: number;
  /** No wait is longer than this. */
  readonly capMs: number;
  /** No new attempt is begun once it is aborted; a wait that has begun goes on to its end. */
  readonly signal?: AbortSignal;
  /** Which errors are worth another attempt; by default, retryable faults. */
  readonly isRetryable?: (error: unknown) => boolean;
}

/** Retrying without a bound is never meant: a call without one gets this. */
const DEFAULT_ATTEMPTS = 5;

/**
 * Calls `attempt` until it succeeds, its error is not retryable, or the bound is reached; then that
 * last error is thrown. Waits are exponential with full jitter, so that callers who failed together
 * do not come back together.
 *
 * @param attempt gets its number, from 0.
 * @throws the last error of `attempt`, or the signal's reason when it was aborted during a wait.
 */
export async function retry<T>(
  attempt: (number: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const { baseMs, capMs, deadlineMs, signal, isRetryable = isRetryableFault } = options;
  const attempts = options.attempts ?? (deadlineMs === undefined ? DEFAULT_ATTEMPTS : Infinity);
  const endsAt = performance.now() + (deadlineMs ?? Infinity);
  let first: unknown;
  const leftMs = () => Math.max(0, endsAt - performance.now());
  const isWorthIt = (error: unknown) =>
    leftMs() > 0 && signal?.aborted !== true && isRetryable(error);
  try {
    // Most calls succeed at once, and need no policy made for them.
    return await attempt(0);
  } catch (error) {
    if (attempts <= 1 || !isWorthIt(error)) throw error;
    first = error;
  }
  const policy = createRetryPolicy(handleWhen(isWorthIt), {
    maxAttempts: attempts - 1,
    backoff: new DelegateBackoff(({ attempt: number }) =>
      Math.min(leftMs(), jitteredDelayMs(number - 1, baseMs, capMs)),
    ),
  });
  return policy.execute(async ({ attempt: number }) => {
    // The first attempt was made; counting it in here gives the second its wait.
    if (number === 0) throw first;
    signal?.throwIfAborted();
    return attempt(number);
  });
}

/** Full jitter: a random time between 0 and `baseMs` doubled `attempt` times, at most `capMs`. */
export function jitteredDelayMs(attempt: number, baseMs: number, capMs: number): number {
  const [delayMs] = fullJitterGenerator(attempt, {
    initialDelay: baseMs,
    maxDelay: capMs,
    exponent: 2,
    generator: fullJitterGenerator,
  });
  return delayMs;
}

/** Waits. @throws the signal's reason as soon as it is aborted. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  // As many may wait for one signal as there is work at once; each takes its listener away.
  if (signal !== undefined) setMaxListeners(0, signal);
  try {
    await delay(durationMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Waits; true when the time has passed, false as soon as the signal is aborted. */
export async function sleepUnlessAborted(
  durationMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  return sleep(durationMs, signal).then(
    () => true,
    () => false,
  );
}

/**
 * Waits for the next tick of an interval, which is at least half of it away. The ticks are those of the process: loops
 * with the same interval wake together, and their commands to Redis share a round trip.
 *
 * @returns as `sleepUnlessAborted`.
 */
export async function sleepUntilTick(everyMs: number, signal: AbortSignal): Promise<boolean> {
  const leftMs = everyMs - (performance.now() % everyMs);
  return sleepUnlessAborted(leftMs < everyMs / 2 ? leftMs + everyMs : leftMs, signal);
}

/** Resolves when the signal is aborted, at once where it is already. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * Waits for a promise, but not for ever. The work behind it goes on when the limit is reached; its
 * outcome is ignored.
 *
 * @throws Fault `unavailable` (retryable) when `limitMs` have passed, saying `what` did not answer.
 */
export function withTimeLimit<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  // A race of two makes three times as many promises, and each read of the store waits for several.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `${what} did not answer within ${limitMs} ms`;
      reject(new Fault('unavailable', message, { retryable: true }));
    }, limitMs);
    const end = () => clearTimeout(timer);
    promise.then(end, end);
    promise.then(resolve, reject);
  });
}

/** Whether the world failed, and the same act may succeed later. */
export function isRetryableFault(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}

/**
 * Does something with a signal that is aborted when `stop` is, or when its time is up. Unlike `AbortSignal.any`
 * with `AbortSignal.timeout` it leaves nothing behind at a `stop` that lives as long as the process, and is aborted
 * for sure: Node.js 20 forgets a time limit that nothing else refers to, once it collects memory.
 *
 * @returns the result of `act`, or throws its error. The reason of a time that was up is a `TimeoutError`.
 */
export async function withSignal<Result>(
  stop: AbortSignal,
  limitMs: number,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const either = new AbortController();
  const onStop = () => either.abort(stop.reason);
  if (stop.aborted) onStop();
  // Node.js warns of more than ten listeners, and hundreds of acts may be under way.
  setMaxListeners(0, stop);
  stop.addEventListener('abort', onStop, { once: true });
  const timer = setTimeout(() => either.abort(timedOut()), limitMs);
  try {
    return await act(either.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

function timedOut(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}
