import { describe, expect, it } from 'vitest';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import codes from '@eventstore/db-client/generated/code_pb.js';
import fc from 'fast-check';
import protobuf from 'google-protobuf/google/protobuf/any_pb.js';
import { Fault } from '#platform';
import {
  type AppendAnswer,
  answeredNumber,
  correlationId,
  isOfNodeNotReady,
  toAppendResult,
} from './append-answer.js';
import { RevisionConflict } from '../../streams/event-store.js';
import { toPosition } from '../../streams/position.js';
import { structuredId, textId } from '../spec-support/uuid-forms.js';

const UINT64_MAX = 2n ** 64n - 1n;
const number = fc.integer({ min: 1, max: 2 ** 48 - 1 });

describe('an append that was done', () => {
  it.each([
    ['a text', textId],
    ['two numbers', structuredId],
  ])('says where its events are, under an id that is %s', (_, write) => {
    const position = fc.bigInt({ min: 0n, max: UINT64_MAX });
    fc.assert(
      fc.property(number, fc.maxSafeNat(), position, (sent, revision, commit) => {
        const reply = answerTo(write(correlationId(sent)), done(revision, commit));
        expect(answeredNumber(reply)).toBe(sent);
        const where = { revision, position: toPosition({ commit, prepare: commit }) };
        expect(toAppendResult(reply, 'player-1')).toEqual(where);
        expect(isOfNodeNotReady(reply)).toBe(false);
      }),
    );
  });

  it('has an unknown outcome where the store does not say so', () => {
    const success = new streams.BatchAppendResp.Success();
    success.setCurrentRevision('1');
    const reply = answerTo(textId(correlationId(1)), success);
    expect(readRefused(reply)).toMatchObject({ code: 'unavailable', retryable: true });
  });
});

describe('an append that was not done', () => {
  it.each([
    ['another revision', 7, 7],
    ['no such stream', undefined, -1],
  ])('says where its stream is: %s', (_, revision, actual) => {
    const wrong = new shared.WrongExpectedVersion();
    if (revision !== undefined) wrong.setCurrentStreamRevision(String(revision));
    const kind = 'event_store.client.WrongExpectedVersion';
    const conflict = readRefused(
      refused(codes.Code.UNKNOWN, 'wrong', kind, wrong.serializeBinary()),
    );
    expect(conflict).toBeInstanceOf(RevisionConflict);
    expect(conflict).toMatchObject({ actual, streamName: 'player-1', afterUnknownOutcome: false });
  });

  it('is refused for good where its stream was ended', () => {
    const ended = readRefused(
      refused(codes.Code.UNKNOWN, 'gone', 'event_store.client.StreamDeleted'),
    );
    expect(ended).toMatchObject({ code: 'refused', retryable: false });
  });

  it.each([
    [codes.Code.PERMISSION_DENIED, 'refused', false],
    [codes.Code.INVALID_ARGUMENT, 'refused', false],
    [codes.Code.DEADLINE_EXCEEDED, 'unavailable', true],
  ])('is known by its code %s to be %s', (grpcCode, code, retryable) => {
    const refusal = readRefused(refused(grpcCode, 'not now'));
    expect(refusal).toBeInstanceOf(Fault);
    expect(refusal).toMatchObject({ code, retryable, message: 'appending to player-1: not now' });
  });

  it('may have met a node that serves none', () => {
    expect(isOfNodeNotReady(refused(codes.Code.UNKNOWN, 'Server Is Not Ready'))).toBe(true);
  });
});

function readRefused(reply: AppendAnswer): unknown {
  try {
    return toAppendResult(reply, 'player-1');
  } catch (error) {
    return error;
  }
}

function refused(
  code: codes.Code,
  message: string,
  kind?: string,
  details: Uint8Array = Buffer.of(),
) {
  const refusal = new statuses.Status();
  refusal.setCode(code);
  refusal.setMessage(message);
  if (kind !== undefined) {
    const any = new protobuf.Any();
    any.pack(Uint8Array.from(details), kind);
    refusal.setDetails(any);
  }
  return answerTo(textId(correlationId(1)), refusal);
}

type Outcome =
  InstanceType<typeof streams.BatchAppendResp.Success> | InstanceType<typeof statuses.Status>;

function answerTo(id: InstanceType<typeof shared.UUID>, outcome: Outcome): AppendAnswer {
  const answer = new streams.BatchAppendResp();
  answer.setCorrelationId(id);
  const stream = new shared.StreamIdentifier();
  stream.setStreamName(Buffer.from('player-1'));
  answer.setStreamIdentifier(stream);
  if (outcome instanceof statuses.Status) answer.setError(outcome);
  else answer.setSuccess(outcome);
  return streams.BatchAppendResp.deserializeBinary(answer.serializeBinary());
}

function done(revision: number, commit: bigint) {
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(String(commit));
  position.setPreparePosition(String(commit));
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(position);
  return success;
}
