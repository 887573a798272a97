import type { BulkJobOptions } from 'bullmq';
import type { RecordedEvent } from '#domain/event';
import { RETRY_SCHEDULE_MS, type WebhookMessage } from '#webhooks';
import { EXHAUSTED_KEPT, FINISHED_KEPT } from '../limits.js';

/** A message for an app, rendered once, with the event that it is about. */
export interface OutgoingMessage extends WebhookMessage {
  readonly event: RecordedEvent;
}

/** A message on its way to one endpoint. No secret is in here: it is opened when it signs. */
export interface DeliveryJobData {
  readonly endpointId: string;
  readonly appId: string;
  readonly messageId: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
  readonly body: string;
  /** The job's member of the work in flight: it is taken out when the message is delivered or exhausted. */
  readonly inFlight: string;
}

export interface DeliveryJob {
  readonly name: string;
  readonly data: DeliveryJobData;
  readonly opts: BulkJobOptions & { readonly jobId: string };
}

/** One message is one job at each endpoint, however often it is asked for. */
export function deliveryJobFor(
  message: OutgoingMessage,
  to: { readonly endpointId: string; readonly inFlight: string },
): DeliveryJob {
  const { id: messageId, event, type, subject, sequence, body } = message;
  const { endpointId, inFlight } = to;
  const { appId } = event.metadata;
  return {
    name: type,
    data: { endpointId, appId, messageId, type, subject, sequence, body, inFlight },
    opts: {
      jobId: `${endpointId}-${messageId}`,
      attempts: RETRY_SCHEDULE_MS.length,
      backoff: { type: 'webhook' },
      removeOnComplete: FINISHED_KEPT,
      removeOnFail: EXHAUSTED_KEPT,
    },
  };
}
