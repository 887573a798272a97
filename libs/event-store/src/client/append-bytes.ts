import type { ExpectedRevision } from '../streams/event-store.js';
import { FieldWriter } from './field-writer.js';
import type { StoredForm } from '../streams/stored-form.js';
import type { VerbatimForm } from './verbatim/verbatim-event.js';

/**
 * One append as the bytes of a `BatchAppendReq` (event_store.client.streams, shared; decision 0005), which a
 * spec reads back with the generated classes. All of its events are in one message, final: the ledger's
 * have 1 MiB at most, and a copy's half of that or one event, so there is nothing to split.
 *
 * @param deadlineMs from now, after which the store is to give up by itself.
 */
export function appendBytes(
  correlationId: string,
  streamName: string,
  expected: ExpectedRevision,
  events: readonly (StoredForm | VerbatimForm)[],
  deadlineMs: number,
): Buffer {
  const writer = new FieldWriter();
  writer.message(1, () => writer.text(2, correlationId));
  writer.message(2, () => writeOptions(writer, streamName, expected, Date.now() + deadlineMs));
  for (const event of events) writer.message(3, () => writeEvent(writer, event));
  writer.integer(4, 1);
  return writer.bytes;
}

function writeOptions(
  writer: FieldWriter,
  streamName: string,
  expected: ExpectedRevision,
  deadlineAtMs: number,
): void {
  writer.message(1, () => writer.text(3, streamName));
  if (expected === 'any') writer.empty(4);
  else if (expected === 'no_stream') writer.empty(3);
  else writer.integer(2, expected);
  writer.message(6, () => {
    writer.integer(1, Math.floor(deadlineAtMs / 1000));
    writer.integer(2, (deadlineAtMs % 1000) * 1_000_000);
  });
}

function writeEvent(writer: FieldWriter, event: StoredForm | VerbatimForm): void {
  writer.message(1, () => writer.text(2, event.id));
  writeEntry(writer, 'type', event.type);
  if ('contentType' in event) {
    writeEntry(writer, 'content-type', event.contentType);
    writer.raw(3, event.metadata);
    writer.raw(4, event.data);
    return;
  }
  writeEntry(writer, 'content-type', 'application/json');
  writer.text(3, JSON.stringify(event.metadata));
  writer.text(4, JSON.stringify(event.data));
}

/** An entry of the map `metadata`. */
function writeEntry(writer: FieldWriter, key: string, value: string): void {
  writer.message(2, () => {
    writer.text(1, key);
    writer.text(2, value);
  });
}
