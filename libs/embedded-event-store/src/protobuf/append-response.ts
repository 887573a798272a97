import shared from '@eventstore/db-client/generated/shared_pb.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../append/expected-revision.js';
import type { AppendOutcome } from '../append/appender.js';
import { ProtobufWriter } from '#platform/protobuf';

const writer = new ProtobufWriter();

/** `AppendResp.success` */
export function encodeAppendSuccess(outcome: Success): Buffer {
  const success = writer.openMessage();
  writeSuccess(outcome);
  writer.closeMessage(1, success);
  return writer.finish();
}

/** Outcomes that count as success. */
export type Success = Extract<AppendOutcome, { kind: 'appended' | 'unchanged' }>;

/** `AppendResp.wrong_expected_version`: an ordinary answer, not an error (rules/protocol 4). */
export function encodeAppendWrongVersion(expected: number, current: number): Buffer {
  const wrong = writer.openMessage();
  writeWrongVersion(6, expected, current);
  writer.closeMessage(2, wrong);
  return writer.finish();
}

/** `DeleteResp` and `TombstoneResp`, which look the same: the position of the written event. */
export function encodeDeleted(position: number): Buffer {
  writePosition(1, position);
  return writer.finish();
}

/** The answer to a batch that fails: the payload of a `google.rpc.Status`. */
export interface BatchFailure {
  /** A code of `google.rpc.Code`. */
  readonly code: number;
  readonly message: string;
  /** The message in `details`, named without its package. */
  readonly type: string;
  readonly payload: Uint8Array;
}

/** `BatchAppendResp`; the stream is always named, for the client reads it without asking. */
export function encodeBatchResponse(
  correlationId: Buffer,
  streamName: string,
  result: Success | BatchFailure,
): Buffer {
  const identifier = writer.openMessage();
  writer.text(3, streamName);
  writer.closeMessage(4, identifier);
  const body = writer.openMessage();
  if ('payload' in result) {
    writeFailure(result);
    writer.closeMessage(2, body);
  } else {
    writeSuccess(result);
    writer.closeMessage(3, body);
  }
  writer.bytes(1, correlationId);
  return writer.finish();
}

/** `event_store.client.WrongExpectedVersion` */
export function encodeWrongVersionDetails(expected: number, current: number): Uint8Array {
  writeWrongVersion(1, expected, current);
  return writer.finish();
}

/** `event_store.client.StreamDeleted` */
export function encodeStreamDeletedDetails(streamName: string): Uint8Array {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(streamName));
  const details = new shared.StreamDeleted();
  details.setStreamIdentifier(identifier);
  return details.serializeBinary();
}

/** `event_store.client.BadRequest` */
export function encodeBadRequestDetails(message: string): Uint8Array {
  const details = new shared.BadRequest();
  details.setMessage(message);
  return details.serializeBinary();
}

/** `event_store.client.MaximumAppendSizeExceeded` */
export function encodeTooLargeDetails(limitBytes: number): Uint8Array {
  const details = new shared.MaximumAppendSizeExceeded();
  details.setMaxappendsize(limitBytes);
  return details.serializeBinary();
}

function writeSuccess(outcome: Success): void {
  if (outcome.kind === 'appended') {
    writePosition(3, outcome.last.position);
    writer.varint(1, outcome.last.revision);
    return;
  }
  writer.empty(4);
  if (outcome.current < 0) writer.empty(2);
  else writer.varint(1, outcome.current);
}

/** In both messages: the current revision or none, and then the expected revision or its special value. */
function writeWrongVersion(firstField: number, expected: number, current: number): void {
  const special = [ANY, STREAM_EXISTS, NO_STREAM].indexOf(expected) + 1;
  if (special > 0) writer.empty(firstField + 2 + special);
  else writer.varint(firstField + 2, expected);
  if (current < 0) writer.empty(firstField + 1);
  else writer.varint(firstField, current);
}

function writePosition(field: number, position: number): void {
  const message = writer.openMessage();
  writer.varint(2, position);
  writer.varint(1, position);
  writer.closeMessage(field, message);
}

function writeFailure({ code, message, type, payload }: BatchFailure): void {
  const details = writer.openMessage();
  writer.bytes(2, payload);
  writer.ascii(1, `type.googleapis.com/event_store.client.${type}`);
  writer.closeMessage(3, details);
  writer.text(2, message);
  writer.varint(1, code);
}
