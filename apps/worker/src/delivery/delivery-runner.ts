import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import type { Log } from '#platform';
import { JobRunner } from '../jobs/job-runner.js';
import { shareOfQueue } from '../jobs/places.js';
import { DELIVERIES_AT_ONCE, DELIVERY_LOCK_MS } from '../limits.js';
import { LOG, PARTITIONS } from '../tokens.js';
import { DeliveryHandler } from './delivery-handler.js';
import type { DeliveryJobData } from './delivery-job.js';
import { DeliveryQueue } from './delivery-queue.js';

/** Runs deliveries. */
@Injectable()
export class DeliveryRunner extends JobRunner<DeliveryJobData> {
  constructor(
    queue: DeliveryQueue,
    handler: DeliveryHandler,
    @Inject(PARTITIONS) partitions: Partitions,
    @Inject(LOG) log: Log,
  ) {
    const share = shareOfQueue(DELIVERIES_AT_ONCE, partitions);
    super(queue, { ...share, lockMs: DELIVERY_LOCK_MS }, handler, log);
  }
}
