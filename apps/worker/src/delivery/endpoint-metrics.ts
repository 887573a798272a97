import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#platform';
import type { Lease } from '#projection-engine';
import { CursorSet } from '../feed/cursor-set.js';
import { endpointsBehind, oldestWebhook, webhookEndpoints, webhooksInFlight } from '../metrics.js';
import { CLOCK, LEASE } from '../tokens.js';
import { ENDPOINT_CLASSES, EndpointClasses } from './endpoint-classes.js';
import type { QueuedDelivery } from './endpoint-queue.js';
import { EndpointQueues } from './endpoint-queues.js';

/** How the endpoints of the partition are, by class (rules/webhooks 11). */
@Injectable()
export class EndpointMetrics {
  constructor(
    private readonly queues: EndpointQueues,
    private readonly classes: EndpointClasses,
    @Inject(CursorSet) private readonly cursors: Pick<CursorSet, 'all'>,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Asks memory only. */
  measure(): void {
    const { partition } = this.lease;
    const sums = new Map(
      ENDPOINT_CLASSES.map((name) => [name, { endpoints: 0, deliveries: 0, oldestMs: 0 }]),
    );
    for (const { endpointId, size, oldest } of this.queues.all) {
      const sum = sums.get(this.classes.find(endpointId));
      if (sum === undefined || size === 0) continue;
      sum.endpoints += 1;
      sum.deliveries += size;
      sum.oldestMs = Math.max(sum.oldestMs, this.#waitedMs(oldest));
    }
    for (const [name, { endpoints, deliveries, oldestMs }] of sums) {
      webhookEndpoints.set({ partition, class: name }, endpoints);
      webhooksInFlight.set({ partition, class: name }, deliveries);
      oldestWebhook.set({ partition, class: name }, oldestMs / 1_000);
    }
    endpointsBehind.set({ partition }, this.cursors.all.size);
  }

  /** When it failed first is known over a start of the worker; when it began is not. */
  #waitedMs(oldest: QueuedDelivery | undefined): number {
    if (oldest === undefined) return 0;
    const { addedAtMs, firstFailedAtMs } = oldest;
    const failingMs =
      firstFailedAtMs === undefined ? 0 : Date.parse(this.clock.now()) - firstFailedAtMs;
    return Math.max(performance.now() - addedAtMs, failingMs);
  }
}
