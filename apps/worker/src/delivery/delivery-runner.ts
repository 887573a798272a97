import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import type { Lease } from '#projection-engine';
import { FairSemaphore } from '../jobs/fair-semaphore.js';
import { shareOfPlaces } from '../jobs/places.js';
import {
  APP_WEIGHT,
  DELIVERIES_AT_ONCE,
  ENDPOINT_WEIGHT,
  FENCED_RETRY_MS,
  JOBS_STOP_LIMIT_MS,
  RETRY_HELD_FOR_MS,
} from '../limits.js';
import { LEASE, PARTITIONS } from '../tokens.js';
import { DeliveryAct } from './delivery-act.js';
import { type AfterAttempt, DeliverySettlement } from './delivery-settlement.js';
import { EndpointGate } from './endpoint-gate.js';
import type { EndpointQueue } from './endpoint-queue.js';
import type { QueuedDelivery } from './queued-delivery.js';
import { EndpointQueues } from './endpoint-queues.js';
import type { Retry } from './retry-queue.js';

interface Offered {
  readonly queue: EndpointQueue;
  readonly item: QueuedDelivery;
  /** Since when it waits for a place, by the monotonic clock. */
  readonly sinceMs: number;
}

/**
 * Runs deliveries from memory, by fair shares of the places (rules/fairness 1), in order for each endpoint and
 * subject. All of them are in flight in Redis: what is lost with this process is taken up by the next one. First
 * attempts go from memory, and a job of BullMQ makes each later one (decision 0122).
 */
@Injectable()
export class DeliveryRunner {
  readonly #semaphore: FairSemaphore;
  /** What has a place or waits for one, by its member of the work in flight. */
  readonly #offered = new Map<string, Offered>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #attempting = new AbortController();
  #isStarted = false;
  /** While this process may not act, as far as it knows. */
  #hold: NodeJS.Timeout | undefined;

  constructor(
    private readonly queues: EndpointQueues,
    private readonly act: DeliveryAct,
    private readonly settlement: DeliverySettlement,
    private readonly gate: EndpointGate,
    @Inject(PARTITIONS) partitions: Partitions,
    @Inject(LEASE) private readonly lease: Lease,
  ) {
    // What waits is in the queues, whose number is bounded for each endpoint.
    this.#semaphore = new FairSemaphore(shareOfPlaces(DELIVERIES_AT_ONCE, partitions), Infinity);
    gate.onRoom((endpointId) => {
      const queue = queues.find(endpointId);
      if (queue !== undefined) this.offer([queue]);
    });
  }

  /** What was begun before waits until then: nothing is sent before it is known what Redis has lost. */
  start(): void {
    this.#isStarted = true;
    this.offer(this.queues.all);
  }

  /** Has what may go of some queues wait for a place, and begins what gets one. */
  offer(queues: Iterable<EndpointQueue>): void {
    for (const queue of queues) this.#offer(queue);
    this.#begin();
  }

  /**
   * Makes the attempt of a job of BullMQ, after so many that failed, or says why it cannot be made now. Its endpoint
   * has a place for one of these beside all first attempts, which else would take each place that is given back.
   */
  async makeRetry({ endpointId, member }: Retry, attempts: number): Promise<AfterAttempt> {
    const queue = this.queues.find(endpointId);
    const item = queue?.find(member);
    // It has ended.
    if (queue === undefined || item === undefined) return { kind: 'over' };
    const mayAct = this.#isStarted && performance.now() < this.lease.lastsUntilMs;
    if (!mayAct || item.isOffered) return { kind: 'putOff', forMs: FENCED_RETRY_MS };
    if (queue.isHeld || item.waitsFor === 'stream') {
      return { kind: 'putOff', forMs: RETRY_HELD_FOR_MS };
    }
    if (!this.gate.hasRoomForRetry(queue)) {
      return { kind: 'putOff', forMs: this.gate.waitMs(queue) };
    }
    queue.begin(item, attempts);
    return this.#track({ queue, item });
  }

  /** How many wait for a place, and how many are under way. */
  get states(): { readonly waiting: number; readonly active: number } {
    return { waiting: this.#semaphore.waiting, active: this.#running.size };
  }

  /** Begins no more of them: the partition is given up, and another process soon begins them. */
  end(): void {
    this.#isStarted = false;
    clearTimeout(this.#hold);
  }

  /** Gives attempts under way a moment, and then gives them up. The next start begins again what is left. */
  async stop(): Promise<void> {
    this.end();
    await this.#untilIdle(JOBS_STOP_LIMIT_MS / 2);
    this.#attempting.abort('stopping');
    await this.#untilIdle(JOBS_STOP_LIMIT_MS / 2);
    this.settlement.stop();
  }

  async #untilIdle(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
    await Promise.race([Promise.all(this.#running), limit]);
    clearTimeout(timer);
  }

  /** How long the oldest waits for a place. They are in the order in which they came: few are looked at. */
  get oldestWaitsMs(): number {
    for (const [member, { sinceMs }] of this.#offered) {
      if (!this.#semaphore.isRunning(member)) return performance.now() - sinceMs;
    }
    return 0;
  }

  /** As much as the endpoint may have at once. */
  #offer(queue: EndpointQueue): void {
    const { endpointId, appId } = queue;
    const claims = [
      { key: appId, weight: APP_WEIGHT },
      { key: endpointId, weight: ENDPOINT_WEIGHT },
    ];
    // Where nothing may go, the gate is not asked: it may give the one attempt that other partitions wait for.
    while (this.#isStarted && queue.hasNext && this.gate.hasRoom(queue)) {
      const item = queue.offer();
      if (item === undefined) return;
      const { member } = item.delivery;
      this.#offered.set(member, { queue, item, sinceMs: performance.now() });
      this.#semaphore.enqueue(member, claims);
    }
  }

  #begin(): void {
    while (this.#mayBegin()) {
      const member = this.#semaphore.choose();
      const offered = member === undefined ? undefined : this.#offered.get(member);
      if (offered === undefined) return;
      void this.#track(offered);
    }
  }

  #track(delivery: Pick<Offered, 'queue' | 'item'>): Promise<AfterAttempt> {
    const running = this.#run(delivery);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return running;
  }

  /**
   * What was replaced, paused or cut off must not send all that it has in memory beside its successor
   * (rules/running 8, decision 0116): its lease says so without a question to Redis.
   */
  #mayBegin(): boolean {
    if (!this.#isStarted || this.#hold !== undefined) return false;
    if (performance.now() < this.lease.lastsUntilMs) return true;
    this.#hold = setTimeout(() => {
      this.#hold = undefined;
      this.#begin();
    }, FENCED_RETRY_MS);
    return false;
  }

  /** Never throws. */
  async #run({ queue, item }: Pick<Offered, 'queue' | 'item'>): Promise<AfterAttempt> {
    const { member } = item.delivery;
    const outcome = await this.act.perform(item, this.#attempting.signal);
    // Its place is free while the outcome is noted, and it may be due again, and offered, before that is.
    this.#semaphore.release(member);
    this.#offered.delete(member);
    queue.endAttempt(item);
    // What it says of the endpoint counts at once.
    const settled = this.settlement.settle(queue, item, outcome);
    this.#offer(queue);
    this.#begin();
    const after = await settled;
    this.#offer(queue);
    this.queues.dropEmpty(queue);
    this.#begin();
    return after;
  }
}
