import { createHash } from 'node:crypto';
import type { RecordedEvent } from '#domain/event';
import { entryOf } from './catalogue.js';

/** One message to merchants; every endpoint and every attempt gets the same bytes (decisions 8). */
export interface WebhookMessage {
  /** `webhook-id`: stable for the message, to all its attempts and resends. */
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  /** The body: `{type, data}`, compact JSON. */
  readonly body: string;
}

/** Half a SHA-256: no two events of a store ever share it. */
const ID_BYTES = 16;

/**
 * The message of an event, or null where it is not told to merchants.
 *
 * @param state of the event's stream, folded up to and including the event: the data is the subject as
 *   it stood then, not as it stands when it is sent.
 */
export function renderMessage(event: RecordedEvent, state: unknown): WebhookMessage | null {
  const entry = entryOf(event);
  // The catalogue says which stream the event is of, and so which state its renderer takes.
  const rendered = entry?.render(state as never) ?? null;
  if (entry === undefined || rendered === null) return null;
  const { subject, data } = rendered;
  const body = JSON.stringify({ type: entry.type, data });
  return { id: messageIdOf(event), type: entry.type, subject, body };
}

/** The id of an event's message: derived from the event's own id. */
export function messageIdOf(event: Pick<RecordedEvent, 'id'>): string {
  const hash = createHash('sha256').update(event.id).digest().subarray(0, ID_BYTES);
  return `msg_${hash.toString('hex')}`;
}
