import type { RecordedEvent } from '#domain/event';
import type { WebhookMessage } from '#webhooks';

/** A message for an app, with the event that it is about. It waits closed, as what it is rendered from does. */
export interface OutgoingMessage extends Omit<WebhookMessage, 'body'> {
  /** The pseudonym of the player whom it is about. */
  readonly player: string;
  readonly event: RecordedEvent;
  /**
   * The body as receivers get it, by one look at the player; undefined where the player was erased since the event,
   * whenever the message was made (rules/storage 16).
   *
   * @throws Fault of the store; `undecodable` where it does not open.
   */
  readonly open: () => Promise<string | undefined>;
}
