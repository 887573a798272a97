/** What only a hand-made BatchAppend call shows (protocol 1.2). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import emptyProto from 'google-protobuf/google/protobuf/empty_pb.js';
import { status } from '@grpc/grpc-js';
import { eventually } from '../../support/eventually.js';
import {
  collect,
  identifier,
  startSubject,
  statusOf,
  uniqueStream,
  type Subject,
} from './subject.js';

let subject: Subject;
beforeAll(async () => {
  subject = await startSubject();
});
afterAll(async () => subject.stop());

/** One open call, with all answers in the order of their arrival. */
class Batch {
  readonly answers: streams.BatchAppendResp[] = [];
  readonly call = subject.raw.batchAppend();

  constructor() {
    this.call.on('data', (answer: streams.BatchAppendResp) => this.answers.push(answer));
    this.call.on('error', () => undefined);
  }

  send(parts: Parts): void {
    this.call.write(batchMessage(parts));
  }

  answersTo(correlationId: string): streams.BatchAppendResp[] {
    return this.answers.filter(
      (answer) => answer.getCorrelationId()?.getString() === correlationId,
    );
  }

  async answerTo(correlationId: string): Promise<streams.BatchAppendResp> {
    await eventually(() => this.answersTo(correlationId).length > 0);
    return this.answersTo(correlationId)[0]!;
  }
}

interface Parts {
  readonly correlationId: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly deadlineMs?: number;
  readonly events?: number;
  readonly bytes?: number;
  readonly isFinal?: boolean;
  readonly properties?: Readonly<Record<string, string>>;
}

function batchMessage(parts: Parts): streams.BatchAppendReq {
  const { correlationId, stream, revision, deadlineMs, isFinal = true } = parts;
  const message = new streams.BatchAppendReq();
  message.setCorrelationId(uuid(correlationId));
  message.setIsFinal(isFinal);
  if (stream !== undefined) {
    const options = new streams.BatchAppendReq.Options();
    options.setStreamIdentifier(identifier(stream));
    if (revision === undefined) options.setAny(new emptyProto.Empty());
    else options.setStreamPosition(String(revision));
    if (deadlineMs !== undefined) {
      options.setDeadline(timestamps.Timestamp.fromDate(new Date(Date.now() + deadlineMs)));
    }
    message.setOptions(options);
  }
  for (let n = 0; n < (parts.events ?? 1); n += 1) message.addProposedMessages(proposal(parts));
  return message;
}

function proposal({ bytes = 10, properties }: Parts): streams.BatchAppendReq.ProposedMessage {
  const proposed = new streams.BatchAppendReq.ProposedMessage();
  proposed.setId(uuid(randomUUID()));
  const map = properties ?? { type: 'batch.tested.v1', 'content-type': 'application/octet-stream' };
  for (const [key, value] of Object.entries(map)) proposed.getMetadataMap().set(key, value);
  proposed.setData(Buffer.alloc(bytes, 1));
  return proposed;
}

function uuid(text: string): sharedMessages.UUID {
  const id = new sharedMessages.UUID();
  id.setString(text);
  return id;
}

async function countOf(stream: string): Promise<number> {
  return (await collect(subject.client.readStream(stream))).length;
}

