import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import type { Lease } from '#projection-engine';
import { slotsOfPartition } from '../../jobs/app-shares.js';
import { FairRunner, type FairWork } from '../../jobs/fair-runner.js';
import type { Retry } from '../../jobs/retry-queue.js';
import type { AfterAttempt } from '../../jobs/retry-worker.js';
import {
  DELIVERIES_AT_ONCE,
  OPEN_AT_MOST_MS,
  REQUEUED_FOR_MS,
  RETRIES_AT_ONCE,
} from '../../limits.js';
import { LEASE, PARTITIONS } from '../../tokens.js';
import { EndpointLimiter } from '../limit/endpoint-limiter.js';
import { DeliveryAct, type DeliveryOutcome } from '../send/delivery-act.js';
import { DeliverySettlement } from './delivery-settlement.js';
import { type EndpointQueue, EndpointQueues } from './endpoint-queue.js';
import type { QueuedDelivery } from './queued-delivery.js';

const QUEUE = 'webhooks';

/** A delivery that waits for a slot, or has one. */
interface Offered {
  readonly queue: EndpointQueue;
  readonly item: QueuedDelivery;
}

type Runner = FairRunner<Offered, DeliveryOutcome, AfterAttempt>;

/**
 * Runs deliveries, in order for each endpoint and subject. All of them are in flight in Redis: those that are lost with
 * this process are taken up by the next one. First attempts go from memory, and a job of BullMQ makes each later one
 * (decision 0029). Retries have slots of their own, since first attempts would take each slot that is given back.
 */
@Injectable()
export class DeliveryRunner {
  readonly #first: Runner;
  readonly #retries: Runner;

  constructor(
    private readonly queues: EndpointQueues,
    private readonly act: DeliveryAct,
    private readonly settlement: DeliverySettlement,
    private readonly limiter: EndpointLimiter,
    @Inject(PARTITIONS) partitions: Partitions,
    @Inject(LEASE) lease: Lease,
  ) {
    const work: FairWork<Offered, DeliveryOutcome, AfterAttempt> = {
      findApp: ({ queue }) => queue.appId,
      attempt: ({ item }, signal) => this.act.perform(item, signal),
      settle: (offered, outcome) => this.#settle(offered, outcome),
    };
    // Those that wait are in the queues, whose number is bounded for each endpoint.
    const slots = slotsOfPartition(DELIVERIES_AT_ONCE, partitions);
    this.#first = new FairRunner(lease, work, { slots });
    this.#retries = new FairRunner(lease, work, { slots: RETRIES_AT_ONCE });
    limiter.onRoom((endpointId) => {
      const queue = queues.find(endpointId);
      if (queue !== undefined) this.offer([queue]);
    });
  }

  start(): void {
    this.#retries.start();
    this.#first.start();
    this.offer(this.queues.all);
  }

  /** Has the deliveries of some queues that may go wait for a slot, and begins those that get one. */
  offer(queues: Iterable<EndpointQueue>): void {
    for (const queue of queues) this.#offer(queue);
    this.#first.wake();
  }

  /** Makes the attempt of a job of BullMQ, after so many that failed, or says why it cannot be made now. Never throws. */
  async makeRetry({ endpointId, member }: Retry, attempts: number): Promise<AfterAttempt> {
    const queue = this.queues.find(endpointId);
    const item = queue?.find(member);
    // It has ended.
    if (queue === undefined || item === undefined) return { kind: 'over' };
    if (!this.#retries.mayAct || item.isOffered) return { kind: 'putOff', forMs: REQUEUED_FOR_MS };
    if (queue.isHeld || item.waitsFor === 'stream') {
      return { kind: 'putOff', forMs: OPEN_AT_MOST_MS };
    }
    const begin = () => queue.begin(item, attempts);
    const made = this.limiter.hasRoomForRetry(queue)
      ? this.#retries.runNow({ queue, item }, begin)
      : undefined;
    return made ?? { kind: 'putOff', forMs: this.limiter.waitMs(queue) };
  }

  /** Writes the metrics of first attempts; BullMQ's queue has those of retries. */
  measure(): void {
    this.#first.measure(QUEUE);
  }

  end(): void {
    this.#first.end();
    this.#retries.end();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#first.stop(), this.#retries.stop()]);
    this.settlement.stop();
  }

  /** As much as the endpoint may have at once. */
  #offer(queue: EndpointQueue): void {
    while (this.#first.isStarted && queue.hasNext && this.limiter.hasRoom(queue)) {
      const item = queue.offer();
      if (item === undefined) return;
      this.#first.enqueue({ queue, item });
    }
  }

  /** Its slot is free while the outcome is noted, and its slot at the endpoint when the outcome is noted. */
  async #settle({ queue, item }: Offered, outcome: DeliveryOutcome): Promise<AfterAttempt> {
    const after = await this.settlement.settle(queue, item, outcome);
    this.offer([queue]);
    this.queues.dropEmpty(queue);
    return after;
  }
}
