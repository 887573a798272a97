import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import type { Log } from '#platform';
import { FeedWindow } from '../../feed/feed-window.js';
import { JobRunner } from '../../jobs/job-runner.js';
import { shareOfQueue } from '../../jobs/places.js';
import { PAYMENT_JOBS_AT_ONCE, PAYMENT_LOCK_MS } from '../../limits.js';
import { LOG, PARTITIONS } from '../../tokens.js';
import { PaymentHandler } from './payment-handler.js';
import type { PaymentJobData } from './payment-jobs.js';
import { PaymentQueue } from './payment-queue.js';

/** Runs charges and refunds. */
@Injectable()
export class PaymentRunner extends JobRunner<PaymentJobData> {
  constructor(
    queue: PaymentQueue,
    handler: PaymentHandler,
    feed: FeedWindow,
    @Inject(PARTITIONS) partitions: Partitions,
    @Inject(LOG) log: Log,
  ) {
    const window = () => feed.size;
    const share = shareOfQueue(PAYMENT_JOBS_AT_ONCE, partitions);
    super(queue, { ...share, window, lockMs: PAYMENT_LOCK_MS }, handler, log);
  }
}
