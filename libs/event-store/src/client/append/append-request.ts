import { ProtobufWriter } from '#platform/protobuf';
import type { ExpectedRevision } from '../../streams/event-store.js';
import type { StoredForm } from '../../streams/stored-form.js';
import type { VerbatimForm } from '../../streams/stored-event.js';

/** An event of the ledger, or one byte for byte as another store has it. */
export type ProposedForm = StoredForm | VerbatimForm;

const writer = new ProtobufWriter();

/**
 * One append as the bytes of a `BatchAppendReq` (event_store.client.streams, shared; decision 0005), which a
 * spec reads back with the generated classes. All of its events are in one message, final: the ledger's
 * have 1 MiB at most, and a copy's half of that or one event, so there is nothing to split.
 *
 * @param deadlineMs from now, after which the store is to give up by itself.
 * @throws TypeError for an event that cannot be written as JSON.
 */
export function appendRequest(
  correlationId: string,
  streamName: string,
  expected: ExpectedRevision,
  events: readonly ProposedForm[],
  deadlineMs: number,
): Buffer {
  // An append that could not be written as JSON may have left its first half. Fields descend.
  writer.reset();
  writer.varint(4, 1);
  for (const event of events.toReversed()) writer.message(3, () => writeEvent(event));
  writer.message(2, () => writeOptions(streamName, expected, Date.now() + deadlineMs));
  writer.message(1, () => writer.text(2, correlationId));
  return writer.finish();
}

function writeOptions(streamName: string, expected: ExpectedRevision, deadlineAtMs: number): void {
  writer.message(6, () => {
    writer.varint(2, (deadlineAtMs % 1000) * 1_000_000);
    writer.varint(1, Math.floor(deadlineAtMs / 1000));
  });
  if (expected === 'any') writer.empty(4);
  else if (expected === 'no_stream') writer.empty(3);
  else writer.varint(2, expected);
  writer.message(1, () => writer.text(3, streamName));
}

function writeEvent(event: ProposedForm): void {
  if ('contentType' in event) {
    writer.bytes(4, event.data);
    writer.bytes(3, event.metadata);
    writeEntry('content-type', event.contentType);
  } else {
    writer.text(4, JSON.stringify(event.data));
    writer.text(3, JSON.stringify(event.metadata));
    writeEntry('content-type', 'application/json');
  }
  writeEntry('type', event.type);
  writer.message(1, () => writer.text(2, event.id));
}

/** An entry of the map `metadata`. */
function writeEntry(key: string, value: string): void {
  writer.message(2, () => {
    writer.text(2, value);
    writer.text(1, key);
  });
}
