import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { EventStore } from '#event-store';
import type { Clock } from '#platform';
import type { Lease } from '#projection-engine';
import { EndpointLimiter } from '../delivery/limit/endpoint-limiter.js';
import { type EndpointQueue, EndpointQueues } from '../delivery/queue/endpoint-queue.js';
import {
  breakers,
  endpointsBehind,
  oldestWebhook,
  webhookEndpoints,
  webhooksInFlight,
} from '../metrics.js';
import { CursorSet } from '../redis/cursor-set.js';
import { CLOCK, EVENT_STORE, LEASE } from '../tokens.js';

/** An operator can do something about these, and need not know which of 10,000 apps it is (rules/webhooks 11). */
const CLASSES = ['healthy', 'failing', 'held'] as const;
const BREAKER_STATES = ['open', 'half_open'] as const;

/** The sum of the endpoints of one class. */
class ClassSum {
  endpoints = 0;
  deliveries = 0;
  /** Of the event that the oldest delivery is of. */
  oldest: Position | undefined;
  readonly breakers = { open: 0, half_open: 0 };
}

/** Measures the endpoints of the partition, by class (rules/webhooks 11). */
@Injectable()
export class EndpointMetrics {
  constructor(
    private readonly queues: EndpointQueues,
    @Inject(EndpointLimiter)
    private readonly limiter: Pick<EndpointLimiter, 'findBreaker' | 'isFailing'>,
    @Inject(CursorSet) private readonly cursors: Pick<CursorSet, 'all'>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'findTime'>,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Asks memory, and the store when the oldest event of each class was written. @throws Fault of the store. */
  async measure(): Promise<void> {
    const { partition } = this.lease;
    endpointsBehind.set({ partition }, this.cursors.all.size);
    for (const [name, sum] of this.#sumUp()) {
      webhookEndpoints.set({ partition, class: name }, sum.endpoints);
      webhooksInFlight.set({ partition, class: name }, sum.deliveries);
      for (const state of BREAKER_STATES) {
        breakers.set({ partition, class: name, state }, sum.breakers[state]);
      }
      oldestWebhook.set({ partition, class: name }, (await this.#findAgeMs(sum)) / 1_000);
    }
  }

  #sumUp() {
    const sums = new Map(CLASSES.map((name) => [name, new ClassSum()]));
    for (const queue of this.queues.all) {
      const { endpointId, size, oldest } = queue;
      const sum = sums.get(this.#classify(queue));
      if (sum === undefined || oldest === undefined) continue;
      const { position } = oldest.delivery;
      sum.endpoints += 1;
      sum.deliveries += size;
      if (sum.oldest === undefined || position < sum.oldest) sum.oldest = position;
      const breaker = this.limiter.findBreaker(endpointId);
      if (breaker !== undefined) sum.breakers[breaker] += 1;
    }
    return sums;
  }

  #classify({ endpointId, isHeld }: EndpointQueue): (typeof CLASSES)[number] {
    if (isHeld) return 'held';
    return this.limiter.isFailing(endpointId) ? 'failing' : 'healthy';
  }

  /** Since its event was written: that is the same after a start. */
  async #findAgeMs({ oldest }: ClassSum): Promise<number> {
    const writtenAt = oldest && (await this.store.findTime(oldest));
    return writtenAt === undefined ? 0 : Date.parse(this.clock.now()) - Date.parse(writtenAt);
  }
}
