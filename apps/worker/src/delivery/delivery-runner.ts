import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '#platform';
import type { JobQueue } from '../jobs/job-queue.js';
import { JobRunner } from '../jobs/job-runner.js';
import { DELIVERIES_AT_ONCE, DELIVERY_LOCK_MS } from '../limits.js';
import { DELIVERY_QUEUE, LOG } from '../tokens.js';
import { DeliveryHandler } from './delivery-handler.js';
import type { DeliveryJobData } from './delivery-job.js';

/** Runs deliveries. */
@Injectable()
export class DeliveryRunner extends JobRunner<DeliveryJobData> {
  constructor(
    @Inject(DELIVERY_QUEUE) queue: JobQueue<DeliveryJobData>,
    handler: DeliveryHandler,
    @Inject(LOG) log: Log,
  ) {
    super(queue, { concurrency: DELIVERIES_AT_ONCE, lockMs: DELIVERY_LOCK_MS }, handler, log);
  }
}
