import type { OutgoingMessage } from './outgoing-message.js';

/** In the place of a body that did not open when the message was planned: it is made when it is sent. */
export const UNOPENED = 'unopened';

/** A message on its way to one endpoint. No secret is in here: it is opened when it signs. */
export interface QueuedMessage {
  readonly endpointId: string;
  readonly appId: string;
  readonly messageId: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
  /** The pseudonym of the player whom it is about. */
  readonly player: string;
  /** Under the player's key: opened when it is sent; or `UNOPENED`. */
  readonly sealedBody: string;
  /** Its member of the work in flight. */
  readonly inFlight: string;
  /** By the wall clock. How long it holds later ones back is counted from here. */
  readonly enqueuedAtMs: number;
}

/** The id of the job that delivers a message. It follows from the message, so that it is there once. */
export function deliveryJobId({
  endpointId,
  messageId,
}: Pick<QueuedMessage, 'endpointId' | 'messageId'>): string {
  return `${endpointId}-${messageId}`;
}

export function createQueuedMessage(
  { id: messageId, event, type, subject, sequence, player, sealedBody }: OutgoingMessage,
  { endpointId, inFlight }: { readonly endpointId: string; readonly inFlight: string },
): QueuedMessage {
  const { appId } = event.metadata;
  const enqueuedAtMs = Date.now();
  return {
    ...{ endpointId, appId, messageId, type, subject, sequence, player, sealedBody },
    ...{ inFlight, enqueuedAtMs },
  };
}
