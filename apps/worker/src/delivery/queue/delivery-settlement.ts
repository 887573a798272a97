import { Inject, Injectable } from '@nestjs/common';
import type { ExhaustedDelivery } from '#worker-state';
import { jitteredDelayMs, type Log, sleepUnlessAborted } from '#platform';
import type { AfterAttempt } from '../../jobs/retry-worker.js';
import { OPEN_AT_MOST_MS, REQUEUED_CAP_MS, REQUEUED_FOR_MS } from '../../limits.js';
import { deliveries } from '../../metrics.js';
import { LOG } from '../../tokens.js';
import { EndpointHealth } from '../limit/endpoint-health.js';
import { EndpointLimiter } from '../limit/endpoint-limiter.js';
import type { DeliveryOutcome } from '../send/delivery-act.js';
import { type AttemptMade, DeliveryLogWriter } from '../send/delivery-log-writer.js';
import type { Unplannable } from '../send/outgoing-messages.js';
import { DeliveryOutcomes, type PlannedRetry } from './delivery-outcomes.js';
import type { EndpointQueue } from './endpoint-queue.js';
import type { QueuedDelivery } from './queued-delivery.js';

type Failed = Extract<DeliveryOutcome, { kind: 'failed' }>;
type Unsent = Failed | Extract<DeliveryOutcome, { kind: 'givenUp' }>;

const OVER: AfterAttempt = { kind: 'over' };
/** It waits for its endpoint to be enabled, or for its stream, and is then promoted. */
const HELD: AfterAttempt = { kind: 'putOff', forMs: OPEN_AT_MOST_MS };

/** Settles a delivery after an attempt. */
@Injectable()
export class DeliverySettlement {
  readonly #stopping = new AbortController();

  constructor(
    private readonly outcomes: DeliveryOutcomes,
    @Inject(EndpointHealth) private readonly health: Pick<EndpointHealth, 'succeeded' | 'failed'>,
    @Inject(EndpointLimiter) private readonly limiter: Pick<EndpointLimiter, 'waitMs'>,
    private readonly attempts: DeliveryLogWriter,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * Resolves when it is noted, or given up by a stop. Never throws. @returns the next step of its job, where it has
   * one.
   */
  async settle(
    queue: EndpointQueue,
    item: QueuedDelivery,
    outcome: DeliveryOutcome,
  ): Promise<AfterAttempt> {
    switch (outcome.kind) {
      case 'ended':
        if (outcome.attempt) await this.#succeed(queue, item, outcome.attempt);
        return this.#end(queue, item, undefined);
      case 'givenUp':
        this.attempts.note(queue, item, 'erased', outcome.attempt);
        return this.#giveUp(queue, item, outcome);
      case 'failed':
        return this.#fail(queue, item, outcome);
      case 'unplannable':
        return this.#park(queue, item, outcome.error);
      case 'held':
        queue.hold();
        queue.release(item);
        return HELD;
      case 'rateLimited':
        queue.release(item);
        return { kind: 'putOff', forMs: this.limiter.waitMs(queue) };
      case 'requeued':
        return this.#giveBack(queue, item);
    }
  }

  /** An outcome that could not be noted by then is taken up again by the next start. */
  stop(): void {
    this.#stopping.abort('stopping');
  }

  async #succeed(queue: EndpointQueue, item: QueuedDelivery, made: AttemptMade): Promise<void> {
    this.attempts.note(queue, item, 'delivered', made);
    await this.health.succeeded(queue.endpointId);
  }

  /** Later ones of its subject go when its end is noted: no crash lets it come behind them. */
  async #end(
    queue: EndpointQueue,
    item: QueuedDelivery,
    givenUp: ExhaustedDelivery | undefined,
  ): Promise<AfterAttempt> {
    const isNoted = await this.outcomes.end(item.delivery.member, givenUp, this.#stopping.signal);
    // The job stays for the process that takes the delivery up.
    if (!isNoted) return { kind: 'putOff', forMs: REQUEUED_FOR_MS };
    queue.remove(item);
    return OVER;
  }

  #giveUp(
    queue: EndpointQueue,
    item: QueuedDelivery,
    { type, reason }: Unsent,
  ): Promise<AfterAttempt> {
    return this.#end(queue, item, this.outcomes.giveUp(item, queue.appId, type, reason));
  }

  async #fail(queue: EndpointQueue, item: QueuedDelivery, failed: Failed): Promise<AfterAttempt> {
    const { endpointId } = queue;
    const { reason } = failed;
    const { messageId } = item.delivery;
    const details = { endpointId, messageId, attempts: item.attempts + 1, reason };
    const isDisabled = await this.health.failed(endpointId, failed);
    if (isDisabled) queue.hold();
    const planned = this.outcomes.planRetry(item, failed);
    const logged = planned === undefined && !isDisabled ? 'exhausted' : 'failed';
    if (failed.attempt) this.attempts.note(queue, item, logged, failed.attempt);
    // The deliveries that a disabled endpoint holds are not dropped: they have their last attempt again (rules/webhooks
    // 6).
    if (planned === undefined && isDisabled) {
      queue.release(item);
      return HELD;
    }
    if (planned === undefined) {
      this.log.error(details, 'a delivery is given up: no attempt is left');
      item.attempts += 1;
      deliveries.inc({ outcome: 'exhausted' });
      return this.#giveUp(queue, item, failed);
    }
    this.log.warn(details, 'a delivery failed and is tried again');
    return this.#postpone(queue, item, planned, reason);
  }

  /** A delivery tried while its endpoint was enabled is tried again at once (rules/webhooks 8). */
  async #postpone(
    queue: EndpointQueue,
    item: QueuedDelivery,
    { left, ...planned }: PlannedRetry,
    reason: string,
  ): Promise<AfterAttempt> {
    const { enabledAt } = left;
    const delayMs = queue.isOfBefore(enabledAt) ? 0 : planned.delayMs;
    const isFirst = item.attempts === 0;
    queue.postpone(item, left);
    const why = { reason, signal: this.#stopping.signal };
    if (isFirst) await this.outcomes.keep(item, { left, delayMs }, why);
    return { kind: 'failed', reason, delayMs, enabledAt };
  }

  /** Another release may be able to make it: it waits with its stream (rules/events 5). */
  async #park(
    queue: EndpointQueue,
    item: QueuedDelivery,
    error: Unplannable,
  ): Promise<AfterAttempt> {
    if (!(await this.outcomes.park(error))) return this.#giveBack(queue, item);
    queue.park(item);
    return HELD;
  }

  /** A job waits in BullMQ meanwhile, and a first attempt here. */
  async #giveBack(queue: EndpointQueue, item: QueuedDelivery): Promise<AfterAttempt> {
    const forMs = waitRequeuedMs(item.requeued);
    item.requeued += 1;
    if (item.attempts === 0) await sleepUnlessAborted(forMs, this.#stopping.signal);
    queue.release(item);
    return { kind: 'putOff', forMs };
  }
}

/** The first time it may be a stop, or a moment; then our own side fails on (rules/http 1). */
function waitRequeuedMs(times: number): number {
  if (times === 0) return REQUEUED_FOR_MS;
  return REQUEUED_FOR_MS + jitteredDelayMs(times, REQUEUED_FOR_MS, REQUEUED_CAP_MS);
}
