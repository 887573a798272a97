import { eventOfNoApp } from '../streams/event-of-no-app.js';
import type { AppendResult, EventStore } from '../streams/event-store.js';

/** The streams of requests to the programs themselves, which all of their subscriptions take in. */
export const PARKED_RETRY_CATEGORY = 'parked_retry';
/** An operator wants parked streams tried again now (rules/events 5). */
export const PARKED_RETRY_REQUESTED = 'parked_retry.requested.v1';

const STREAM = `${PARKED_RETRY_CATEGORY}-requests`;

/**
 * Asks all programs that follow the ledger to try their parked streams again: an event, so that those out of sight hear
 * of it, too.
 *
 * @param actor who asks. @throws Fault of the store.
 */
export async function requestParkedRetry(
  store: Pick<EventStore, 'append'>,
  actor: string,
): Promise<AppendResult> {
  return store.append(STREAM, 'any', [eventOfNoApp(actor, PARKED_RETRY_REQUESTED, {})]);
}