describe('BatchAppend', () => {
  it('puts interleaved requests together by their correlation ids', async () => {
    const batch = new Batch();
    const [one, two] = [randomUUID(), randomUUID()];
    const [first, second] = [uniqueStream(), uniqueStream()];
    batch.send({ correlationId: one, stream: first, isFinal: false });
    batch.send({ correlationId: two, stream: second, isFinal: false, events: 2 });
    batch.send({ correlationId: one, events: 3, isFinal: false });
    batch.send({ correlationId: two });
    batch.send({ correlationId: one });
    expect((await batch.answerTo(one)).getSuccess()?.getCurrentRevision()).toBe('4');
    expect((await batch.answerTo(two)).getSuccess()?.getCurrentRevision()).toBe('2');
    expect([await countOf(first), await countOf(second)]).toEqual([5, 3]);
    batch.call.cancel();
  });

  it('answers each request exactly once, with its stream', async () => {
    const batch = new Batch();
    const stream = uniqueStream();
    const ids = Array.from({ length: 200 }, () => randomUUID());
    for (const correlationId of ids) batch.send({ correlationId, stream });
    await eventually(() => batch.answers.length >= ids.length);
    batch.call.end();
    await eventually(() => batch.call.destroyed || batch.call.readableEnded);
    expect(ids.map((id) => batch.answersTo(id).length)).toEqual(ids.map(() => 1));
    const names = batch.answers.map((answer) =>
      Buffer.from(answer.getStreamIdentifier()!.getStreamName_asU8()).toString(),
    );
    expect(new Set(names)).toEqual(new Set([stream]));
  });

  it('answers a wrong version as a part of the answer', async () => {
    const batch = new Batch();
    const correlationId = randomUUID();
    const stream = uniqueStream();
    batch.send({ correlationId, stream, revision: 4 });
    const answer = await batch.answerTo(correlationId);
    expect(answer.getError()?.getDetails()?.getTypeName()).toBe(
      'event_store.client.WrongExpectedVersion',
    );
    const details = answer
      .getError()!
      .getDetails()!
      .unpack(
        (bytes) => sharedMessages.WrongExpectedVersion.deserializeBinary(bytes),
        'event_store.client.WrongExpectedVersion',
      );
    expect(details?.hasCurrentNoStream()).toBe(true);
    expect(details?.getExpectedStreamPosition()).toBe('4');
    batch.call.cancel();
  });

  it('answers a tombstoned stream with StreamDeleted', async () => {
    const batch = new Batch();
    const correlationId = randomUUID();
    const stream = uniqueStream();
    await subject.client.tombstoneStream(stream);
    batch.send({ correlationId, stream });
    const error = (await batch.answerTo(correlationId)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.StreamDeleted');
    batch.call.cancel();
  });

  it('answers Timeout when the deadline has passed, and writes nothing', async () => {
    const batch = new Batch();
    const correlationId = randomUUID();
    const stream = uniqueStream();
    batch.send({ correlationId, stream, deadlineMs: -1000 });
    const error = (await batch.answerTo(correlationId)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.Timeout');
    await expect(countOf(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    batch.call.cancel();
  });

  it('answers Timeout when a request is not finished in time, and goes on with others', async () => {
    const batch = new Batch();
    const [late, other] = [randomUUID(), randomUUID()];
    const [stream, otherStream] = [uniqueStream(), uniqueStream()];
    batch.send({ correlationId: late, stream, deadlineMs: 300, isFinal: false });
    const error = (await batch.answerTo(late)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.Timeout');
    batch.send({ correlationId: late, isFinal: true });
    batch.send({ correlationId: other, stream: otherStream });
    expect((await batch.answerTo(other)).hasSuccess()).toBe(true);
    expect(batch.answersTo(late)).toHaveLength(1);
    await expect(countOf(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    batch.call.cancel();
  });

  it('takes messages of 3 MiB and refuses what is too big with its limit, once', async () => {
    const batch = new Batch();
    const [large, after] = [randomUUID(), randomUUID()];
    const stream = uniqueStream();
    batch.send({ correlationId: large, stream, events: 3, bytes: 1024 * 1024, isFinal: false });
    batch.send({ correlationId: large, events: 3, bytes: 1024 * 1024 });
    const error = (await batch.answerTo(large)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.MaximumAppendSizeExceeded');
    const details = error!
      .getDetails()!
      .unpack(
        (bytes) => sharedMessages.MaximumAppendSizeExceeded.deserializeBinary(bytes),
        'event_store.client.MaximumAppendSizeExceeded',
      );
    expect(details?.getMaxappendsize()).toBe(1024 * 1024);
    batch.send({ correlationId: after, stream });
    expect((await batch.answerTo(after)).getSuccess()?.getCurrentRevision()).toBe('0');
    expect(batch.answersTo(large)).toHaveLength(1);
    batch.call.cancel();
  });

  it('repeats a structured correlation id in the same form', async () => {
    const batch = new Batch();
    const id = new sharedMessages.UUID();
    const halves = new sharedMessages.UUID.Structured();
    halves.setMostSignificantBits('-42');
    halves.setLeastSignificantBits('7');
    id.setStructured(halves);
    const message = batchMessage({ correlationId: randomUUID(), stream: uniqueStream() });
    message.setCorrelationId(id);
    batch.call.write(message);
    await eventually(() => batch.answers.length === 1);
    expect(batch.answers[0]?.getCorrelationId()?.toObject()).toEqual(id.toObject());
    batch.call.cancel();
  });

  it('ends well when the client ends and everything is answered', async () => {
    const batch = new Batch();
    const correlationId = randomUUID();
    let code: number | undefined;
    batch.call.on('status', (ended) => (code = ended.code));
    batch.send({ correlationId, stream: uniqueStream() });
    batch.call.end();
    await eventually(() => code !== undefined);
    expect(code).toBe(status.OK);
    expect(batch.answersTo(correlationId)).toHaveLength(1);
  });
});

describe('a request that lacks what is required', () => {
  it('of an event is refused by Append, naming it', async () => {
    const refused = rawAppend([
      target(uniqueStream()),
      proposed({ 'content-type': 'application/json' }),
    ]);
    const error = await statusOf(refused);
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(error.metadata.get('exception')).toEqual(['missing-required-metadata-property']);
    expect(error.metadata.get('required-metadata-properties')).toHaveLength(1);
  });

  it('of an append, its options, is refused', async () => {
    const error = await statusOf(
      rawAppend([proposed({ type: 't', 'content-type': 'application/json' })]),
    );
    expect(error.code).not.toBe(status.OK);
  });

  it('has no stream name and is refused', async () => {
    const error = await statusOf(rawAppend([target('')]));
    expect(error.code).not.toBe(status.OK);
  });
});

function target(stream: string): streams.AppendReq {
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(identifier(stream));
  options.setAny(new sharedMessages.Empty());
  const message = new streams.AppendReq();
  message.setOptions(options);
  return message;
}

function proposed(properties: Readonly<Record<string, string>>): streams.AppendReq {
  const event = new streams.AppendReq.ProposedMessage();
  event.setId(uuid(randomUUID()));
  for (const [key, value] of Object.entries(properties)) event.getMetadataMap().set(key, value);
  const message = new streams.AppendReq();
  message.setProposedMessage(event);
  return message;
}

async function rawAppend(messages: streams.AppendReq[]): Promise<streams.AppendResp> {
  return new Promise((resolve, reject) => {
    const call = subject.raw.append((error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
    for (const message of messages) call.write(message);
    call.end();
  });
}
