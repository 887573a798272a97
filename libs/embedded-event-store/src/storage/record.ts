/**
 * A stored event, format version 1 (decision 0010). Numbers are big-endian:
 *
 *   0 flags (bit 0: the data is JSON) · 1 event id (16) · 17 created, ms (6) · 23 revision (6)
 *   29 stream name length (2) · 31 type length (2) · 33 metadata length (4)
 *   37 stream name · type · metadata · data
 *
 * Names lie at known offsets, so that filters and idempotency never decode an event, and the answer
 * to a read is assembled by copying bytes. The position is the record's key and is not repeated.
 */
const FLAG_JSON = 1;
const ID_OFFSET = 1;
const CREATED_OFFSET = 17;
const REVISION_OFFSET = 23;
const STREAM_LENGTH_OFFSET = 29;
const TYPE_LENGTH_OFFSET = 31;
const METADATA_LENGTH_OFFSET = 33;
export const STREAM_OFFSET = 37;

const EVENT_ID_BYTES = 16;

/** The revision of a tombstone: the largest that a record holds; long.MaxValue on the wire. */
export const TOMBSTONE_REVISION = 2 ** 48 - 1;

/** An event as a client proposes it. `data` and `metadata` may be views of the request's bytes. */
export interface ProposedEvent {
  readonly id: Buffer;
  readonly type: string;
  readonly isJson: boolean;
  readonly metadata: Uint8Array;
  readonly data: Uint8Array;
}

/** A record and the position it is stored at. */
export interface LoggedRecord {
  readonly position: number;
  readonly record: Buffer;
}

export function encodeRecord(
  streamName: string,
  event: ProposedEvent,
  revision: number,
  createdMs: number,
): Buffer {
  const streamLength = Buffer.byteLength(streamName);
  const typeLength = Buffer.byteLength(event.type);
  const { metadata, data } = event;
  const metadataOffset = STREAM_OFFSET + streamLength + typeLength;
  const record = Buffer.allocUnsafe(metadataOffset + metadata.length + data.length);
  record[0] = event.isJson ? FLAG_JSON : 0;
  record.set(event.id, ID_OFFSET);
  record.writeUIntBE(createdMs, CREATED_OFFSET, 6);
  record.writeUIntBE(revision, REVISION_OFFSET, 6);
  record.writeUInt16BE(streamLength, STREAM_LENGTH_OFFSET);
  record.writeUInt16BE(typeLength, TYPE_LENGTH_OFFSET);
  record.writeUInt32BE(metadata.length, METADATA_LENGTH_OFFSET);
  record.write(streamName, STREAM_OFFSET, streamLength, 'utf8');
  record.write(event.type, STREAM_OFFSET + streamLength, typeLength, 'utf8');
  record.set(metadata, metadataOffset);
  record.set(data, metadataOffset + metadata.length);
  return record;
}

export function isJsonRecord(record: Buffer): boolean {
  return ((record[0] ?? 0) & FLAG_JSON) !== 0;
}

export function recordId(record: Buffer): Buffer {
  return record.subarray(ID_OFFSET, ID_OFFSET + EVENT_ID_BYTES);
}

export function recordHasId(record: Buffer, id: Uint8Array): boolean {
  return recordId(record).equals(id);
}

export function recordCreatedMs(record: Buffer): number {
  return record.readUIntBE(CREATED_OFFSET, 6);
}

export function recordRevision(record: Buffer): number {
  return record.readUIntBE(REVISION_OFFSET, 6);
}

export function typeOffset(record: Buffer): number {
  return STREAM_OFFSET + record.readUInt16BE(STREAM_LENGTH_OFFSET);
}

export function metadataOffset(record: Buffer): number {
  return typeOffset(record) + record.readUInt16BE(TYPE_LENGTH_OFFSET);
}

export function dataOffset(record: Buffer): number {
  return metadataOffset(record) + record.readUInt32BE(METADATA_LENGTH_OFFSET);
}

export function recordStreamName(record: Buffer): string {
  return record.toString('utf8', STREAM_OFFSET, typeOffset(record));
}

export function recordType(record: Buffer): string {
  return record.toString('utf8', typeOffset(record), metadataOffset(record));
}

export function recordData(record: Buffer): Buffer {
  return record.subarray(dataOffset(record));
}
