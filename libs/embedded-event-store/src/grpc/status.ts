import { InvalidArgument, StoreDamaged, Unavailable, type CallStatus } from '../failures.js';
import { MAX_APPEND_BYTES } from '../limits.js';
import { MissingMetadata } from '../protobuf/append-messages.js';

/** gRPC's own numbers. */
export const GrpcCode = {
  OK: 0,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

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
    code: GrpcCode.FAILED_PRECONDITION,
    details: `Event stream '${streamName}' is deleted.`,
    trailers: asciiTrailers({ exception: 'stream-deleted', 'stream-name': streamName }),
  };
}

/** Of Delete and Tombstone; appends answer a wrong version as a part of their reply. */
export function wrongVersionStatus(
  streamName: string,
  expected: number,
  current: number,
): CallStatus {
  return {
    code: GrpcCode.FAILED_PRECONDITION,
    details:
      `Delete failed due to WrongExpectedVersion. Stream: ${streamName}, ` +
      `Expected version: ${expected}, Actual version: ${current}`,
    trailers: asciiTrailers({
      exception: 'wrong-expected-version',
      'stream-name': streamName,
      'expected-version': String(expected),
      'actual-version': String(current),
    }),
  };
}

export const STOPPING: CallStatus = {
  code: GrpcCode.UNAVAILABLE,
  details: 'The event store is stopping.',
};

/** The status for a thrown value; an unknown one is a defect of the server. */
export function toCallStatus(error: unknown): CallStatus {
  if (error instanceof AppendTooLarge) {
    return {
      code: GrpcCode.INVALID_ARGUMENT,
      details: `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`,
      trailers: asciiTrailers({
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(MAX_APPEND_BYTES),
      }),
    };
  }
  if (error instanceof MissingMetadata) {
    return {
      code: GrpcCode.INVALID_ARGUMENT,
      details: `Required Metadata Property '${error.message}' is missing`,
      trailers: asciiTrailers({
        exception: 'missing-required-metadata-property',
        'required-metadata-properties': error.message,
      }),
    };
  }
  const details = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreDamaged) return { code: GrpcCode.DATA_LOSS, details };
  if (error instanceof InvalidArgument) return { code: GrpcCode.INVALID_ARGUMENT, details };
  if (error instanceof Unavailable) return { code: GrpcCode.UNAVAILABLE, details };
  return { code: GrpcCode.UNKNOWN, details };
}

/** Trailers are ASCII; a name that is not goes percent-encoded rather than failing the call. */
function asciiTrailers(entries: Record<string, string>): Record<string, string> {
  const ascii = Object.entries(entries).map(([key, value]) => [
    key,
    /^[ -~]*$/.test(value) ? value : encodeURIComponent(value),
  ]);
  return Object.fromEntries(ascii) as Record<string, string>;
}
