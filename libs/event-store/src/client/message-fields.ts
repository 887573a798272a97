/** What several messages of the store have inside (`event_store.client`), read from its bytes. */
import type { Position } from '#domain/event';
import type { ProtobufReader } from '#platform/protobuf';
import { toPosition } from '../streams/position.js';

const LENGTH_DELIMITED = 2;

/** The tag of a field: of a message or a text, or of another wire type. */
export const field = (number: number, wireType = LENGTH_DELIMITED) => (number << 3) | wireType;

/** A place in `$all`: of a checkpoint, or of events that were appended. */
export function readPosition(reader: ProtobufReader): Position {
  let commit = 0n;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1, 0)) commit = reader.varint64();
    else reader.skip(tag);
  }
  return toPosition({ commit, prepare: commit });
}

/** An id (`event_store.client.UUID`), which stores write in either of two forms, in small letters. */
export function readUuid(reader: ProtobufReader): string {
  let id = '';
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) id = readStructuredUuid(reader.message());
    else if (tag === field(2)) id = reader.text().toLowerCase();
    else reader.skip(tag);
  }
  return id;
}

function readStructuredUuid(reader: ProtobufReader): string {
  let [most, least] = [0n, 0n];
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1, 0)) most = reader.varint64();
    else if (tag === field(2, 0)) least = reader.varint64();
    else reader.skip(tag);
  }
  return formatUuid(most, least);
}

/** The text of an id that a store wrote as two numbers of 64 bits, signed or not. */
function formatUuid(most: bigint, least: bigint): string {
  const digits = (half: bigint) => BigInt.asUintN(64, half).toString(16).padStart(16, '0');
  const hex = digits(most) + digits(least);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
