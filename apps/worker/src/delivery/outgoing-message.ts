import type { RecordedEvent } from '#domain/event';
import type { WebhookMessage } from '#webhooks';

/** A message for an app, rendered once, with the event that it is about. */
export interface OutgoingMessage extends Omit<WebhookMessage, 'body'> {
  /** The pseudonym of the player whom it is about. */
  readonly player: string;
  /** Under the player's key. */
  readonly sealedBody: string;
  readonly event: RecordedEvent;
}
