/** The answers of BatchAppend (`event_store.client.streams`), read. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { status as grpcStatus } from '@grpc/grpc-js';
import { Fault } from '#platform';
import { type AppendResult, RevisionConflict } from './event-store.js';
import { isNotReady } from './leader-probe.js';
import { toPosition } from './position.js';
import { formatUuid } from './structured-uuid.js';

/** The correlation id of a reply, as we wrote it. */
export function readCorrelationId(reply: BatchAppendResp): string {
  const id = reply.getCorrelationId();
  return id === undefined ? '' : readUuid(id);
}

/** Stores write ids in either of two forms. */
function readUuid(id: UUID): string {
  return id.hasString() ? id.getString().toLowerCase() : structuredUuid(id);
}

/**
 * What a reply says.
 *
 * @throws RevisionConflict (with `afterUnknownOutcome` false), Fault.
 */
export function readReply(reply: BatchAppendResp, streamName: string): AppendResult {
  const success = reply.getSuccess();
  if (success === undefined) throw toError(reply.getError(), streamName);
  const position = success.getPosition();
  if (position === undefined) {
    throw new Fault('unavailable', `appending to ${streamName}: answered without a position`, {
      retryable: true,
    });
  }
  return {
    revision: Number(success.getCurrentRevision()),
    position: toPosition({
      commit: BigInt(position.getCommitPosition()),
      prepare: BigInt(position.getPreparePosition()),
    }),
  };
}

/** Whether a node answers that it serves no appends now: "Server Is Not Ready", without details. */
export function isOfNodeNotReady(reply: BatchAppendResp): boolean {
  return isNotReady(reply.getError()?.getMessage() ?? '');
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

function toError(error: Status | undefined, streamName: string): Error {
  const details = error?.getDetails();
  const kind = details?.getTypeName();
  if (kind === WRONG_EXPECTED_VERSION) {
    const wrong = details?.unpack(
      (bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes),
      kind,
    );
    const actual = wrong?.hasCurrentStreamRevision()
      ? Number(wrong.getCurrentStreamRevision())
      : -1;
    return new RevisionConflict(streamName, wrong ? actual : undefined, false);
  }
  const message = `appending to ${streamName}: ${error?.getMessage() ?? 'an empty answer'}`;
  const isRefused = kind === STREAM_DELETED || REFUSALS.has(error?.getCode() ?? -1);
  return isRefused
    ? new Fault('refused', message, { retryable: false })
    : new Fault('unavailable', message, { retryable: true });
}

function structuredUuid(id: UUID): string {
  const halves = id.getStructured();
  const [most, least] = [halves?.getMostSignificantBits(), halves?.getLeastSignificantBits()];
  return formatUuid(BigInt(most ?? 0), BigInt(least ?? 0));
}
