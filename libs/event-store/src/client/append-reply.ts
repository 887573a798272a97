/** The answers of BatchAppend (`event_store.client.streams`), read from their bytes (decision 0005). */
import { status as grpcStatus } from '@grpc/grpc-js';
import type { Position } from '#domain/event';
import { ProtobufReader } from '#platform/protobuf';
import { field, readPosition, readUuid } from './message-fields.js';

/** Why an append was not done. */
export interface AppendRefusal {
  readonly code: number;
  readonly message: string;
  /** The name of the message in `details`, behind the last slash of its address. */
  readonly kind: string;
  readonly details: Uint8Array;
}

/** What came of one append. */
export interface AppendReply {
  /** The number of the append, as `correlationId` wrote it; of an id that is not ours, anything. */
  readonly number: number;
  readonly revision: number;
  /** None where the store gave none. */
  readonly position: Position | undefined;
  readonly refusal: AppendRefusal | undefined;
}

/** Where the number of an append begins in its id. */
const NUMBER_AT = 24;

/** An id is unique within its call only; its form is that of a UUID. */
export function correlationId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** @throws Error for bytes that are no such message. */
export function readAppendReply(bytes: Buffer): AppendReply {
  const reader = new ProtobufReader(bytes);
  let number = -1;
  let done: Pick<AppendReply, 'revision' | 'position'> = { revision: -1, position: undefined };
  let refusal: AppendRefusal | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) number = Number.parseInt(readUuid(reader.message()).slice(NUMBER_AT), 16);
    else if (tag === field(2)) refusal = readRefusal(reader.message());
    else if (tag === field(3)) done = readSuccess(reader.message());
    else reader.skip(tag);
  }
  return { number, ...done, refusal };
}

function readSuccess(reader: ProtobufReader): Pick<AppendReply, 'revision' | 'position'> {
  let revision = 0;
  let position: Position | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1, 0)) revision = reader.varint();
    else if (tag === field(3)) position = readPosition(reader.message());
    else reader.skip(tag);
  }
  return { revision, position };
}

const NO_DETAILS = new Uint8Array(0);

function readRefusal(reader: ProtobufReader): AppendRefusal {
  let [code, message, kind]: [number, string, string] = [grpcStatus.UNKNOWN, 'an empty answer', ''];
  let details: Uint8Array = NO_DETAILS;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1, 0)) code = reader.varint();
    else if (tag === field(2)) message = reader.text();
    else if (tag === field(3)) [kind, details] = readAny(reader.message());
    else reader.skip(tag);
  }
  return { code, message, kind, details };
}

/** A message of any kind (`google.protobuf.Any`). */
function readAny(reader: ProtobufReader): [kind: string, value: Uint8Array] {
  let address = '';
  let value: Uint8Array = NO_DETAILS;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === field(1)) address = reader.text();
    else if (tag === field(2)) value = reader.view();
    else reader.skip(tag);
  }
  return [address.slice(address.lastIndexOf('/') + 1), value];
}
