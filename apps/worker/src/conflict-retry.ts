/** A stream that others keep changing delays its own commands, and nothing else (rules/events 9). */
import { Fault, retry } from '#platform';
import { HOT_STREAM_ATTEMPTS, RETRY_BASE_MS, RETRY_CAP_MS } from './limits.js';

/** Whether others kept changing the stream of a command while it was executed. */
export function isConflict(error: unknown): error is Fault {
  return error instanceof Fault && error.code === 'conflict';
}

/**
 * Executes a command, and again after a while where its stream was too contended. Nothing of an attempt
 * that ended so is in the store.
 *
 * @throws Fault `conflict` after the last attempt, and any other error at once.
 */
export async function retryConflicts<T>(execute: () => Promise<T>): Promise<T> {
  return retry(execute, {
    attempts: HOT_STREAM_ATTEMPTS,
    baseMs: RETRY_BASE_MS,
    capMs: RETRY_CAP_MS,
    isRetryable: isConflict,
  });
}
