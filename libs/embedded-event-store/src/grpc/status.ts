import { Metadata, status } from '@grpc/grpc-js';
import { InvalidArgument, StoreDamaged, Unavailable, type CallStatus } from '../failures.js';
import { MAX_APPEND_BYTES } from '../limits.js';
import { MissingMetadata } from '../protobuf/append-messages.js';

/**
 * Failures as gRPC statuses. Clients look at the trailer `exception` first, then at the code, and
 * rely on the other trailers of each exception (rules/protocol 4).
 */

/** The append had more bytes than are allowed. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}

export function streamDeletedStatus(streamName: string): CallStatus {
  return {
    code: status.FAILED_PRECONDITION,
    details: `Event stream '${streamName}' is deleted.`,
    metadata: trailers({ exception: 'stream-deleted', 'stream-name': streamName }),
  };
}

/** Of Delete and Tombstone; appends answer a wrong version as a part of their reply. */
export function wrongVersionStatus(
  streamName: string,
  expected: number,
  current: number,
): CallStatus {
  return {
    code: status.FAILED_PRECONDITION,
    details:
      `Delete failed due to WrongExpectedVersion. Stream: ${streamName}, ` +
      `Expected version: ${expected}, Actual version: ${current}`,
    metadata: trailers({
      exception: 'wrong-expected-version',
      'stream-name': streamName,
      'expected-version': String(expected),
      'actual-version': String(current),
    }),
  };
}

export const STOPPING: CallStatus = {
  code: status.UNAVAILABLE,
  details: 'The event store is stopping.',
};

/** The status for something that was thrown; what is not known here is a defect of the server. */
export function toCallStatus(error: unknown): CallStatus {
  if (error instanceof AppendTooLarge) {
    return {
      code: status.INVALID_ARGUMENT,
      details: `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`,
      metadata: trailers({
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(MAX_APPEND_BYTES),
      }),
    };
  }
  if (error instanceof MissingMetadata) {
    return {
      code: status.INVALID_ARGUMENT,
      details: `Required Metadata Property '${error.message}' is missing`,
      metadata: trailers({
        exception: 'missing-required-metadata-property',
        'required-metadata-properties': error.message,
      }),
    };
  }
  const details = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreDamaged) return { code: status.DATA_LOSS, details };
  if (error instanceof InvalidArgument) return { code: status.INVALID_ARGUMENT, details };
  if (error instanceof Unavailable) return { code: status.UNAVAILABLE, details };
  return { code: status.UNKNOWN, details };
}

/** Trailers are ASCII; a name that is not goes percent-encoded rather than failing the call. */
function trailers(entries: Record<string, string>): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(entries)) {
    metadata.set(key, /^[ -~]*$/.test(value) ? value : encodeURIComponent(value));
  }
  return metadata;
}
