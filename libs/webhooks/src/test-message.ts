import { type Environment, idOf, type RecordedEvent } from '#domain/event';
import { deriveUuid, Fault } from '#platform';
import type { WebhookMessage } from './render-messages.js';
import { sampleMessage } from './samples/sample-message.js';
import { WEBHOOK_TYPES, type WebhookType } from './webhook-types.js';

/** `service-event-sequence` of a test: it takes no number of any subject, which begin at 1 (rules/webhooks 5). */
const NO_SEQUENCE = 0;

/**
 * The test message that an event asks for; undefined for an event that asks for none. It follows from the event
 * alone, id and body, so that each attempt has the same.
 *
 * @throws Fault `undecodable` for a type that this release does not know.
 */
export function renderTestMessage(event: RecordedEvent): WebhookMessage | undefined {
  if (event.type !== 'webhook_endpoint.test_requested.v1') return undefined;
  const { eventType: type } = event.data as { readonly eventType: string };
  const { environment } = event.metadata;
  return {
    id: `msg_${deriveUuid(`${event.id} test ${type}`)}`,
    type,
    subject: idOf(event.streamName),
    sequence: NO_SEQUENCE,
    body: renderSample(type, environment),
  };
}

function renderSample(type: string, environment: Environment): string {
  if (isKnown(type)) return sampleMessage(type, environment);
  throw new Fault('undecodable', `no sample of ${type} is known`, { retryable: false });
}

function isKnown(type: string): type is WebhookType {
  return WEBHOOK_TYPES.some((known) => known === type);
}
