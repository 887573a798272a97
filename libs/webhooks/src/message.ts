import { createHash } from 'node:crypto';
import type { RecordedFact } from '#domain/fact';
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
 * The message of a fact, or null where it is not told to merchants.
 *
 * @param state of the fact's stream, folded up to and including the fact: the data is the subject as
 *   it stood then, not as it stands when it is sent.
 */
export function renderMessage(fact: RecordedFact, state: unknown): WebhookMessage | null {
  const entry = entryOf(fact);
  // The catalogue says which stream the fact is of, and so which state its renderer takes.
  const rendered = entry?.render(state as never) ?? null;
  if (entry === undefined || rendered === null) return null;
  const { subject, data } = rendered;
  const body = JSON.stringify({ type: entry.type, data });
  return { id: messageIdOf(fact), type: entry.type, subject, body };
}

/** The id of a fact's message: derived from the event's own id. */
export function messageIdOf(fact: Pick<RecordedFact, 'id'>): string {
  const hash = createHash('sha256').update(fact.id).digest().subarray(0, ID_BYTES);
  return `msg_${hash.toString('hex')}`;
}
