import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '#platform';
import { JobRunner } from '../jobs/job-runner.js';
import { DELIVERIES_AT_ONCE, DELIVERY_LOCK_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import { DeliveryHandler } from './delivery-handler.js';
import type { DeliveryJobData } from './delivery-job.js';
import { DeliveryQueue } from './delivery-queue.js';

/** Runs deliveries. */
@Injectable()
export class DeliveryRunner extends JobRunner<DeliveryJobData> {
  constructor(queue: DeliveryQueue, handler: DeliveryHandler, @Inject(LOG) log: Log) {
    super(queue, { concurrency: DELIVERIES_AT_ONCE, lockMs: DELIVERY_LOCK_MS }, handler, log);
  }
}
