import { Inject, Injectable } from '@nestjs/common';
import type { ExhaustedDelivery } from '#worker-state';
import { type Clock, jitteredDelayMs, type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import { delayBeforeAttempt } from '#webhooks';
import { InFlightSet } from '../../redis/in-flight-set.js';
import { RETRY_BASE_MS, RETRY_CAP_MS } from '../../limits.js';
import { CLOCK, LOG } from '../../tokens.js';
import { ParkingGate } from '../../feed/parking-gate.js';
import { FeedCheckpoint } from '../../redis/feed-checkpoint.js';
import type { Unplannable } from '../send/outgoing-messages.js';
import type { DeliveryOutcome } from '../send/delivery-act.js';
import type { QueuedDelivery } from './queued-delivery.js';
import { type FailedAttempts, RetryQueue } from '../../jobs/retry-queue.js';

type Failed = Extract<DeliveryOutcome, { kind: 'failed' }>;

/** The attempt after one that failed. */
export interface PlannedRetry {
  readonly delayMs: number;
  readonly left: FailedAttempts;
}

interface Why {
  readonly reason: string;
  readonly signal: AbortSignal;
}

/** Notes the outcomes of attempts. A failure to note it sends nothing again: it is noted later. */
@Injectable()
export class DeliveryOutcomes {
  constructor(
    private readonly inFlight: InFlightSet,
    private readonly retries: RetryQueue,
    @Inject(ParkingGate) private readonly gate: Pick<ParkingGate, 'poison'>,
    @Inject(FeedCheckpoint) private readonly checkpoint: Pick<FeedCheckpoint, 'position'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @returns whether it is noted; false where the signal was aborted before. Never throws. */
  end(member: string, givenUp: ExhaustedDelivery | undefined, signal: AbortSignal) {
    return this.#untilNoted(() => this.inFlight.end(member, givenUp), signal);
  }

  /** The record of a delivery that was given up. */
  giveUp(item: QueuedDelivery, appId: string, type: string, reason: string): ExhaustedDelivery {
    const { member } = item.delivery;
    // First: deliveries that were given up are kept in the order of their members.
    return { member, appId, type, attempts: item.attempts, reason, exhaustedAt: this.clock.now() };
  }

  /** When an attempt that failed is followed by another one; undefined where it was the last. */
  planRetry(
    { attempts, firstFailedAtMs }: QueuedDelivery,
    failed: Pick<Failed, 'retryAfterMs' | 'endpoint'>,
  ): PlannedRetry | undefined {
    const made = attempts + 1;
    const scheduledMs = delayBeforeAttempt(made, Math.random());
    if (scheduledMs === undefined) return undefined;
    return {
      delayMs: Math.max(scheduledMs, failed.retryAfterMs),
      left: {
        attempts: made,
        firstFailedAtMs: firstFailedAtMs ?? Date.parse(this.clock.now()),
        enabledAt: failed.endpoint?.enabledAt,
      },
    };
  }

  /** Gives it to BullMQ after its first attempt. Never throws. */
  async keep({ delivery }: QueuedDelivery, planned: PlannedRetry, why: Why): Promise<void> {
    const { member, target: endpointId, messageId } = delivery;
    const { firstFailedAtMs, enabledAt } = planned.left;
    const { reason, signal } = why;
    const retry = { endpointId, messageId, member, firstFailedAtMs, enabledAt, reason };
    await this.#untilNoted(() => this.retries.add(retry, planned.delayMs), signal);
  }

  /** Parks the stream of a message that this release cannot make. @returns whether it is parked. Never throws. */
  async park({ item, cause }: Unplannable): Promise<boolean> {
    try {
      await this.gate.poison(item, cause, this.checkpoint.position);
      return true;
    } catch (failure) {
      warnSeldom(this.log, failure, 'a stream could not be parked');
      return false;
    }
  }

  async #untilNoted(note: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await note();
        return true;
      } catch (error) {
        warnSeldom(this.log, error, 'what became of a delivery is noted later');
        const waitMs = jitteredDelayMs(attempt, RETRY_BASE_MS, RETRY_CAP_MS);
        await sleepUnlessAborted(waitMs, signal);
      }
    }
    return false;
  }
}
