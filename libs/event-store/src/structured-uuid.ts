import type { ProtobufReader } from '#platform/protobuf';

const TEXT = (2 << 3) | 2;
const STRUCTURED = (1 << 3) | 2;
const MOST_SIGNIFICANT_BITS = 1 << 3;
const LEAST_SIGNIFICANT_BITS = 2 << 3;

/** An id (`event_store.client.UUID`), which stores write in either of two forms, in small letters. */
export function readUuid(reader: ProtobufReader): string {
  let id = '';
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === STRUCTURED) id = readStructuredUuid(reader.message());
    else if (tag === TEXT) id = reader.text().toLowerCase();
    else reader.skip(tag);
  }
  return id;
}

function readStructuredUuid(reader: ProtobufReader): string {
  let [most, least] = [0n, 0n];
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === MOST_SIGNIFICANT_BITS) most = reader.varint64();
    else if (tag === LEAST_SIGNIFICANT_BITS) least = reader.varint64();
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
