/** Which commands left events in a stream, in a few bytes of its document (decision 0151). */
import { hash } from 'node:crypto';
import type { RecordedEvent } from '#domain/event';
import type { NotedCommands } from './define/index.js';
import { COMMANDS_NOTED } from './limits.js';

/** Of an id: one in a billion has those of another, and is then looked for in the stream for nothing. */
const LENGTH = 5;
/** In the place of more than are kept: any id may be among them. */
const ANY = '*';

/** What is noted after one more event. */
export function noteCommand(
  { lastOccurredAt, fingerprints }: NotedCommands = { lastOccurredAt: '', fingerprints: '' },
  { metadata: { occurredAt, commandId } }: Pick<RecordedEvent, 'metadata'>,
): NotedCommands {
  return {
    lastOccurredAt: occurredAt > lastOccurredAt ? occurredAt : lastOccurredAt,
    fingerprints: commandId === undefined ? fingerprints : addTo(fingerprints, commandId),
  };
}

/** Whether a command with this id may have left one of the events; false is certain. */
export function mayHoldCommand({ fingerprints }: NotedCommands, commandId: string): boolean {
  // Found across two of them it is one of those ids that are looked for in vain.
  return fingerprints === ANY || fingerprints.includes(fingerprint(commandId));
}

function addTo(fingerprints: string, commandId: string): string {
  if (mayHoldCommand({ lastOccurredAt: '', fingerprints }, commandId)) return fingerprints;
  return fingerprints.length < COMMANDS_NOTED * LENGTH
    ? fingerprints + fingerprint(commandId)
    : ANY;
}

function fingerprint(commandId: string): string {
  return hash('sha1', commandId, 'base64url').slice(0, LENGTH);
}
