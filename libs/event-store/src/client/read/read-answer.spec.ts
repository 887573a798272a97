import { describe, expect, it } from 'vitest';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { Defect } from '#platform';
import { readAnswer } from './read-answer.js';
import { textId } from '../spec-support/uuid-forms.js';

const { ReadResp } = streams;
const UINT64_MAX = 2n ** 64n - 1n;
const ID = 'b7a4c1f0-0000-4000-8000-000000000001';

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const stored = fc.record({
  id: fc.uuid(),
  streamName: text,
  type: text,
  contentType: fc.constantFrom('application/json', 'application/octet-stream'),
  data: fc.uint8Array(),
  metadata: fc.uint8Array(),
  revision: fc.maxSafeNat(),
  position: fc.bigInt({ min: 0n, max: UINT64_MAX }),
  createdAtMs: fc.maxSafeNat().map((n) => n % 10 ** 13),
});
type Stored = ReturnType<typeof stored.generate>['value'];

function toMessage(event: Stored, id: InstanceType<typeof shared.UUID>): Buffer {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(event.streamName));
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(id);
  recorded.setStreamIdentifier(identifier);
  recorded.setStreamRevision(String(event.revision));
  recorded.setCommitPosition(String(event.position));
  recorded.setPreparePosition(String(event.position));
  recorded.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
  recorded.getMetadataMap().set('created', String(event.createdAtMs * 10_000));
  recorded.setCustomMetadata(event.metadata);
  recorded.setData(event.data);
  const read = new ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.position));
  const answer = new ReadResp();
  answer.setEvent(read);
  return Buffer.from(answer.serializeBinary());
}

describe('an answer of a read', () => {
  it('is the event that the generated classes write', () => {
    const check = fc.property(stored, (event) => {
      const answer = readAnswer(toMessage(event, textId(event.id)));
      if (answer.kind !== 'event') throw new Error(`${answer.kind} is no event`);
      const { data, metadata, ...rest } = answer.event;
      expect({ data: [...data], metadata: [...metadata], ...rest }).toEqual({
        ...event,
        data: [...event.data],
        metadata: [...event.metadata],
        position: String(event.position).padStart(20, '0'),
      });
    });
    fc.assert(check, { numRuns: 200 });
  });

  it('is how far a subscription has looked', () => {
    const checkpoint = new ReadResp.Checkpoint();
    checkpoint.setCommitPosition('17');
    checkpoint.setPreparePosition('17');
    const message = new ReadResp();
    message.setCheckpoint(checkpoint);
    expect(read(message)).toEqual({ kind: 'position', position: '00000000000000000017' });
  });

  it('says that a subscription has begun, that it has caught up, and lets the rest go by', () => {
    const begun = new ReadResp();
    begun.setConfirmation(new ReadResp.SubscriptionConfirmation());
    expect(read(begun)).toEqual({ kind: 'confirmed' });
    const caughtUp = new ReadResp();
    caughtUp.setCaughtUp(new ReadResp.CaughtUp());
    expect(read(caughtUp)).toEqual({ kind: 'caught-up' });
    const end = new ReadResp();
    end.setLastStreamPosition('3');
    expect(read(end)).toEqual({ kind: 'other' });
    const gone = new ReadResp();
    gone.setEvent(new ReadResp.ReadEvent());
    expect(read(gone)).toEqual({ kind: 'other' });
  });

  it('is refused where an event lacks what each has, or the bytes are cut off', () => {
    const message = new ReadResp();
    const event = new ReadResp.ReadEvent();
    event.setEvent(new ReadResp.ReadEvent.RecordedEvent());
    message.setEvent(event);
    expect(() => read(message)).toThrow(Defect);
    const bytes = toMessage(fc.sample(stored, { numRuns: 1, seed: 1 })[0]!, textId(ID));
    expect(() => readAnswer(bytes.subarray(0, -1))).toThrow('not valid protobuf');
  });
});

function read(message: InstanceType<typeof ReadResp>) {
  return readAnswer(Buffer.from(message.serializeBinary()));
}
