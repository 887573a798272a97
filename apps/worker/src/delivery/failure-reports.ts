import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Clock, type Log, warnSeldom } from '#platform';
import { EndpointFailures, type Failing } from '#worker-state';
import { SUCCESS_REPORTED_EVERY_MS, SUCCESSES_KEPT } from '../limits.js';
import { CLOCK, LOG } from '../tokens.js';

/**
 * Reports failures and successes of endpoints to what all partitions know of them, which shows operators how endpoints
 * are, and counts the days of nothing but failures (rules/webhooks 6). Calls never throw.
 */
@Injectable()
export class FailureReports {
  /** Endpoints whose success was reported lately, so that failures of other partitions count no more. */
  readonly #succeeded = new LRUCache<string, true>({
    ...{ max: SUCCESSES_KEPT, ttl: SUCCESS_REPORTED_EVERY_MS },
  });

  constructor(
    private readonly shared: EndpointFailures,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @param openUntilMs until when this partition makes no attempt; 0 where it does. @returns undefined where Redis is away. */
  async failed(endpointId: string, openUntilMs: number): Promise<Failing | undefined> {
    this.#succeeded.delete(endpointId);
    try {
      return await this.shared.noteFailure(endpointId, Date.parse(this.clock.now()), openUntilMs);
    } catch (error) {
      warnSeldom(this.log, error, 'a failure of an endpoint could not be counted');
      return undefined;
    }
  }

  /** Reports the success if this endpoint has failed here since the last one, otherwise hourly. */
  succeeded(endpointId: string): void {
    if (this.#succeeded.has(endpointId)) return;
    this.#succeeded.set(endpointId, true);
    this.shared.noteSuccess(endpointId).catch((error: unknown) => {
      warnSeldom(this.log, error, 'a success of an endpoint could not be noted');
      // The next one says it again.
      this.#succeeded.delete(endpointId);
    });
  }

  /** It is tried at once, whatever other partitions have said. */
  changed(endpointId: string): void {
    this.shared.noteChange(endpointId).catch((error: unknown) => {
      warnSeldom(this.log, error, 'the breaker of an endpoint could not be closed');
    });
  }
}
