import type { RecordedEvent } from '#domain/event';
import { Defect } from '#platform';
import { renderMessages, type WebhookMessage } from './render-messages.js';
import { SEAL_ROW } from './seal-rows.js';
import { renderTestMessage } from './test-message.js';

/** Whether an event's message is a checkpoint of the whole ledger, for apps that witness it (rules/evidence 10). */
export function isSealNotice({ type }: Pick<RecordedEvent, 'type'>): boolean {
  return type === SEAL_ROW.on;
}

/**
 * The message of an event that is about no player, a test or a checkpoint of the ledger; undefined for any other event.
 *
 * @throws Fault `undecodable` for a test of a type that this release does not know.
 */
export function renderImpersonalMessage(event: RecordedEvent): WebhookMessage | undefined {
  if (!isSealNotice(event)) return renderTestMessage(event);
  const [message] = renderMessages(event, { state: null, payment: null, open }, [SEAL_ROW]);
  return message;
}

function open(): never {
  throw new Defect('a checkpoint is about no player');
}
