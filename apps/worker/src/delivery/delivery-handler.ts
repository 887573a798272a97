import { Inject, Injectable } from '@nestjs/common';
import { type Job, UnrecoverableError } from 'bullmq';
import type { AppDirectory } from '#tenancy';
import { delayBeforeAttempt } from '#webhooks';
import type { JobHandler } from '../jobs/job-runner.js';
import { HELD_CHECK_MAX_MS, HELD_CHECK_MIN_MS, HOLD_BACK_MS } from '../limits.js';
import { deliveries } from '../metrics.js';
import { APPS } from '../tokens.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import type { DeliveryJobData } from './delivery-job.js';
import { HeldMessages } from './held-messages.js';
import { DeliveryFailed } from './send.js';
import { type QueuedMessage, SubjectQueue } from './subject-queue.js';

/**
 * Delivers a message to an endpoint. Order per subject: a message that is not first in its queue waits,
 * and is woken by the one before it when that has ended (rules/webhooks 5).
 */
@Injectable()
export class DeliveryHandler implements JobHandler<DeliveryJobData> {
  constructor(
    private readonly subjects: SubjectQueue,
    private readonly held: HeldMessages,
    private readonly attempt: DeliveryAttempt,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'findEndpoint'>,
  ) {}

  /** @throws DeliveryFailed: the job is tried again by the schedule; DelayedError while it waits. */
  async process(job: Job<DeliveryJobData>, token: string, signal: AbortSignal): Promise<void> {
    // Another worker may have learnt of the endpoint first: only the store knows that it is gone.
    const endpoint = await this.apps.findEndpoint(job.data.endpointId);
    if (endpoint === undefined) {
      deliveries.inc({ outcome: 'endpoint_deleted' });
      await this.#end(job);
      return;
    }
    const place = await this.subjects.findPlace(toMessage(job));
    if (place === 'ended') return;
    if (place === 'behind' && ageMs(job) < HOLD_BACK_MS) await this.#hold(job, token);
    try {
      await this.attempt.make(job.data, endpoint, job.attemptsMade, signal);
    } catch (error) {
      // A stop is no failure of the receiver's: the message goes back as it was.
      if (signal.aborted) {
        await this.held.delay(job, token, 0);
        throw this.held.delayed();
      }
      throw await this.#afterFailure(job, error);
    }
    deliveries.inc({ outcome: 'delivered' });
    await this.#end(job);
  }

  backoffMs(attemptsMade: number, error: Error | undefined): number {
    const scheduledMs = delayBeforeAttempt(attemptsMade, Math.random()) ?? 0;
    return Math.max(scheduledMs, error instanceof DeliveryFailed ? error.retryAfterMs : 0);
  }

  /** Later messages of its subject need not wait for it any longer. */
  async onExhausted(job: Job<DeliveryJobData>): Promise<void> {
    deliveries.inc({ outcome: 'exhausted' });
    await this.#end(job);
  }

  /** @returns what to throw. A message whose next attempt is far off lets later ones pass. */
  async #afterFailure(job: Job<DeliveryJobData>, error: unknown): Promise<unknown> {
    deliveries.inc({ outcome: 'failed' });
    if (error instanceof DeliveryFailed && error.isGone) {
      return new UnrecoverableError(error.message);
    }
    const nextInMs = delayBeforeAttempt(job.attemptsMade + 1, 0) ?? 0;
    if (ageMs(job) + nextInMs > HOLD_BACK_MS) {
      await this.held.wake(await this.subjects.stepAside(toMessage(job)));
    }
    return error;
  }

  async #end(job: Job<DeliveryJobData>): Promise<void> {
    await this.held.wake(await this.subjects.remove(toMessage(job)));
  }

  async #hold(job: Job<DeliveryJobData>, token: string): Promise<never> {
    const delayMs = Math.min(HELD_CHECK_MAX_MS, Math.max(HELD_CHECK_MIN_MS, ageMs(job)));
    await this.held.delay(job, token, delayMs);
    // The one before may have ended meanwhile, when there was nothing to wake yet.
    if ((await this.subjects.findPlace(toMessage(job))) !== 'behind') await this.held.wake(job.id);
    throw this.held.delayed();
  }
}

function toMessage({ id = '', data }: Job<DeliveryJobData>): QueuedMessage {
  return { jobId: id, data };
}

function ageMs({ timestamp }: Job<DeliveryJobData>): number {
  return Date.now() - timestamp;
}
