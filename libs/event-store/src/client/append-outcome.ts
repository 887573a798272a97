import shared from '@eventstore/db-client/generated/shared_pb.js';
import { status as grpcStatus } from '@grpc/grpc-js';
import { Fault } from '#platform';
import type { AppendRefusal, AppendReply } from './append-reply.js';
import { TooLargeToAppend } from './too-large-to-append.js';
import { type AppendResult, RevisionConflict } from '../streams/event-store.js';
import { isNotReady } from './leader-probe.js';

/**
 * What a reply says.
 *
 * @throws RevisionConflict (with `afterUnknownOutcome` false), TooLargeToAppend, Fault.
 */
export function toAppendResult(reply: AppendReply, streamName: string): AppendResult {
  const { revision, position, refusal } = reply;
  if (refusal !== undefined) throw toError(refusal, streamName);
  if (position !== undefined) return { revision, position };
  throw new Fault('unavailable', `appending to ${streamName}: answered without a position`, {
    retryable: true,
  });
}

/** Whether a node answers that it serves no appends now: "Server Is Not Ready", without details. */
export function isOfNodeNotReady({ refusal }: AppendReply): boolean {
  return refusal !== undefined && isNotReady(refusal.message);
}

/** Codes that say the store understood and refused; every other one leaves the outcome unknown. */
const REFUSALS = new Set<number>([
  grpcStatus.INVALID_ARGUMENT,
  grpcStatus.NOT_FOUND,
  grpcStatus.PERMISSION_DENIED,
  grpcStatus.UNAUTHENTICATED,
  grpcStatus.UNIMPLEMENTED,
]);
const WRONG_EXPECTED_VERSION = 'event_store.client.WrongExpectedVersion';
/** A tombstoned stream answers with a code of its own choosing, but always with this. */
const STREAM_DELETED = 'event_store.client.StreamDeleted';

/** KurrentDB limits a single event as well, since 26.0. */
const TOO_LARGE = new Set([
  'event_store.client.MaximumAppendSizeExceeded',
  'event_store.client.MaximumAppendEventSizeExceeded',
]);

function toError({ code, message, kind, details }: AppendRefusal, streamName: string): Error {
  if (kind === WRONG_EXPECTED_VERSION) {
    const wrong = shared.WrongExpectedVersion.deserializeBinary(details);
    const actual = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : -1;
    return new RevisionConflict(streamName, actual, false);
  }
  const text = `appending to ${streamName}: ${message}`;
  if (TOO_LARGE.has(kind)) return new TooLargeToAppend(text);
  const isRefused = kind === STREAM_DELETED || REFUSALS.has(code);
  return isRefused
    ? new Fault('refused', text, { retryable: false })
    : new Fault('unavailable', text, { retryable: true });
}
