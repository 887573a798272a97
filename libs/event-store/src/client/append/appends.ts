import pLimit from 'p-limit';
import { assertDefect, Fault, isRetryableFault, retry } from '#platform';
import {
  type AppendResult,
  type ExpectedRevision,
  RevisionConflict,
} from '../../streams/event-store.js';
import {
  FAILOVER_BASE_MS,
  FAILOVER_CAP_MS,
  type AppendLimits,
  APPENDS_IN_FLIGHT,
  APPENDS_WAITING,
} from '../../streams/limits.js';
import type { ProposedForm } from './append-request.js';
import type { BatchAppender } from './batch-appender.js';

/**
 * See `EventStore.append`: bounded in number, each repeated while its outcome is unknown. The number
 * is kept by p-limit: cockatiel's bulkhead puts a waiting call behind a newer one, and this road is
 * first come, first served.
 */
export class Appends {
  readonly #inFlight = pLimit(APPENDS_IN_FLIGHT);

  constructor(
    private readonly appender: Pick<BatchAppender, 'append'>,
    private readonly limits: Pick<AppendLimits, 'retryForMs'>,
  ) {}

  async append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly ProposedForm[],
  ): Promise<AppendResult> {
    assertDefect(events.length > 0, 'an append without events');
    if (this.#inFlight.pendingCount >= APPENDS_WAITING) {
      throw notNow(`${APPENDS_WAITING} calls to the event store are waiting already`);
    }
    const endsAt = performance.now() + this.limits.retryForMs;
    const hasToWait = this.#inFlight.activeCount >= APPENDS_IN_FLIGHT;
    return this.#inFlight(async () => {
      if (hasToWait && performance.now() > endsAt) {
        throw notNow(
          `appending to ${streamName}: its turn came too late, the event store is behind`,
        );
      }
      let mayBeStored = false;
      const attempt = async () => {
        try {
          return await this.appender.append(streamName, expected, events);
        } catch (error) {
          if (mayBeStored && error instanceof RevisionConflict) {
            throw new RevisionConflict(streamName, error.actual, true);
          }
          mayBeStored = true;
          throw error;
        }
      };
      return retry(attempt, {
        deadlineMs: endsAt - performance.now(),
        baseMs: FAILOVER_BASE_MS,
        capMs: FAILOVER_CAP_MS,
        // The outcome of such an attempt is unknown. With `any`, a store that was restarted cannot distinguish a repetition from a second append.
        isRetryable: (error) => expected !== 'any' && isRetryableFault(error),
      });
    });
  }
}

function notNow(message: string): Fault {
  return new Fault('unavailable', message, { retryable: true });
}
