import type { BulkJobOptions } from 'bullmq';
import { RETRY_SCHEDULE_MS } from '#webhooks';
import { FAILED_JOBS_KEPT } from '../limits.js';
import { deliveryJobId, type QueuedMessage } from './queued-message.js';

/** What names a message. The message itself stands in Redis once, under a key of ours. */
export type DeliveryJobData = Pick<QueuedMessage, 'endpointId' | 'messageId'> &
  Partial<Pick<QueuedMessage, 'appId'>>;

export interface DeliveryJob {
  readonly name: string;
  readonly data: DeliveryJobData;
  readonly opts: BulkJobOptions & { readonly jobId: string };
}

/**
 * The job that delivers a message. BullMQ takes one job for each id, so that adding it again does nothing.
 * A completed job leaves nothing in BullMQ: the same message may have to be enqueued again after a loss.
 */
export function deliveryJobFor(message: QueuedMessage): DeliveryJob {
  const { appId, endpointId, messageId, type, enqueuedAtMs } = message;
  return {
    name: type,
    data: { endpointId, messageId, appId },
    opts: {
      jobId: deliveryJobId(message),
      timestamp: enqueuedAtMs,
      attempts: RETRY_SCHEDULE_MS.length,
      backoff: { type: 'webhook' },
      removeOnComplete: true,
      removeOnFail: FAILED_JOBS_KEPT,
    },
  };
}
