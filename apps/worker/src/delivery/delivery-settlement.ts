import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import { FeedCheckpoint } from '../feed/feed-checkpoint.js';
import { ParkingGate } from '../feed/parking-gate.js';
import { deliveries } from '../metrics.js';
import { LOG } from '../tokens.js';
import type { DeliveryOutcome } from './delivery-act.js';
import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.js';
import { DeliveryLogWriter } from './delivery-log-writer.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { EndpointDisabling } from './endpoint-disabling.js';
import { EndpointGate } from './endpoint-gate.js';
import { waitGivenBackMs } from './given-back.js';
import { OutgoingMessages, type Unplannable } from './outgoing-messages.js';

type Failed = Extract<DeliveryOutcome, { kind: 'failed' }>;
type Unsent = Failed | Extract<DeliveryOutcome, { kind: 'givenUp' }>;

/** When a delivery goes on that waits for something else than a time. */
export const NEVER_MS = Infinity;

/** What becomes of a delivery after an attempt. */
@Injectable()
export class DeliverySettlement {
  readonly #stopping = new AbortController();

  constructor(
    private readonly outcomes: DeliveryOutcomes,
    private readonly endpointGate: EndpointGate,
    private readonly disabling: EndpointDisabling,
    private readonly gate: ParkingGate,
    private readonly checkpoint: FeedCheckpoint,
    private readonly attempts: DeliveryLogWriter,
    @Inject(OutgoingMessages) private readonly messages: Pick<OutgoingMessages, 'end'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Resolves when it is noted, or given up by a stop. Never throws. */
  async settle(
    queue: EndpointQueue,
    item: QueuedDelivery,
    outcome: DeliveryOutcome,
  ): Promise<void> {
    const isSent =
      outcome.kind === 'failed' ? outcome.tookMs !== undefined : outcome.kind === 'ended';
    this.endpointGate.leave(queue.endpointId, item.delivery.member, !isSent);
    switch (outcome.kind) {
      case 'ended':
        this.endpointGate.succeeded(queue.endpointId);
        if (outcome.attempt) this.attempts.note(queue, item, 'delivered', outcome.attempt);
        return this.#end(queue, item);
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
        return;
      case 'withheld':
        queue.release(item);
        return;
      case 'givenBack':
        return this.#giveBack(queue, item);
    }
  }

  /** What could not be noted by then is taken up again by the next start. */
  stop(): void {
    this.#stopping.abort('stopping');
  }

  /** Later ones of its subject go when its end is noted: no crash lets it come behind them. */
  async #end(queue: EndpointQueue, item: QueuedDelivery): Promise<void> {
    const isNoted = await this.outcomes.end(item.delivery.member, undefined, this.#stopping.signal);
    if (isNoted) this.#remove(queue, item);
  }

  async #giveUp(
    queue: EndpointQueue,
    item: QueuedDelivery,
    { type, reason }: Unsent,
  ): Promise<void> {
    const givenUp = this.outcomes.giveUp(item, queue.appId, type, reason);
    const isNoted = await this.outcomes.end(item.delivery.member, givenUp, this.#stopping.signal);
    if (isNoted) this.#remove(queue, item);
  }

  #remove(queue: EndpointQueue, item: QueuedDelivery): void {
    queue.remove(item);
    this.messages.end(item.delivery);
  }

  async #fail(queue: EndpointQueue, item: QueuedDelivery, failed: Failed): Promise<void> {
    const { endpointId } = queue;
    const { reason } = failed;
    const { messageId } = item.delivery;
    const details = { endpointId, messageId, attempts: item.attempts + 1, reason };
    const failing = await this.endpointGate.failed(endpointId, failed);
    const isDisabled = await this.disabling.disableIfDue(failed, failing);
    if (isDisabled) queue.hold();
    const left = this.outcomes.planRetry(item, failed);
    const logged = left === undefined && !isDisabled ? 'exhausted' : 'failed';
    if (failed.attempt) this.attempts.note(queue, item, logged, failed.attempt);
    // What a disabled endpoint holds is not dropped: it has its last attempt again (rules/webhooks 6).
    if (left === undefined && isDisabled) {
      queue.release(item);
      return;
    }
    if (left === undefined) {
      this.log.error(details, 'a delivery is given up: no attempt is left');
      item.attempts += 1;
      deliveries.inc({ outcome: 'exhausted' });
      await this.#giveUp(queue, item, failed);
      return;
    }
    this.log.warn(details, 'a delivery failed and is tried again');
    queue.postpone(item, left);
    await this.outcomes.keep(item, left, reason, this.#stopping.signal);
  }

  /** Another release may be able to make it: it waits with its stream (rules/events 5). */
  async #park(queue: EndpointQueue, item: QueuedDelivery, error: Unplannable): Promise<void> {
    try {
      await this.gate.poison(error.item, error.cause, this.checkpoint.position);
    } catch (failure) {
      warnSeldom(this.log, failure, 'a stream could not be parked');
      return this.#giveBack(queue, item);
    }
    queue.postpone(item, { ...item, dueAtMs: NEVER_MS });
  }

  async #giveBack(queue: EndpointQueue, item: QueuedDelivery): Promise<void> {
    const waitMs = waitGivenBackMs(item.givenBack);
    item.givenBack += 1;
    await sleepUnlessAborted(waitMs, this.#stopping.signal);
    queue.release(item);
  }
}
