import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '#platform';
import { type JobConnections, JobQueue } from '../../jobs/job-queue.js';
import { JOB_CONNECTIONS, LOG } from '../../tokens.js';
import type { PaymentJobData } from './payment-jobs.js';

/** The queue of charges and refunds. */
@Injectable()
export class PaymentQueue extends JobQueue<PaymentJobData> {
  constructor(@Inject(JOB_CONNECTIONS) connections: JobConnections, @Inject(LOG) log: Log) {
    super('payments', connections, log);
  }
}
