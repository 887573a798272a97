/** The answers of `Streams/Read` (`event_store.client.streams`), read from their bytes (decision 0005). */
import type { Position } from '#domain/event';
import { assertDefect } from '#platform';
import { ProtobufReader } from '#platform/protobuf';
import { toPosition } from '../../streams/position.js';
import type { StoredEvent } from '../../streams/stored-event.js';

/** The answers of a read or a subscription. */
export type ReadAnswer =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  /** How far a subscription has looked. */
  | { readonly kind: 'position'; readonly position: Position }
  /** A subscription has begun. */
  | { readonly kind: 'confirmed' }
  /** All events of before the subscription have come. */
  | { readonly kind: 'caught-up' }
  /** Answers that no reader of ours asks for, such as the end of a stream. */
  | { readonly kind: 'other' };

const LENGTH_DELIMITED = 2;
const field = (number: number, wireType = LENGTH_DELIMITED) => (number << 3) | wireType;

/** Stores count in units of 100 nanoseconds. */
const TICKS_PER_MS = 10_000;

/** @throws Error for bytes that are no such message, Defect for an event without the fields of each. */
export function readAnswer(bytes: Buffer): ReadAnswer {
  const reader = new ProtobufReader(bytes);
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) return readResolvedEvent(reader.message());
    if (tag === field(2)) return { kind: 'confirmed' };
    if (tag === field(3)) return { kind: 'position', position: readPosition(reader.message()) };
    if (tag === field(8)) return { kind: 'caught-up' };
    reader.skip(tag);
  }
  return { kind: 'other' };
}

/** No link is followed by our reads, so an event stands there itself, or it is gone. */
function readResolvedEvent(reader: ProtobufReader): ReadAnswer {
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) return { kind: 'event', event: readEvent(reader.message()) };
    reader.skip(tag);
  }
  return { kind: 'other' };
}

const NONE = new Uint8Array(0);

function readEvent(reader: ProtobufReader): StoredEvent {
  let [id, streamName]: (string | undefined)[] = [];
  let data: Uint8Array = NONE;
  let metadata: Uint8Array = NONE;
  let revision = 0;
  let commit = 0n;
  const entries = { type: '', contentType: 'application/octet-stream', created: '0' };
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) id = readText(reader.message(), 2).toLowerCase();
    else if (tag === field(2)) streamName = readText(reader.message(), 3);
    else if (tag === field(3, 0)) revision = reader.varint();
    else if (tag === field(5, 0)) commit = reader.varint64();
    else if (tag === field(6)) readEntry(reader.message(), entries);
    else if (tag === field(7)) metadata = reader.view();
    else if (tag === field(8)) data = reader.view();
    else reader.skip(tag);
  }
  assertDefect(id !== undefined, 'an event without an id');
  assertDefect(streamName !== undefined, 'an event without a stream');
  const { type, contentType, created } = entries;
  const position = toPosition({ commit, prepare: commit });
  const createdAtMs = Number(created) / TICKS_PER_MS;
  return { id, type, contentType, data, metadata, streamName, revision, position, createdAtMs };
}

function readEntry(
  reader: ProtobufReader,
  entries: { type: string; contentType: string; created: string },
): void {
  let [key, value] = ['', ''];
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) key = reader.text();
    else if (tag === field(2)) value = reader.text();
    else reader.skip(tag);
  }
  if (key === 'type') entries.type = value;
  else if (key === 'content-type') entries.contentType = value;
  else if (key === 'created') entries.created = value;
}

/** A place in `$all`. */
function readPosition(reader: ProtobufReader): Position {
  let commit = 0n;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1, 0)) commit = reader.varint64();
    else reader.skip(tag);
  }
  return toPosition({ commit, prepare: commit });
}

/** The one field that a name or an id has; our requests ask for ids as text. */
function readText(reader: ProtobufReader, number: number): string {
  let text = '';
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(number)) text = reader.text();
    else reader.skip(tag);
  }
  return text;
}
