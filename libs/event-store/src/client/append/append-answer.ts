/** The answers of BatchAppend (`event_store.client.streams`). */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status as grpcStatus } from '@grpc/grpc-js';
import { Fault } from '#platform';
import { type AppendResult, RevisionConflict } from '../../streams/event-store.js';
import { toPosition } from '../../streams/position.js';
import { TooLargeToAppend } from '../errors.js';
import { isNotReady } from '../failover/index.js';

export type AppendAnswer = InstanceType<typeof streams.BatchAppendResp>;

/** Codes that say the store understood and refused; every other one leaves the outcome unknown. */
const REFUSALS = new Set<number>([
  grpcStatus.INVALID_ARGUMENT,
  grpcStatus.NOT_FOUND,
  grpcStatus.PERMISSION_DENIED,
  grpcStatus.UNAUTHENTICATED,
  grpcStatus.UNIMPLEMENTED,
]);

/** A tombstoned stream answers with a code of its own choosing, but always with this. */
const STREAM_DELETED = 'event_store.client.StreamDeleted';
/** KurrentDB limits a single event as well, since 26.0. */
const TOO_LARGE = new Set([
  'event_store.client.MaximumAppendSizeExceeded',
  'event_store.client.MaximumAppendEventSizeExceeded',
]);

/** The index at which the number of an append begins in its id. */
const NUMBER_AT = 24;

/** An id is unique within its call only; its form is that of a UUID. */
export function correlationId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** The number of the append that is answered; of an id that is not ours, anything. */
export function answeredNumber(answer: AppendAnswer): number {
  const id = answer.getCorrelationId();
  // A real node gives the id of an append that took too long as two numbers.
  const structured = id?.getStructured();
  if (!structured) return Number.parseInt(id?.getString().slice(NUMBER_AT) ?? '', 16);
  return Number(BigInt.asUintN(48, BigInt(structured.getLeastSignificantBits())));
}

/** Whether a node answers that it serves no appends now: "Server Is Not Ready", without details. */
export function isOfNodeNotReady(answer: AppendAnswer): boolean {
  return isNotReady(answer.getError()?.getMessage() ?? '');
}

/** @throws RevisionConflict (with `afterUnknownOutcome` false), TooLargeToAppend, Fault. */
export function toAppendResult(answer: AppendAnswer, streamName: string): AppendResult {
  const success = answer.getSuccess();
  const commit = success?.getPosition()?.getCommitPosition();
  if (!success || commit === undefined) throw toError(answer, streamName);
  const position = toPosition({ commit: BigInt(commit), prepare: BigInt(commit) });
  return { revision: Number(success.getCurrentRevision()), position };
}

function toError(answer: AppendAnswer, streamName: string): Error {
  const error = answer.getError();
  const details = error?.getDetails();
  const kind = details?.getTypeName() ?? '';
  if (details && kind === 'event_store.client.WrongExpectedVersion') {
    const wrong = shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
    const actual = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : -1;
    return new RevisionConflict(streamName, actual, false);
  }
  const text = `appending to ${streamName}: ${error?.getMessage() ?? 'answered without a position'}`;
  if (TOO_LARGE.has(kind)) return new TooLargeToAppend(text);
  const isRefused = kind === STREAM_DELETED || (error && REFUSALS.has(error.getCode()));
  return isRefused
    ? new Fault('refused', text, { retryable: false })
    : new Fault('unavailable', text, { retryable: true });
}
