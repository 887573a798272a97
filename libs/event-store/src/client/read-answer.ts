/** The answers of `Streams/Read` (`event_store.client.streams`), read from their bytes (decision 0005). */
import type { Position } from '#domain/event';
import { assertDefect } from '#platform';
import { ProtobufReader } from '#platform/protobuf';
import { field, readPosition, readUuid } from './message-fields.js';
import { toPosition } from '../streams/position.js';
import type { StoredEvent } from '../streams/stored-event.js';

/** What a read or a subscription brings. */
export type ReadAnswer =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  /** How far a subscription has looked. */
  | { readonly kind: 'position'; readonly position: Position }
  /** A subscription has begun. */
  | { readonly kind: 'confirmed' }
  /** What was there when a subscription began has come. */
  | { readonly kind: 'caught-up' }
  /** What no reader of ours asks for, such as where a stream ends. */
  | { readonly kind: 'other' };

const EVENT = field(1);
const CONFIRMATION = field(2);
const CHECKPOINT = field(3);
const CAUGHT_UP = field(8);

/** Stores count in units of 100 nanoseconds. */
const TICKS_PER_MS = 10_000;

/** @throws Error for bytes that are no such message, Defect for an event without what each has. */
export function readAnswer(bytes: Buffer): ReadAnswer {
  const reader = new ProtobufReader(bytes);
  let answer: ReadAnswer = { kind: 'other' };
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === EVENT) answer = readResolvedEvent(reader.message()) ?? answer;
    else if (tag === CHECKPOINT)
      answer = { kind: 'position', position: readPosition(reader.message()) };
    else {
      reader.skip(tag);
      if (tag === CONFIRMATION) answer = { kind: 'confirmed' };
      else if (tag === CAUGHT_UP) answer = { kind: 'caught-up' };
    }
  }
  return answer;
}

/** No link is followed by our reads, so an event stands there itself, or what it was is gone. */
function readResolvedEvent(reader: ProtobufReader): ReadAnswer | undefined {
  let answer: ReadAnswer | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) answer = { kind: 'event', event: readEvent(reader.message()) };
    else reader.skip(tag);
  }
  return answer;
}

const NONE = new Uint8Array(0);

function readEvent(reader: ProtobufReader): StoredEvent {
  let [id, streamName]: (string | undefined)[] = [];
  let data: Uint8Array = NONE;
  let metadata: Uint8Array = NONE;
  let revision = 0;
  let commit = 0n;
  const entries: Entries = { type: '', contentType: 'application/octet-stream', created: '0' };
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) id = readUuid(reader.message());
    else if (tag === field(2)) streamName = readStreamName(reader.message());
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

/** What a store keeps of an event beside its bytes. */
interface Entries {
  type: string;
  contentType: string;
  created: string;
}

function readEntry(reader: ProtobufReader, entries: Entries): void {
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

function readStreamName(reader: ProtobufReader): string {
  let name = '';
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(3)) name = reader.text();
    else reader.skip(tag);
  }
  return name;
}
