import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '#platform';
import { JobRunner } from '../../jobs/job-runner.js';
import { PAYMENT_JOBS_AT_ONCE, PAYMENT_LOCK_MS } from '../../limits.js';
import { LOG } from '../../tokens.js';
import { PaymentHandler } from './payment-handler.js';
import type { PaymentJobData } from './payment-jobs.js';
import { PaymentQueue } from './payment-queue.js';

/** Runs charges and refunds. */
@Injectable()
export class PaymentRunner extends JobRunner<PaymentJobData> {
  constructor(queue: PaymentQueue, handler: PaymentHandler, @Inject(LOG) log: Log) {
    super(queue, { concurrency: PAYMENT_JOBS_AT_ONCE, lockMs: PAYMENT_LOCK_MS }, handler, log);
  }
}
