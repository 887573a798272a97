import type { BulkJobOptions } from 'bullmq';
import { RETRY_SCHEDULE_MS } from '#webhooks';
import { EXHAUSTED_KEPT } from '../limits.js';
import { deliveryJobId, type QueuedMessage } from './queued-message.js';

/** What names a message. The message itself stands in Redis once, under a key of ours. */
export type DeliveryJobData = Pick<QueuedMessage, 'endpointId' | 'messageId'>;

export interface DeliveryJob {
  readonly name: string;
  readonly data: DeliveryJobData;
  readonly opts: BulkJobOptions & { readonly jobId: string };
}

/**
 * The job that delivers a message. It is added as often as anybody likes: BullMQ takes one job for each id.
 * A completed one leaves nothing there, so that the same message can be enqueued again after a loss.
 */
export function deliveryJobFor(message: QueuedMessage): DeliveryJob {
  const { endpointId, messageId, type, enqueuedAtMs } = message;
  return {
    name: type,
    data: { endpointId, messageId },
    opts: {
      jobId: deliveryJobId(message),
      timestamp: enqueuedAtMs,
      attempts: RETRY_SCHEDULE_MS.length,
      backoff: { type: 'webhook' },
      removeOnComplete: true,
      removeOnFail: EXHAUSTED_KEPT,
    },
  };
}
