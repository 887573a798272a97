import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import type { Lease } from '#projection-engine';
import { shareOfPlaces } from '../jobs/places.js';
import { AppShares } from '../jobs/app-shares.js';
import {
  DELIVERIES_AT_ONCE,
  FENCED_RETRY_MS,
  JOBS_STOP_LIMIT_MS,
  RETRIES_AT_ONCE,
  RETRY_HELD_FOR_MS,
} from '../limits.js';
import { LEASE, PARTITIONS } from '../tokens.js';
import { DeliveryAct } from './delivery-act.js';
import { type AfterAttempt, DeliverySettlement } from './delivery-settlement.js';
import { EndpointLimiter } from './endpoint-limiter.js';
import type { EndpointQueue } from './endpoint-queue.js';
import type { QueuedDelivery } from './queued-delivery.js';
import { EndpointQueues } from './endpoint-queues.js';
import type { Retry } from './retry-queue.js';

/** A delivery whose attempt begins. */
interface Begun {
  readonly queue: EndpointQueue;
  readonly item: QueuedDelivery;
}

interface Offered extends Begun {
  /** Since when it waits for a place, by the monotonic clock. */
  readonly sinceMs: number;
}

/**
 * Runs deliveries from memory, by fair shares of the places (rules/fairness 1), in order for each endpoint and
 * subject. All of them are in flight in Redis: what is lost with this process is taken up by the next one. First
 * attempts go from memory, and a job of BullMQ makes each later one (decision 0029).
 */
@Injectable()
export class DeliveryRunner {
  readonly #shares: AppShares<Offered>;
  readonly #retryShares = new AppShares<never>(RETRIES_AT_ONCE);
  /** First attempts that wait for a place, in the order in which they came. */
  readonly #waiting = new Set<Offered>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #attempting = new AbortController();
  #isStarted = false;
  /** While this process may not act, as far as it knows. */
  #hold: NodeJS.Timeout | undefined;

  constructor(
    private readonly queues: EndpointQueues,
    private readonly act: DeliveryAct,
    private readonly settlement: DeliverySettlement,
    private readonly limiter: EndpointLimiter,
    @Inject(PARTITIONS) partitions: Partitions,
    @Inject(LEASE) private readonly lease: Lease,
  ) {
    // What waits is in the queues, whose number is bounded for each endpoint.
    this.#shares = new AppShares(shareOfPlaces(DELIVERIES_AT_ONCE, partitions));
    limiter.onRoom((endpointId) => {
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
   * and its app have places for these beside those of first attempts, which else would take each that is given back.
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
    if (!this.limiter.hasRoomForRetry(queue) || !this.#retryShares.take(queue.appId)) {
      return { kind: 'putOff', forMs: this.limiter.waitMs(queue) };
    }
    queue.begin(item, attempts);
    return this.#track({ queue, item }, this.#retryShares);
  }

  /** How many wait for a place, and how many are under way. */
  get states(): { readonly waiting: number; readonly active: number } {
    return { waiting: this.#shares.waiting, active: this.#running.size };
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

  /** How long the oldest waits for a place. */
  get oldestWaitsMs(): number {
    const [oldest] = this.#waiting;
    return oldest === undefined ? 0 : performance.now() - oldest.sinceMs;
  }

  /** As much as the endpoint may have at once. */
  #offer(queue: EndpointQueue): void {
    while (this.#isStarted && queue.hasNext && this.limiter.hasRoom(queue)) {
      const item = queue.offer();
      if (item === undefined) return;
      const offered = { queue, item, sinceMs: performance.now() };
      this.#waiting.add(offered);
      this.#shares.enqueue(queue.appId, offered);
    }
  }

  #begin(): void {
    while (this.#mayBegin()) {
      const offered = this.#shares.next();
      if (offered === undefined) return;
      this.#waiting.delete(offered);
      void this.#track(offered, this.#shares);
    }
  }

  #track(begun: Begun, shares: Pick<AppShares<never>, 'release'>): Promise<AfterAttempt> {
    const running = this.#run(begun, shares);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return running;
  }

  /**
   * What was replaced, paused or cut off must not send all that it has in memory beside its successor
   * (rules/running 8, decision 0020): its lease says so without a question to Redis.
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
  async #run(
    { queue, item }: Begun,
    shares: Pick<AppShares<never>, 'release'>,
  ): Promise<AfterAttempt> {
    const outcome = await this.act.perform(item, this.#attempting.signal);
    // Its place is free while the outcome is noted, and that at its endpoint when it is.
    shares.release(queue.appId);
    this.#begin();
    const after = await this.settlement.settle(queue, item, outcome);
    this.#offer(queue);
    this.queues.dropEmpty(queue);
    this.#begin();
    return after;
  }
}
