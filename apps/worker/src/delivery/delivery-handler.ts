import { Inject, Injectable } from '@nestjs/common';
import { type Job, UnrecoverableError } from 'bullmq';
import { type ExhaustedDelivery, shortenReason } from '#checkpoint-backup';
import { Fault, wallClock } from '#platform';
import { Fenced } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { delayBeforeAttempt } from '#webhooks';
import type { Claims } from '../jobs/fair-semaphore.js';
import type { JobHandler } from '../jobs/job-runner.js';
import {
  APP_WEIGHT,
  ENDPOINT_WEIGHT,
  FENCED_RETRY_MS,
  GIVEN_BACK_FOR_MS,
  HELD_CHECK_MAX_MS,
  HELD_CHECK_MIN_MS,
  HOLD_BACK_MS,
} from '../limits.js';
import { deliveries } from '../metrics.js';
import { APPS } from '../tokens.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import type { DeliveryJobData } from './delivery-job.js';
import { HeldMessages } from './held-messages.js';
import { MessageBodies } from './message-bodies.js';
import { deliveryJobId, type QueuedMessage } from './queued-message.js';
import { DeliveryFailed } from './send.js';
import { SubjectQueue } from './subject-queue.js';

/** Why a message ends that could have been sent (rules/storage 16). */
const PLAYER_ERASED = 'the player was erased';

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
    private readonly bodies: MessageBodies,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'findEndpoint'>,
  ) {}

  /** @throws DeliveryFailed: the job is tried again by the schedule; DelayedError while it waits. */
  async process(job: Job<DeliveryJobData>, token: string, signal: AbortSignal): Promise<void> {
    // A message that has ended, or that was lost with Redis and will be enqueued again, has no job to do.
    const message = await this.subjects.load(deliveryJobId(job.data));
    if (message === undefined) return;
    try {
      await this.#deliver(message, job, token, signal);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      // This process may not act now: that is no failed attempt, and the job goes back as it was.
      await this.held.delay(job, token, FENCED_RETRY_MS);
      throw this.held.delayed();
    }
  }

  /** A job that an earlier release added does not name its app. */
  claimsFor({ endpointId, appId }: DeliveryJobData): Claims {
    const endpoint = { key: endpointId, weight: ENDPOINT_WEIGHT };
    return appId === undefined ? [endpoint] : [{ key: appId, weight: APP_WEIGHT }, endpoint];
  }

  backoffMs(attemptsMade: number, error: Error | undefined): number {
    const scheduledMs = delayBeforeAttempt(attemptsMade, Math.random()) ?? 0;
    return Math.max(scheduledMs, error instanceof DeliveryFailed ? error.retryAfterMs : 0);
  }

  /** Later messages of its subject need not wait for it any longer. */
  async onExhausted(job: Job<DeliveryJobData>): Promise<void> {
    const message = await this.subjects.load(deliveryJobId(job.data));
    if (message === undefined) return;
    deliveries.inc({ outcome: 'exhausted' });
    await this.#giveUp(message, job, job.failedReason);
  }

  async #deliver(
    message: QueuedMessage,
    job: Job<DeliveryJobData>,
    token: string,
    signal: AbortSignal,
  ): Promise<void> {
    // Another worker may have learnt of the endpoint first: only the store knows that it is gone.
    const giveBackUnlessKnown = (error: unknown) => {
      if (isOutOfReach(error)) return this.#giveBack(job, token);
      throw error;
    };
    const endpoint = await this.apps.findEndpoint(message.endpointId).catch(giveBackUnlessKnown);
    if (endpoint === undefined) {
      deliveries.inc({ outcome: 'endpoint_deleted' });
      return this.#end(message);
    }
    const place = await this.subjects.findPlace(message);
    if (place === 'ended') return;
    if (place === 'behind' && ageMs(job) < HOLD_BACK_MS) await this.#hold(message, job, token);
    const body = await this.bodies.open(message).catch(giveBackUnlessKnown);
    if (body === undefined) {
      deliveries.inc({ outcome: 'erased' });
      return this.#giveUp(message, job, PLAYER_ERASED);
    }
    try {
      await this.attempt.make({ message, body }, endpoint, job.attemptsMade, signal);
    } catch (error) {
      // A stop, or a store that is away, is no failure of the receiver's: the message goes back as it was.
      if (signal.aborted || isOutOfReach(error)) return this.#giveBack(job, token);
      throw await this.#afterFailure(message, job, error);
    }
    deliveries.inc({ outcome: 'delivered' });
    await this.#end(message);
  }

  async #giveBack(job: Job<DeliveryJobData>, token: string): Promise<never> {
    await this.held.delay(job, token, GIVEN_BACK_FOR_MS);
    throw this.held.delayed();
  }

  /** @returns what to throw. A message whose next attempt is far off lets later ones pass. */
  async #afterFailure(
    message: QueuedMessage,
    job: Job<DeliveryJobData>,
    error: unknown,
  ): Promise<unknown> {
    deliveries.inc({ outcome: 'failed' });
    if (error instanceof DeliveryFailed && error.isGone) {
      return new UnrecoverableError(error.message);
    }
    const nextInMs = delayBeforeAttempt(job.attemptsMade + 1, 0) ?? 0;
    if (ageMs(job) + nextInMs > HOLD_BACK_MS) {
      await this.held.wake(await this.subjects.stepAside(message));
    }
    return error;
  }

  /** It ends unsent, and is named with the reason from then on (rules/webhooks 8). */
  #giveUp(
    message: QueuedMessage,
    { attemptsMade: attempts }: Job<DeliveryJobData>,
    reason: string,
  ): Promise<void> {
    return this.#end(message, {
      // First: deliveries that were given up are kept in the order of their members.
      member: message.inFlight,
      ...{ appId: message.appId, type: message.type, attempts },
      ...{ reason: shortenReason(reason), exhaustedAt: wallClock.now() },
    });
  }

  async #end(message: QueuedMessage, givenUp?: ExhaustedDelivery): Promise<void> {
    await this.held.wake(await this.subjects.remove(message, givenUp));
  }

  async #hold(message: QueuedMessage, job: Job<DeliveryJobData>, token: string): Promise<never> {
    const delayMs = Math.min(HELD_CHECK_MAX_MS, Math.max(HELD_CHECK_MIN_MS, ageMs(job)));
    await this.held.delay(job, token, delayMs);
    // The one before may have ended meanwhile, when there was nothing to wake yet.
    if ((await this.subjects.findPlace(message)) !== 'behind') await this.held.wake(job.id);
    throw this.held.delayed();
  }
}

/** Endpoints and apps are read when they are first asked for (rules/events 11), and the store may be away then. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}

function ageMs({ timestamp }: Job<DeliveryJobData>): number {
  return Date.now() - timestamp;
}
