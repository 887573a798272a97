import { DelayedError, type Job, type Queue, UnrecoverableError } from 'bullmq';
import type { Agent } from 'undici';
import type { TargetRules } from '#egress';
import type { Log } from '#platform';
import type { AppDirectory, AppSecrets, RunningEndpoint } from '#tenancy';
import { delayBeforeAttempt, webhookHeaders } from '#webhooks';
import { HELD_CHECK_MAX_MS, HELD_CHECK_MIN_MS, HOLD_BACK_MS } from '../limits.js';
import { attemptSeconds, deliveries } from '../metrics.js';
import { ofRedis } from '../redis/connect.js';
import type { Lines } from './subject-queue.js';
import type { DeliveryJobData } from './delivery-job.js';
import { DeliveryFailed, send } from './send.js';

interface DeliveryParts {
  readonly queue: Queue<DeliveryJobData>;
  readonly lines: Lines;
  readonly apps: Pick<AppDirectory, 'findEndpoint' | 'find'>;
  readonly secrets: Pick<AppSecrets, 'open'>;
  /** Whether test apps may be reached at http and loopback addresses (decisions 8). */
  readonly allowInsecureTests: boolean;
  /** The agent for a set of rules: sockets of one are not used for the other. */
  readonly agentFor: (rules: TargetRules) => Agent;
  readonly log: Log;
}

/**
 * Delivers a message to an endpoint, when it is its turn. Order per subject: whoever is not first in
 * its line waits, and is woken by the one before it when that is settled.
 */
export class DeliveryProcessor {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** @throws DeliveryFailed: the job is tried again by the schedule; DelayedError while it waits. */
  async process(job: Job<DeliveryJobData>, token: string, signal: AbortSignal): Promise<void> {
    const { apps, lines } = this.#parts;
    // Another worker may have heard of the endpoint first: only the store knows that it is gone.
    const endpoint = await apps.findEndpoint(job.data.endpointId);
    if (endpoint === undefined) {
      deliveries.inc({ outcome: 'endpoint_deleted' });
      await this.#settle(job);
      return;
    }
    const turn = await lines.turnOf(placeOf(job));
    if (turn === 'settled') return;
    if (turn === 'wait' && ageOf(job) < HOLD_BACK_MS) await this.#hold(job, token);
    try {
      await this.#attempt(job, endpoint, signal);
    } catch (error) {
      // A stop is no failure of the receiver's: the message goes back as it was.
      if (signal.aborted) await this.#putBack(job, token, 0);
      throw await this.#afterFailure(job, error);
    }
    deliveries.inc({ outcome: 'delivered' });
    await this.#settle(job);
  }

  /** The message is dead: later ones of its subject need not wait for it. */
  async buried(job: Job<DeliveryJobData>): Promise<void> {
    deliveries.inc({ outcome: 'dead' });
    await this.#settle(job);
  }

  async #attempt(
    { data, attemptsMade }: Job<DeliveryJobData>,
    { appId, url, accept, sealedSecret }: RunningEndpoint,
    signal: AbortSignal,
  ): Promise<void> {
    const { apps, secrets, agentFor, allowInsecureTests } = this.#parts;
    const app = await apps.find(data.appId);
    const rules = { allowInsecure: allowInsecureTests && app?.environment === 'test' };
    const { messageId, sequence, body } = data;
    const headers = webhookHeaders({
      messageId,
      sequence,
      body,
      retryCount: attemptsMade,
      timestampSeconds: Math.floor(Date.now() / 1000),
      secrets: [secrets.open(appId, 'webhook secret', sealedSecret)],
    });
    const stopTimer = attemptSeconds.startTimer();
    try {
      await send({ url, accept, headers, body, rules, agent: agentFor(rules), signal });
    } finally {
      stopTimer();
    }
  }

  /** @returns what to throw. A message whose next attempt is far off lets later ones pass. */
  async #afterFailure(job: Job<DeliveryJobData>, error: unknown): Promise<unknown> {
    deliveries.inc({ outcome: 'failed' });
    if (error instanceof DeliveryFailed && error.isGone) {
      return new UnrecoverableError(error.message);
    }
    const nextInMs = delayBeforeAttempt(job.attemptsMade + 1, 0) ?? 0;
    if (ageOf(job) + nextInMs > HOLD_BACK_MS) {
      await this.#wake(await this.#parts.lines.stepAside(placeOf(job)));
    }
    return error;
  }

  async #settle(job: Job<DeliveryJobData>): Promise<void> {
    await this.#wake(await this.#parts.lines.settle(placeOf(job)));
  }

  async #hold(job: Job<DeliveryJobData>, token: string): Promise<never> {
    const delayMs = Math.min(HELD_CHECK_MAX_MS, Math.max(HELD_CHECK_MIN_MS, ageOf(job)));
    await ofRedis(job.moveToDelayed(Date.now() + delayMs, token));
    // The one before may have been settled meanwhile, when there was nothing to wake yet.
    if ((await this.#parts.lines.turnOf(placeOf(job))) !== 'wait') await this.#wake(job.id);
    throw new DelayedError();
  }

  async #putBack(job: Job<DeliveryJobData>, token: string, delayMs: number): Promise<never> {
    await ofRedis(job.moveToDelayed(Date.now() + delayMs, token));
    throw new DelayedError();
  }

  /** Wakes a message that is held; one that is under way, or not there, needs no waking. */
  async #wake(jobId: string | undefined): Promise<void> {
    if (jobId === undefined) return;
    const job = await ofRedis(this.#parts.queue.getJob(jobId));
    await job?.promote().catch((error: unknown) => {
      this.#parts.log.debug({ err: error, jobId }, 'a message was not held');
    });
  }
}

function placeOf({ id = '', data }: Job<DeliveryJobData>) {
  return { jobId: id, data };
}

function ageOf({ timestamp }: Job<DeliveryJobData>): number {
  return Date.now() - timestamp;
}
