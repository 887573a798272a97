import { crc32 } from 'node:zlib';
import { packContent, readUnpackedLength, unpackContent, UnreadableContent } from './content.js';

/**
 * A stored event, format version 4 (decision 0010). Numbers are big-endian:
 *
 *   0 checksum (4) · 4 flags (bit 0: the data is JSON; bits 1 to 6: the number of a dictionary;
 *   bit 7: scavenged)
 *   5 event id (16) · 21 created, ms (6) · 27 revision (6) · 33 stream name length (2)
 *   35 type length (2) · 37 metadata length (4) · 41 stream name · type · content
 *
 * The content is metadata and data, packed with the dictionary of that number, or as they are where it
 * is 0 (`content.ts`). The checksum is the CRC-32 of all that follows it as it is stored, begun with the
 * position, so that an event which was written elsewhere is noticed as well. Names lie at known offsets and
 * are never packed, so that filters and idempotency look at no content. The position is the record's key
 * and is not repeated. Of a scavenged event all but its content stays, so that positions and revisions have
 * no gap, and that an append which comes again is recognised.
 */
const FLAG_JSON = 1;
const DICTIONARY_SHIFT = 1;
const DICTIONARY_MASK = 0x3f;
const FLAG_SCAVENGED = 0x80;
const CHECKSUM_BYTES = 4;
const FLAGS_OFFSET = 4;
const ID_OFFSET = 5;
const CREATED_OFFSET = 21;
const REVISION_OFFSET = 27;
const STREAM_LENGTH_OFFSET = 33;
const TYPE_LENGTH_OFFSET = 35;
const METADATA_LENGTH_OFFSET = 37;
export const STREAM_OFFSET = 41;

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

/** An event's content, as its writer gave it. */
export interface EventContent {
  /** The metadata, and then the data: views of their own would cost a read more than unpacking does. */
  readonly bytes: Buffer;
  readonly metadataLength: number;
}

/** The place and time of an event. */
export interface RecordPlace {
  readonly position: number;
  readonly revision: number;
  readonly createdMs: number;
}

export function encodeRecord(
  streamName: string,
  event: ProposedEvent,
  { position, revision, createdMs }: RecordPlace,
): Buffer {
  const streamLength = Buffer.byteLength(streamName);
  const typeLength = Buffer.byteLength(event.type);
  const contentAt = STREAM_OFFSET + streamLength + typeLength;
  const { dictionary, bytes } = packContent(Buffer.concat([event.metadata, event.data]));
  const record = Buffer.allocUnsafe(contentAt + bytes.length);
  record[FLAGS_OFFSET] = (event.isJson ? FLAG_JSON : 0) | (dictionary << DICTIONARY_SHIFT);
  record.set(event.id, ID_OFFSET);
  record.writeUIntBE(createdMs, CREATED_OFFSET, 6);
  record.writeUIntBE(revision, REVISION_OFFSET, 6);
  record.writeUInt16BE(streamLength, STREAM_LENGTH_OFFSET);
  record.writeUInt16BE(typeLength, TYPE_LENGTH_OFFSET);
  record.writeUInt32BE(event.metadata.length, METADATA_LENGTH_OFFSET);
  record.write(streamName, STREAM_OFFSET, streamLength, 'utf8');
  record.write(event.type, STREAM_OFFSET + streamLength, typeLength, 'utf8');
  record.set(bytes, contentAt);
  record.writeUInt32BE(computeChecksum(record, position), 0);
  return record;
}

/** The rest of an event when its content is taken away for good. */
export function encodeScavenged(record: Buffer, position: number): Buffer {
  const stub = Buffer.from(record.subarray(0, contentOffset(record)));
  stub[FLAGS_OFFSET] = FLAG_SCAVENGED;
  stub.writeUInt32BE(0, METADATA_LENGTH_OFFSET);
  stub.writeUInt32BE(computeChecksum(stub, position), 0);
  return stub;
}

/** True for an event whose content is gone: no read answers with it. */
export function isScavenged(record: Buffer): boolean {
  return ((record[FLAGS_OFFSET] ?? 0) & FLAG_SCAVENGED) !== 0;
}

/** True if these are the bytes written at this position, and of the place that they name. */
export function isRecordWhole(record: Buffer, position: number): boolean {
  return (
    record.length >= STREAM_OFFSET && record.readUInt32BE(0) === computeChecksum(record, position)
  );
}

function computeChecksum(record: Buffer, position: number): number {
  return crc32(record.subarray(CHECKSUM_BYTES), position >>> 0);
}

export function isJsonRecord(record: Buffer): boolean {
  return ((record[FLAGS_OFFSET] ?? 0) & FLAG_JSON) !== 0;
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

/** The end of the names. */
export function contentOffset(record: Buffer): number {
  return typeOffset(record) + record.readUInt16BE(TYPE_LENGTH_OFFSET);
}

export function recordStreamName(record: Buffer): string {
  return record.toString('utf8', STREAM_OFFSET, typeOffset(record));
}

export function recordType(record: Buffer): string {
  return record.toString('utf8', typeOffset(record), contentOffset(record));
}

/**
 * Of a record whose checksum was looked at: a damaged one is not to be unpacked.
 *
 * @throws UnreadableContent for bytes that were not written by `encodeRecord`.
 */
export function readContent(record: Buffer): EventContent {
  const bytes = unpackContent(record, contentOffset(record), recordDictionary(record));
  const metadataLength = record.readUInt32BE(METADATA_LENGTH_OFFSET);
  if (metadataLength > bytes.length) {
    throw new UnreadableContent(`its metadata end behind its content, at ${metadataLength}`);
  }
  return { bytes, metadataLength };
}

/** How many bytes the record takes with its content unpacked, by its own word. */
export function countRecordBytes(record: Buffer): number {
  if (recordDictionary(record) === 0) return record.length;
  const contentAt = contentOffset(record);
  return contentAt + readUnpackedLength(record, contentAt);
}

/** The number of the dictionary that its content is packed with; 0 if it is not. */
function recordDictionary(record: Buffer): number {
  return ((record[FLAGS_OFFSET] ?? 0) >> DICTIONARY_SHIFT) & DICTIONARY_MASK;
}
