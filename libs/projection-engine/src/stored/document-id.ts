import { idOf, type RecordedEvent } from '#domain/event';
import { assertDefect } from '#platform';
import type { DocumentKey, Projection } from '../define/index.js';
import { escaped } from './keys.js';

/** The id of the document that an event changes; undefined when it changes none. */
export function findDocumentId(
  { documents }: Projection<unknown>,
  event: RecordedEvent,
): string | undefined {
  if (documents.of === 'stream') return idOf(event.streamName);
  const key = documents.key(event);
  if (key === undefined) return undefined;
  if (documents.of === 'key') return keyedId(key);
  const { player } = event.metadata;
  assertDefect(player !== undefined, `${event.type} is no player's`);
  return playersId(player, key);
}

/** The id of a document that a key names. */
export function keyedId(key: DocumentKey): string {
  return key.map(escaped).join(':');
}

/** The id of a player's document. */
export function playersId(player: string, key: DocumentKey): string {
  return keyedId([player, ...key]);
}
