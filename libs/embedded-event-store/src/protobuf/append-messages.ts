import { ProtobufReader } from '#platform/protobuf';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../append/expected-revision.js';
import { InvalidArgument } from '../failures.js';
import { MAX_EVENT_TYPE_BYTES, MAX_STREAM_NAME_BYTES } from '../limits.js';
import type { ProposedEvent } from '../storage/record.js';
import { METASTREAM_PREFIX } from '../stream/stream-metadata.js';
import { uuidFromHalves, uuidFromText } from '../uuid.js';

/** The parts that the messages of Append and BatchAppend share. */

/** The client left out metadata that EventStoreDB requires of an event (rules/protocol 4). */
export class MissingMetadata extends Error {
  override readonly name = 'MissingMetadata';
}

const JSON_CONTENT_TYPE = 'application/json';

const NO_BYTES = Buffer.alloc(0);

/** EventStoreDB takes it for an id that was forgotten. */
const ZERO_ID = Buffer.alloc(16);

/** `StreamIdentifier { bytes stream_name = 3 }` */
export function readStreamIdentifier(reader: ProtobufReader): string {
  let name = '';
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(3)) name = reader.text();
    else reader.skip(tag);
  }
  return checkStreamName(name);
}

/** Refuses names that no record could hold, and the metastream of a stream without a name. */
export function checkStreamName(name: string): string {
  if (name === '') throw new InvalidArgument('A stream name is needed.');
  if (name === METASTREAM_PREFIX) {
    throw new InvalidArgument(`"${METASTREAM_PREFIX}" alone names no stream.`);
  }
  if (Buffer.byteLength(name) > MAX_STREAM_NAME_BYTES) {
    throw new InvalidArgument(`A stream name has at most ${MAX_STREAM_NAME_BYTES} bytes.`);
  }
  return name;
}

/** The expected revision that the field with this number and value stands for, if it is one. */
export function readExpectation(reader: ProtobufReader, tag: number): number | undefined {
  switch (tag) {
    case 2 << 3:
      return reader.varint();
    case lengthDelimitedTag(3):
      reader.skip(tag);
      return NO_STREAM;
    case lengthDelimitedTag(4):
      reader.skip(tag);
      return ANY;
    case lengthDelimitedTag(5):
      reader.skip(tag);
      return STREAM_EXISTS;
    default:
      return undefined;
  }
}

/**
 * `ProposedMessage { id = 1, metadata map = 2, custom_metadata = 3, data = 4 }`, the same in both.
 */
export function readProposedEvent(reader: ProtobufReader): ProposedEvent {
  let id: Buffer | undefined;
  let metadata: Buffer = NO_BYTES;
  let data: Buffer = NO_BYTES;
  const properties = new Map<string, string>();
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) id = readUuid(reader.message());
    else if (tag === lengthDelimitedTag(2)) readMapEntry(reader.message(), properties);
    else if (tag === lengthDelimitedTag(3)) metadata = reader.view();
    else if (tag === lengthDelimitedTag(4)) data = reader.view();
    else reader.skip(tag);
  }
  const type = properties.get('type');
  const contentType = properties.get('content-type');
  if (type === undefined || contentType === undefined) {
    throw new MissingMetadata('type,content-type');
  }
  if (!id) throw new InvalidArgument('An event needs an id.');
  if (id.equals(ZERO_ID)) throw new InvalidArgument('The id of an event must not be all zeros.');
  if (type === '') throw new InvalidArgument('The type of an event must not be empty.');
  if (Buffer.byteLength(type) > MAX_EVENT_TYPE_BYTES) {
    throw new InvalidArgument(`An event type has at most ${MAX_EVENT_TYPE_BYTES} bytes.`);
  }
  return { id, type, isJson: contentType === JSON_CONTENT_TYPE, metadata, data };
}

/** `UUID { oneof { Structured { int64 msb = 1, lsb = 2 } = 1; string = 2 } }` */
function readUuid(reader: ProtobufReader): Buffer {
  let uuid: Buffer | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) uuid = readHalves(reader.message());
    else if (tag === lengthDelimitedTag(2)) uuid = uuidFromText(reader.text());
    else reader.skip(tag);
  }
  if (!uuid) throw new InvalidArgument('A UUID is empty.');
  return uuid;
}

/** The size that the limit on appends counts (rules/protocol 4). */
export function eventSize(event: ProposedEvent): number {
  return event.data.length + event.metadata.length + 2 * event.type.length;
}

/** The tag of a length-delimited field. */
export function lengthDelimitedTag(field: number): number {
  return (field << 3) | 2;
}

function readHalves(reader: ProtobufReader): Buffer {
  let most = 0n;
  let least = 0n;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === 1 << 3) most = reader.varint64();
    else if (tag === 2 << 3) least = reader.varint64();
    else reader.skip(tag);
  }
  return uuidFromHalves(most, least);
}

function readMapEntry(reader: ProtobufReader, into: Map<string, string>): void {
  let key = '';
  let value = '';
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) key = reader.text();
    else if (tag === lengthDelimitedTag(2)) value = reader.text();
    else reader.skip(tag);
  }
  into.set(key, value);
}

/** `AppendReq { Options = 1 | ProposedMessage = 2 }`: the options come first, then the events. */
export type AppendMessage =
  | { readonly kind: 'options'; readonly streamName: string; readonly expected: number }
  | { readonly kind: 'event'; readonly event: ProposedEvent };

export function readAppendMessage(bytes: Buffer): AppendMessage {
  const reader = new ProtobufReader(bytes);
  let message: AppendMessage | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1))
      message = { kind: 'options', ...readTarget(reader.message()) };
    else if (tag === lengthDelimitedTag(2))
      message = { kind: 'event', event: readProposedEvent(reader.message()) };
    else reader.skip(tag);
  }
  if (!message) throw new InvalidArgument('An append message is empty.');
  return message;
}

/** Options of Append, Delete and Tombstone: the stream and its expected revision. */
function readTarget(reader: ProtobufReader): { streamName: string; expected: number } {
  let streamName = '';
  let expected: number | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) {
      streamName = readStreamIdentifier(reader.message());
      continue;
    }
    const expectation = readExpectation(reader, tag);
    if (expectation === undefined) reader.skip(tag);
    else expected = expectation;
  }
  if (streamName === '') throw new InvalidArgument('A stream name is needed.');
  if (expected === undefined) throw new InvalidArgument('An expected revision is needed.');
  return { streamName, expected };
}

/** `DeleteReq` and `TombstoneReq`: one field with the options. */
export function readDeleteRequest(bytes: Buffer): { streamName: string; expected: number } {
  const reader = new ProtobufReader(bytes);
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) return readTarget(reader.message());
    reader.skip(tag);
  }
  throw new InvalidArgument('Options are needed.');
}
