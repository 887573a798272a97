import type { AppendOutcome } from '../append/appender.js';
import { InvalidArgument } from '../failures.js';
import { MAX_APPEND_BYTES } from '../limits.js';
import {
  encodeBadRequestDetails,
  encodeStreamDeletedDetails,
  encodeTooLargeDetails,
  encodeWrongVersionDetails,
  type BatchFailure,
  type Success,
} from '../protobuf/append-response.js';
import { MissingMetadata } from '../protobuf/append-messages.js';
import { AppendTooLarge, GrpcCode, toCallStatus } from './status.js';

/** `google.rpc.Code` as EventStoreDB uses it in the answers of BatchAppend (rules/protocol 4). */
const STREAM_DELETED_CODE = 5;
const WRONG_VERSION_CODE = 6;

const NO_PAYLOAD = new Uint8Array(0);

export const BATCH_TIMED_OUT: BatchFailure = {
  code: GrpcCode.DEADLINE_EXCEEDED,
  message: 'Timeout',
  type: 'Timeout',
  payload: NO_PAYLOAD,
};

/** BatchAppend's answer for an outcome; failures are a part of the answer, not of the call. */
export function toBatchResult(
  outcome: AppendOutcome,
  streamName: string,
  expected: number,
): Success | BatchFailure {
  switch (outcome.kind) {
    case 'wrong-version':
      return {
        code: WRONG_VERSION_CODE,
        message: 'WrongExpectedVersion',
        type: 'WrongExpectedVersion',
        payload: encodeWrongVersionDetails(expected, outcome.current),
      };
    case 'stream-deleted':
      return {
        code: STREAM_DELETED_CODE,
        message: 'StreamDeleted',
        type: 'StreamDeleted',
        payload: encodeStreamDeletedDetails(streamName),
      };
    case 'appended':
    case 'unchanged':
      return outcome;
  }
}

/** BatchAppend's answer for a thrown value. */
export function toBatchFailure(error: unknown): BatchFailure {
  const { code, details } = toCallStatus(error);
  if (error instanceof AppendTooLarge) {
    const payload = encodeTooLargeDetails(MAX_APPEND_BYTES);
    return { code, message: details, type: 'MaximumAppendSizeExceeded', payload };
  }
  if (error instanceof InvalidArgument || error instanceof MissingMetadata) {
    // The client for Node shows the message and does not look into a BadRequest.
    const message = `BadRequest: ${details}`;
    return { code, message, type: 'BadRequest', payload: encodeBadRequestDetails(details) };
  }
  return { code, message: details, type: 'Unknown', payload: NO_PAYLOAD };
}
