/** Behaviour that only a hand-made BatchAppend call shows (rules/protocol 2). */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import { status } from '@grpc/grpc-js';
import { eventually } from '../../support/eventually.js';
import { BatchCall, batchMessage } from './batch-call.js';
import { collect, useSubject, uniqueStream } from './subject.js';

const subject = useSubject();

async function countEvents(stream: string): Promise<number> {
  return (await collect(subject.client.readStream(stream))).length;
}

describe('BatchAppend', () => {
  it('puts interleaved requests together by their correlation ids', async () => {
    const batch = new BatchCall(subject);
    const [one, two] = [randomUUID(), randomUUID()];
    const [first, second] = [uniqueStream(), uniqueStream()];
    batch.send({ correlationId: one, stream: first, isFinal: false });
    batch.send({ correlationId: two, stream: second, isFinal: false, events: 2 });
    batch.send({ correlationId: one, events: 3, isFinal: false });
    batch.send({ correlationId: two });
    batch.send({ correlationId: one });
    expect((await batch.answerTo(one)).getSuccess()?.getCurrentRevision()).toBe('4');
    expect((await batch.answerTo(two)).getSuccess()?.getCurrentRevision()).toBe('2');
    expect([await countEvents(first), await countEvents(second)]).toEqual([5, 3]);
    batch.call.cancel();
  });

  it('answers each request exactly once, with its stream', async () => {
    const batch = new BatchCall(subject);
    const stream = uniqueStream();
    const ids = Array.from({ length: 200 }, () => randomUUID());
    for (const correlationId of ids) batch.send({ correlationId, stream });
    // Whatever was answered twice was so before the answer to a later request.
    const last = randomUUID();
    batch.send({ correlationId: last, stream });
    await batch.answerTo(last);
    await eventually(() => batch.answers.length > ids.length);
    batch.call.cancel();
    expect(ids.map((id) => batch.answersTo(id).length)).toEqual(ids.map(() => 1));
    const names = batch.answers.map((answer) =>
      Buffer.from(answer.getStreamIdentifier()!.getStreamName_asU8()).toString(),
    );
    expect(new Set(names)).toEqual(new Set([stream]));
  });

  it('answers a wrong version as a part of the answer', async () => {
    const batch = new BatchCall(subject);
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
    const batch = new BatchCall(subject);
    const correlationId = randomUUID();
    const stream = uniqueStream();
    await subject.client.tombstoneStream(stream);
    batch.send({ correlationId, stream });
    const error = (await batch.answerTo(correlationId)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.StreamDeleted');
    batch.call.cancel();
  });

  it('answers Timeout when the deadline has passed, and writes nothing', async () => {
    const batch = new BatchCall(subject);
    const correlationId = randomUUID();
    const stream = uniqueStream();
    batch.send({ correlationId, stream, deadlineMs: -1000 });
    const error = (await batch.answerTo(correlationId)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.Timeout');
    await expect(countEvents(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    batch.call.cancel();
  });

  it('answers Timeout when a request is not finished in time, and goes on with others', async () => {
    const batch = new BatchCall(subject);
    const [late, other] = [randomUUID(), randomUUID()];
    const [stream, otherStream] = [uniqueStream(), uniqueStream()];
    batch.send({ correlationId: late, stream, deadlineMs: 300, isFinal: false });
    const error = (await batch.answerTo(late)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.Timeout');
    batch.send({ correlationId: late, isFinal: true });
    batch.send({ correlationId: other, stream: otherStream });
    expect((await batch.answerTo(other)).hasSuccess()).toBe(true);
    expect(batch.answersTo(late)).toHaveLength(1);
    await expect(countEvents(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    batch.call.cancel();
  });

  it('takes messages of 3 MiB, and what they hold together or refuses it with its limit, once', async () => {
    const batch = new BatchCall(subject);
    const [large, after] = [randomUUID(), randomUUID()];
    const stream = uniqueStream();
    batch.send({ correlationId: large, stream, events: 3, bytes: 1024 * 1024, isFinal: false });
    batch.send({ correlationId: large, events: 3, bytes: 1024 * 1024 });
    const answer = await batch.answerTo(large);
    const details = answer.getError()?.getDetails();
    if (answer.hasError()) {
      expect(details?.getTypeName()).toBe('event_store.client.MaximumAppendSizeExceeded');
      const limit = details!.unpack(
        (bytes) => sharedMessages.MaximumAppendSizeExceeded.deserializeBinary(bytes),
        'event_store.client.MaximumAppendSizeExceeded',
      );
      expect(limit?.getMaxappendsize()).toBe(1024 * 1024);
    } else expect(answer.getSuccess()?.getCurrentRevision()).toBe('5');
    const other = answer.hasError() ? stream : uniqueStream();
    batch.send({ correlationId: after, stream: other });
    expect((await batch.answerTo(after)).getSuccess()?.getCurrentRevision()).toBe('0');
    expect(batch.answersTo(large)).toHaveLength(1);
    batch.call.cancel();
  });

  it('repeats a structured correlation id in the same form', async () => {
    const batch = new BatchCall(subject);
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

  it('answers what is under way when the client ends, and ends well if it ends', async () => {
    const batch = new BatchCall(subject);
    const correlationId = randomUUID();
    let code: number | undefined;
    batch.call.on('status', (ended) => (code = ended.code));
    batch.send({ correlationId, stream: uniqueStream() });
    batch.call.end();
    expect((await batch.answerTo(correlationId)).hasSuccess()).toBe(true);
    // EventStoreDB 23.10 leaves the call open.
    expect([undefined, status.OK]).toContain(code);
    batch.call.cancel();
  });
});
