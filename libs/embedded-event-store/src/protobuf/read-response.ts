import {
  contentOffset,
  isJsonRecord,
  recordCreatedMs,
  recordId,
  recordRevision,
  STREAM_OFFSET,
  TOMBSTONE_REVISION,
  typeOffset,
  type EventContent,
  type LoggedRecord,
} from '../storage/record.js';
import { uuidToText } from '../uuid.js';
import { ProtobufWriter } from '#platform/protobuf';

/** How a client wants UUIDs: as text, or as two signed 64-bit halves. */
export type UuidForm = 'string' | 'structured';

/** An event with its content, which is read before anything of the answer is written. */
export interface ReadRecord extends LoggedRecord {
  readonly content: EventContent;
}

/** An event as a read answers with it: the event, or a link with the event it leads to, if any. */
export interface ReadEvent {
  readonly event?: ReadRecord | undefined;
  readonly link?: ReadRecord | undefined;
}

// The numbers of the fields of `ReadResp`, `ReadEvent` and `RecordedEvent`.
const EVENT = 1;
const CONFIRMATION = 2;
const CHECKPOINT = 3;
const STREAM_NOT_FOUND = 4;
const FIRST_STREAM_POSITION = 5;
const LAST_STREAM_POSITION = 6;
const CAUGHT_UP = 8;

const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

const writer = new ProtobufWriter();

/** `ReadResp.event`; the position is the link's where there is a link. */
export function encodeReadEvent({ event, link }: ReadEvent, uuidForm: UuidForm): Buffer {
  const response = writer.openMessage();
  const position = link?.position ?? event?.position ?? 0;
  writer.varint(3, position);
  if (link) writeRecordedEvent(2, link, uuidForm);
  if (event) writeRecordedEvent(1, event, uuidForm);
  writer.closeMessage(EVENT, response);
  return writer.finish();
}

export function encodeConfirmation(subscriptionId: string): Buffer {
  const message = writer.openMessage();
  writer.text(1, subscriptionId);
  writer.closeMessage(CONFIRMATION, message);
  return writer.finish();
}

export function encodeCheckpoint(position: number): Buffer {
  const message = writer.openMessage();
  writer.varint(2, position);
  writer.varint(1, position);
  writer.closeMessage(CHECKPOINT, message);
  return writer.finish();
}

export function encodeStreamNotFound(streamName: string): Buffer {
  const message = writer.openMessage();
  const identifier = writer.openMessage();
  writer.text(3, streamName);
  writer.closeMessage(1, identifier);
  writer.closeMessage(STREAM_NOT_FOUND, message);
  return writer.finish();
}

/** The first revision from which a read that found nothing would find something. */
export function encodeFirstStreamPosition(revision: number): Buffer {
  writer.varint(FIRST_STREAM_POSITION, revision);
  return writer.finish();
}

/** The revision of the stream's last event, however far the read went. */
export function encodeLastStreamPosition(revision: number): Buffer {
  writer.varint(LAST_STREAM_POSITION, revision);
  return writer.finish();
}

export function encodeCaughtUp(): Buffer {
  writer.empty(CAUGHT_UP);
  return writer.finish();
}

/** `RecordedEvent`, its fields from the last to the first. */
function writeRecordedEvent(field: number, read: ReadRecord, uuidForm: UuidForm): void {
  const { position, record, content } = read;
  const message = writer.openMessage();
  const typeAt = typeOffset(record);
  const { bytes, metadataLength } = content;
  if (metadataLength < bytes.length) writer.slice(8, bytes, metadataLength, bytes.length);
  if (metadataLength > 0) writer.slice(7, bytes, 0, metadataLength);
  // `created` is in ticks of 100 ns.
  writeProperty('created', `${recordCreatedMs(record)}0000`);
  writeProperty('content-type', isJsonRecord(record) ? JSON_TYPE : BINARY_TYPE);
  const entry = writer.openMessage();
  writer.slice(2, record, typeAt, contentOffset(record));
  writer.ascii(1, 'type');
  writer.closeMessage(6, entry);
  writer.varint(5, position);
  writer.varint(4, position);
  const revision = recordRevision(record);
  if (revision === TOMBSTONE_REVISION) writer.longMax(3);
  else writer.varint(3, revision);
  const identifier = writer.openMessage();
  writer.slice(3, record, STREAM_OFFSET, typeAt);
  writer.closeMessage(2, identifier);
  writeUuid(1, recordId(record), uuidForm);
  writer.closeMessage(field, message);
}

function writeProperty(key: string, value: string): void {
  const entry = writer.openMessage();
  writer.ascii(2, value);
  writer.ascii(1, key);
  writer.closeMessage(6, entry);
}

function writeUuid(field: number, id: Buffer, form: UuidForm): void {
  const uuid = writer.openMessage();
  if (form === 'string') {
    writer.ascii(2, uuidToText(id));
  } else {
    const halves = writer.openMessage();
    writer.varint64(2, id.readBigInt64BE(8));
    writer.varint64(1, id.readBigInt64BE(0));
    writer.closeMessage(1, halves);
  }
  writer.closeMessage(field, uuid);
}
