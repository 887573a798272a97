import type { RecordedEvent } from '#domain/event';
import type { WebhookMessage } from '#webhooks';

/** A message for an app, rendered once, with the event that it is about. */
export interface OutgoingMessage extends WebhookMessage {
  readonly event: RecordedEvent;
}
