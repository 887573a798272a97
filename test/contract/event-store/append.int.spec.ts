import { describe, expect, it } from 'vitest';
import {
  ANY,
  binaryEvent,
  BACKWARDS,
  END,
  ErrorType,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
  type AppendExpectedRevision,
  type AppendResult,
  type EventData,
} from '@eventstore/db-client';
import {
  collect,
  event,
  events,
  olderCall,
  listRevisions,
  useSubject,
  uniqueStream,
} from './subject.js';

const subject = useSubject();

describe.each(['BatchAppend', 'Append'])('%s', (route) => {
  const append = async (
    stream: string,
    list: EventData[],
    expectedRevision: AppendExpectedRevision = ANY,
  ): Promise<AppendResult> =>
    subject.client.appendToStream(stream, list, {
      ...(route === 'Append' && olderCall(subject)),
      expectedRevision,
    });

  it('answers with the revision and the position of its last event', async () => {
    const stream = uniqueStream();
    const result = await append(stream, events(3));
    expect(result.success).toBe(true);
    expect(result.nextExpectedRevision).toBe(2n);
    const read = await collect(subject.client.readStream(stream));
    expect(listRevisions(read)).toEqual([0, 1, 2]);
    expect(read[2]?.event?.position).toEqual(result.position);
  });

  it('gives revisions without a gap, and positions that grow', async () => {
    const stream = uniqueStream();
    const first = await append(stream, events(2));
    const second = await append(stream, events(2));
    expect(second.nextExpectedRevision).toBe(3n);
    expect(second.position!.commit > first.position!.commit).toBe(true);
  });

  it.each([
    ['no_stream on a stream without events', NO_STREAM, 0, true],
    ['no_stream on a stream with events', NO_STREAM, 1, false],
    ['any on a stream without events', ANY, 0, true],
    ['any on a stream with events', ANY, 1, true],
    ['stream_exists on a stream without events', STREAM_EXISTS, 0, false],
    ['stream_exists on a stream with events', STREAM_EXISTS, 1, true],
    ['the exact revision', 1n, 2, true],
    ['a revision that is passed', 0n, 2, false],
    ['a revision that is not reached', 7n, 2, false],
    ['a revision on a stream without events', 0n, 0, false],
  ] as const)('at %s', async (_rule, expectedRevision, existing, isAccepted) => {
    const stream = uniqueStream();
    if (existing > 0) await append(stream, events(existing));
    const appended = append(stream, events(1), expectedRevision);
    if (isAccepted) {
      await expect(appended).resolves.toMatchObject({ nextExpectedRevision: BigInt(existing) });
    } else {
      const error = await appended.then(
        () => undefined,
        (refusal: unknown) => refusal as WrongExpectedVersionError,
      );
      expect(error).toBeInstanceOf(WrongExpectedVersionError);
      expect(error?.streamName).toBe(stream);
      expect(error?.expectedVersion).toBe(expectedRevision);
      expect(error?.actualVersion).toBe(existing === 0 ? 'no_stream' : BigInt(existing - 1));
    }
    const kept = existing + (isAccepted ? 1 : 0);
    if (kept > 0) expect(await collect(subject.client.readStream(stream))).toHaveLength(kept);
  });

  it('accepts stream_exists when only metadata exists', async () => {
    const stream = uniqueStream();
    await subject.client.setStreamMetadata(stream, { owner: 'me' });
    await expect(append(stream, events(1), STREAM_EXISTS)).resolves.toMatchObject({
      nextExpectedRevision: 0n,
    });
  });

  it('of no events succeeds and changes nothing', async () => {
    const stream = uniqueStream();
    await append(stream, []);
    await expect(collect(subject.client.readStream(stream))).rejects.toMatchObject({
      type: ErrorType.STREAM_NOT_FOUND,
    });
    await append(stream, events(2));
    await append(stream, [], 1n);
    expect(await collect(subject.client.readStream(stream))).toHaveLength(2);
  });

  it('repeated with the same ids and the same revision is answered as before', async () => {
    const stream = uniqueStream();
    await append(stream, events(1));
    const batch = events(3);
    const first = await append(stream, batch, 0n);
    await append(stream, events(1), 3n);
    const again = await append(stream, batch, 0n);
    expect(again.nextExpectedRevision).toBe(first.nextExpectedRevision);
    expect(again.position).toEqual(first.position);
    expect(await collect(subject.client.readStream(stream))).toHaveLength(5);
  });

  it('repeated at no_stream with the same ids is answered as before', async () => {
    const stream = uniqueStream();
    const batch = events(2);
    const first = await append(stream, batch, NO_STREAM);
    await expect(append(stream, batch, NO_STREAM)).resolves.toEqual(first);
  });

  it('repeated in part is answered as before, and beyond the known part refused', async () => {
    const stream = uniqueStream();
    const batch = events(3);
    await append(stream, batch, NO_STREAM);
    const part = await append(stream, batch.slice(0, 2), NO_STREAM);
    expect(part.nextExpectedRevision).toBe(1n);
    const beyond = append(stream, [...batch, event()], NO_STREAM);
    await expect(beyond).rejects.toBeInstanceOf(WrongExpectedVersionError);
    const mixed = append(stream, [batch[0]!, event()], NO_STREAM);
    await expect(mixed).rejects.toBeInstanceOf(WrongExpectedVersionError);
    expect(await collect(subject.client.readStream(stream))).toHaveLength(3);
  });

  it.each([
    ['any', ANY],
    ['stream_exists', STREAM_EXISTS],
  ] as const)(
    'repeated soon at %s with the same ids is answered as before',
    async (_, expected) => {
      const stream = uniqueStream();
      await append(stream, events(1));
      const batch = events(2);
      const first = await append(stream, batch, expected);
      await append(stream, events(1));
      const again = await append(stream, batch, expected);
      expect(again).toEqual(first);
      await expect(append(stream, [...batch, event()], expected)).rejects.toBeInstanceOf(
        WrongExpectedVersionError,
      );
      expect(await collect(subject.client.readStream(stream))).toHaveLength(4);
    },
  );

  it('accepts an id that another stream has', async () => {
    const one = event();
    await append(uniqueStream(), [one]);
    const other = uniqueStream();
    await expect(append(other, [one])).resolves.toMatchObject({ nextExpectedRevision: 0n });
    expect(await collect(subject.client.readStream(other))).toHaveLength(1);
  });

  it('of concurrent appends at one revision lets exactly one win', async () => {
    const stream = uniqueStream();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, async () => append(stream, events(2), NO_STREAM)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await collect(subject.client.readStream(stream))).toHaveLength(2);
  });

  it('keeps JSON, metadata, types and ids as they were', async () => {
    const stream = uniqueStream('straße-日本');
    const type = 'größe.geändert.v1';
    const sent = jsonEvent({ type, data: { text: 'ü€😀' }, metadata: { $correlationId: 'c' } });
    await append(stream, [sent]);
    const [read] = await collect(subject.client.readStream(stream));
    expect(read?.event).toMatchObject({
      streamId: stream,
      id: sent.id,
      type,
      isJson: true,
      data: { text: 'ü€😀' },
      metadata: { $correlationId: 'c' },
    });
    expect(Math.abs(Date.now() - read!.event!.created.getTime())).toBeLessThan(60_000);
  });

  it('keeps binary data byte by byte', async () => {
    const stream = uniqueStream();
    const data = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const metadata = Uint8Array.from([0, 255, 10, 0]);
    await append(stream, [binaryEvent({ type: 'bytes', data, metadata })]);
    const [read] = await collect(subject.client.readStream(stream));
    expect(read?.event?.isJson).toBe(false);
    expect(Buffer.from(read!.event!.data as Uint8Array)).toEqual(Buffer.from(data));
    expect(Buffer.from(read!.event!.metadata as Uint8Array)).toEqual(Buffer.from(metadata));
  });

  it('keeps empty data', async () => {
    const stream = uniqueStream();
    await append(stream, [binaryEvent({ type: 'nothing', data: new Uint8Array(0) })]);
    const [read] = await collect(subject.client.readStream(stream));
    expect((read!.event!.data as Uint8Array).length).toBe(0);
  });

  // EventStoreDB takes 1 MiB as it comes, and KurrentDB 26.1 256 MB, 16 of them in an event.
  it('refuses more than it takes at once and writes nothing, or takes it whole', async () => {
    const stream = uniqueStream();
    const large = (): EventData =>
      binaryEvent({ type: 'large', data: new Uint8Array(300 * 1024).fill(7) });
    const outcome = append(stream, [large(), large(), large(), large()]);
    const refusal = await outcome.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined) {
      expect(refusal).toBeInstanceOf(MaxAppendSizeExceededError);
      expect(refusal).toMatchObject({ maxAppendSize: 1024 * 1024 });
      await append(stream, [large(), large(), large()], NO_STREAM);
    }
    const count = refusal === undefined ? 4 : 3;
    expect(await collect(subject.client.readStream(stream))).toHaveLength(count);
  });

  it('can be read by others as soon as it is answered', async () => {
    const stream = uniqueStream();
    for (let revision = 0; revision < 20; revision += 1) {
      await append(stream, events(1));
      const read = subject.client.readStream(stream, {
        direction: BACKWARDS,
        fromRevision: END,
        maxCount: 1,
      });
      expect(listRevisions(await collect(read))).toEqual([revision]);
    }
  });
});
