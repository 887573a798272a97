import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Position } from '#domain/event';
import type { EventStore } from '#event-store';
import { type Clock, type Log, upTo, warnSeldom } from '#platform';
import type { Lease } from '#projection-engine';
import { CursorSet } from '../redis/cursor-set.js';
import {
  breakers,
  endpointsBehind,
  oldestWebhook,
  webhookEndpoints,
  webhooksInFlight,
} from '../metrics.js';
import { CLOCK, EVENT_STORE, LEASE, LOG } from '../tokens.js';
import { ENDPOINT_CLASSES, EndpointClasses } from './endpoint-classes.js';
import { EndpointLimiter } from './endpoint-limiter.js';
import type { QueuedDelivery } from './queued-delivery.js';
import { EndpointQueues } from './endpoint-queues.js';

const BREAKER_STATES = ['open', 'half_open'] as const;

/** The oldest of each class stay so for a while: a few positions. */
const TIMES_KEPT = 16;

/** What the endpoints of one class come to. */
class ClassSum {
  endpoints = 0;
  deliveries = 0;
  oldestMs = 0;
  /** Of the event that the oldest delivery is of. */
  oldestPosition: Position | undefined;
  readonly breakers = { open: 0, half_open: 0 };

  addOldest({ delivery: { position } }: QueuedDelivery, waitedMs: number): void {
    this.oldestMs = Math.max(this.oldestMs, waitedMs);
    const known = this.oldestPosition;
    if (known === undefined || position < known) this.oldestPosition = position;
  }
}

/** How the endpoints of the partition are, by class (rules/webhooks 11). */
@Injectable()
export class EndpointMetrics {
  /** When events were written that something in flight is of, by their positions. */
  readonly #writtenAtMs = new LRUCache<Position, number>(upTo(TIMES_KEPT));

  constructor(
    private readonly queues: EndpointQueues,
    private readonly classes: EndpointClasses,
    @Inject(EndpointLimiter) private readonly limiter: Pick<EndpointLimiter, 'findBreaker'>,
    @Inject(CursorSet) private readonly cursors: Pick<CursorSet, 'all'>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'findTime'>,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Asks memory only, and the store beside it when the oldest was written. Never throws. */
  measure(): void {
    const { partition } = this.lease;
    for (const [name, sum] of this.#sumUp()) {
      webhookEndpoints.set({ partition, class: name }, sum.endpoints);
      webhooksInFlight.set({ partition, class: name }, sum.deliveries);
      oldestWebhook.set({ partition, class: name }, this.#ageMs(sum) / 1_000);
      for (const state of BREAKER_STATES) {
        breakers.set({ partition, class: name, state }, sum.breakers[state]);
      }
    }
    endpointsBehind.set({ partition }, this.cursors.all.size);
  }

  #sumUp() {
    const sums = new Map(ENDPOINT_CLASSES.map((name) => [name, new ClassSum()]));
    for (const { endpointId, size, oldest } of this.queues.all) {
      const sum = sums.get(this.classes.find(endpointId));
      if (sum === undefined || oldest === undefined) continue;
      sum.endpoints += 1;
      sum.deliveries += size;
      sum.addOldest(oldest, this.#waitedMs(oldest));
      const breaker = this.limiter.findBreaker(endpointId);
      if (breaker !== undefined) sum.breakers[breaker] += 1;
    }
    return sums;
  }

  /** Since its event was written: that is the same after a start. What the store has not said yet is said the next time. */
  #ageMs({ oldestMs, oldestPosition }: ClassSum): number {
    if (oldestPosition === undefined) return 0;
    const writtenAtMs = this.#writtenAtMs.get(oldestPosition);
    if (writtenAtMs !== undefined) {
      return Math.max(oldestMs, Date.parse(this.clock.now()) - writtenAtMs);
    }
    void this.#learn(oldestPosition);
    return oldestMs;
  }

  async #learn(position: Position): Promise<void> {
    try {
      const time = await this.store.findTime(position);
      if (time !== undefined) this.#writtenAtMs.set(position, Date.parse(time));
    } catch (error) {
      warnSeldom(this.log, error, 'it is not known how old the oldest delivery is');
    }
  }

  /** What can be said without the store. */
  #waitedMs({ addedAtMs, firstFailedAtMs }: QueuedDelivery): number {
    const failingMs =
      firstFailedAtMs === undefined ? 0 : Date.parse(this.clock.now()) - firstFailedAtMs;
    return Math.max(performance.now() - addedAtMs, failingMs);
  }
}
