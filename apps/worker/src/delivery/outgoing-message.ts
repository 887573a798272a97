import type { RecordedEvent } from '#domain/event';
import type { WebhookMessage } from '#webhooks';

/** In the place of a body that did not open when the message was planned: it is made when it is sent. */
export const UNOPENED = 'unopened';

/** A message for an app, rendered once, with the event that it is about. */
export interface OutgoingMessage extends Omit<WebhookMessage, 'body'> {
  /** The pseudonym of the player whom it is about. */
  readonly player: string;
  /** Under the player's key, since it may wait in memory while the player is erased; or `UNOPENED`. */
  readonly sealedBody: string;
  readonly event: RecordedEvent;
}
