import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '#platform';
import { type JobConnections, JobQueue } from '../jobs/job-queue.js';
import { JOB_CONNECTIONS, LOG } from '../tokens.js';
import type { DeliveryJobData } from './delivery-job.js';

/** The queue of webhook deliveries. */
@Injectable()
export class DeliveryQueue extends JobQueue<DeliveryJobData> {
  constructor(@Inject(JOB_CONNECTIONS) connections: JobConnections, @Inject(LOG) log: Log) {
    super('webhooks', connections, log);
  }
}
