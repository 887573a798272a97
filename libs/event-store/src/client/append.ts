import pLimit from 'p-limit';
import { assertDefect, Fault, retry } from '#platform';
import type { BatchAppender } from './batch-appender.js';
import {
  type AppendResult,
  type ExpectedRevision,
  RevisionConflict,
} from '../streams/event-store.js';
import {
  APPEND_RETRY_BASE_MS,
  APPEND_RETRY_CAP_MS,
  type AppendLimits,
  APPENDS_IN_FLIGHT,
  APPENDS_WAITING,
} from '../streams/limits.js';

import type { StoredForm } from '../streams/stored-form.js';
import type { VerbatimForm } from './verbatim/verbatim-event.js';

/**
 * See `EventStore.append`: bounded in number, each repeated while its outcome is unknown. The number
 * is kept by p-limit: cockatiel's bulkhead puts a waiting call behind a newer one, and this road is
 * first come, first served.
 */
export class Appends {
  readonly #appender: Pick<BatchAppender, 'append'>;
  readonly #inFlight = pLimit(APPENDS_IN_FLIGHT);
  readonly #retryForMs: number;

  constructor(
    appender: Pick<BatchAppender, 'append'>,
    { retryForMs }: Pick<AppendLimits, 'retryForMs'>,
  ) {
    this.#appender = appender;
    this.#retryForMs = retryForMs;
  }

  async append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly (StoredForm | VerbatimForm)[],
  ): Promise<AppendResult> {
    assertDefect(events.length > 0, 'an append without events');
    if (this.#inFlight.pendingCount >= APPENDS_WAITING) throw tooManyWait();
    const endsAt = performance.now() + this.#retryForMs;
    const hasToWait = this.#inFlight.activeCount >= APPENDS_IN_FLIGHT;
    return this.#inFlight(async () => {
      if (hasToWait && performance.now() > endsAt) throw waitedTooLong(streamName);
      try {
        return await this.#appender.append(streamName, expected, events);
      } catch (error) {
        // With `any`, a store that was restarted cannot distinguish a repetition from a second
        // append.
        if (expected === 'any' || !isOutcomeUnknown(error)) throw error;
        return this.#repeat(streamName, expected, events, endsAt, error);
      }
    });
  }

  async #repeat(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly (StoredForm | VerbatimForm)[],
    endsAt: number,
    first: unknown,
  ): Promise<AppendResult> {
    const attempt = async (number: number) => {
      // The first attempt has been made; counting it in here gives the second its wait.
      if (number === 0) throw first;
      return this.#appender.append(streamName, expected, events);
    };
    try {
      return await retry(attempt, {
        deadlineMs: endsAt - performance.now(),
        baseMs: APPEND_RETRY_BASE_MS,
        capMs: APPEND_RETRY_CAP_MS,
      });
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      throw new RevisionConflict(streamName, error.actual, true);
    }
  }
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}

function tooManyWait(): Fault {
  const message = `${APPENDS_WAITING} calls to the event store are waiting already`;
  return new Fault('unavailable', message, { retryable: true });
}

function waitedTooLong(streamName: string): Fault {
  const message = `appending to ${streamName}: its turn came too late, the event store is behind`;
  return new Fault('unavailable', message, { retryable: true });
}
