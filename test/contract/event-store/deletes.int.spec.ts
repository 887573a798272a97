import { describe, expect, it } from 'vitest';
import {
  ANY,
  BACKWARDS,
  END,
  ErrorType,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  WrongExpectedVersionError,
  jsonEvent,
  type JSONType,
} from '@eventstore/db-client';
import { eventually } from '../../support/eventually.js';
import {
  collect,
  event,
  events,
  olderCall,
  ofStream,
  listRevisions,
  useSubject,
  uniqueStream,
} from './subject.js';

const subject = useSubject();

async function createStream(count: number): Promise<string> {
  const stream = uniqueStream();
  await subject.client.appendToStream(stream, events(count));
  return stream;
}

async function read(stream: string): Promise<number[]> {
  return listRevisions(await collect(subject.client.readStream(stream)));
}

/** The metadata as it is stored, byte by byte. */
async function rawMetadata(stream: string): Promise<unknown[]> {
  const all = await collect(
    subject.client.readStream(`$$${stream}`, { direction: BACKWARDS, fromRevision: END }),
  );
  return all.map((resolved) => resolved.event?.data);
}

const NOT_FOUND = { type: ErrorType.STREAM_NOT_FOUND };

describe('a soft delete', () => {
  it('hides the stream, and leaves its events in $all', async () => {
    const stream = await createStream(2);
    const { position } = await subject.client.deleteStream(stream);
    await expect(read(stream)).rejects.toMatchObject(NOT_FOUND);
    const backwards = subject.client.readAll({
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 500,
    });
    expect(ofStream(await collect(backwards), stream)).toHaveLength(2);
    expect(position?.commit).toBeGreaterThan(0n);
  });

  it.each([
    ['any', ANY, true],
    ['the exact revision', 1n, true],
    ['another revision', 5n, false],
    ['no_stream', NO_STREAM, false],
  ] as const)('at %s', async (_rule, expectedRevision, isAccepted) => {
    const stream = await createStream(2);
    const deleted = subject.client.deleteStream(stream, { expectedRevision });
    if (isAccepted) {
      await deleted;
      await expect(read(stream)).rejects.toMatchObject(NOT_FOUND);
    } else {
      const error = await deleted.then(
        () => undefined,
        (refusal: unknown) => refusal as WrongExpectedVersionError,
      );
      expect(error).toBeInstanceOf(WrongExpectedVersionError);
      expect(error).toMatchObject({ streamName: stream, actualVersion: 1n });
      const expected = expectedRevision === NO_STREAM ? -1 : expectedRevision;
      expect(error?.message).toContain(
        `Delete failed due to WrongExpectedVersion. Stream: ${stream}, ` +
          `Expected version: ${expected}, Actual version: 1`,
      );
      expect(await read(stream)).toEqual([0, 1]);
    }
  });

  it('of a stream that never was is refused', async () => {
    await expect(subject.client.deleteStream(uniqueStream())).rejects.toBeInstanceOf(
      WrongExpectedVersionError,
    );
  });

  it.each([
    ['any', ANY],
    ['no_stream', NO_STREAM],
    ['the last revision', 2n],
  ] as const)('is undone by an append at %s; revisions go on', async (_rule, expectedRevision) => {
    const stream = await createStream(3);
    await subject.client.deleteStream(stream);
    const appended = await subject.client.appendToStream(stream, events(2), { expectedRevision });
    expect(appended.nextExpectedRevision).toBe(4n);
    expect(await read(stream)).toEqual([3, 4]);
    expect((await subject.client.getStreamMetadata(stream)).metadata).toEqual({
      truncateBefore: 3,
    });
  });

  it('is not undone by an append at stream_exists or at a passed revision', async () => {
    const stream = await createStream(3);
    await subject.client.deleteStream(stream);
    await expect(
      subject.client.appendToStream(stream, [event()], { expectedRevision: STREAM_EXISTS }),
    ).rejects.toBeInstanceOf(StreamDeletedError);
    await expect(
      subject.client.appendToStream(stream, [event()], { expectedRevision: 1n }),
    ).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(read(stream)).rejects.toMatchObject(NOT_FOUND);
  });

  it('replaces other metadata; metadata written afterwards brings the stream back, empty', async () => {
    const stream = await createStream(2);
    await subject.client.setStreamMetadata(stream, { maxCount: 10, owner: 'me' });
    await subject.client.deleteStream(stream);
    await subject.client.setStreamMetadata(stream, { owner: 'you' });
    expect((await subject.client.getStreamMetadata(stream)).metadata).toEqual({
      owner: 'you',
      truncateBefore: 2,
    });
    expect(await read(stream)).toEqual([]);
    await subject.client.appendToStream(stream, [event()]);
    expect(await read(stream)).toEqual([2]);
  });

  it('can be repeated', async () => {
    const stream = await createStream(1);
    await subject.client.deleteStream(stream);
    await subject.client.appendToStream(stream, [event()]);
    await subject.client.deleteStream(stream);
    await expect(read(stream)).rejects.toMatchObject(NOT_FOUND);
    await subject.client.appendToStream(stream, [event()]);
    expect(await read(stream)).toEqual([2]);
  });
});

describe('a tombstone', () => {
  it('ends a stream for ever', async () => {
    const stream = await createStream(1);
    await subject.client.tombstoneStream(stream);
    const deleted = { type: ErrorType.STREAM_DELETED, streamName: stream };
    await expect(read(stream)).rejects.toMatchObject(deleted);
    await expect(subject.client.appendToStream(stream, [event()])).rejects.toMatchObject(deleted);
    await expect(subject.client.deleteStream(stream)).rejects.toMatchObject(deleted);
    await expect(subject.client.tombstoneStream(stream)).rejects.toMatchObject(deleted);
    await expect(
      subject.client.appendToStream(stream, [event()], olderCall(subject)),
    ).rejects.toMatchObject(deleted);
    let error: unknown;
    subject.client.subscribeToStream(stream).on('error', (failure: unknown) => (error = failure));
    await eventually(() => error !== undefined);
    expect(error).toMatchObject(deleted);
  });

  it('ends the metadata of its stream, too, under its own name', async () => {
    const stream = await createStream(1);
    await subject.client.setStreamMetadata(stream, { owner: 'me' });
    await subject.client.tombstoneStream(stream);
    const deleted = { type: ErrorType.STREAM_DELETED, streamName: `$$${stream}` };
    await expect(rawMetadata(stream)).rejects.toMatchObject(deleted);
    // A node that has the metadata's last revision in memory takes an append there; nothing ever reads it.
    await subject.client.setStreamMetadata(stream, { owner: 'you' }).catch(() => undefined);
    await expect(rawMetadata(stream)).rejects.toMatchObject(deleted);
    await expect(read(`$$${stream}`)).rejects.toMatchObject(deleted);
  });

  it('can be set on a stream that never was', async () => {
    const stream = uniqueStream();
    await subject.client.tombstoneStream(stream, { expectedRevision: NO_STREAM });
    await expect(read(stream)).rejects.toMatchObject({ type: ErrorType.STREAM_DELETED });
  });

  it('checks the expected revision', async () => {
    const stream = await createStream(2);
    await expect(
      subject.client.tombstoneStream(stream, { expectedRevision: 0n }),
    ).rejects.toMatchObject({ type: ErrorType.WRONG_EXPECTED_VERSION, expectedVersion: 0n });
    expect(await read(stream)).toEqual([0, 1]);
  });

  it('is an event of $all at the largest revision', async () => {
    const stream = await createStream(1);
    const { position } = await subject.client.tombstoneStream(stream);
    const [found] = await collect(subject.client.readAll({ fromPosition: position!, maxCount: 1 }));
    expect(found?.event).toMatchObject({
      streamId: stream,
      type: '$streamDeleted',
      revision: 9223372036854775807n,
    });
  });
});

describe('stream metadata', () => {
  it('is kept whole, custom keys and access list included', async () => {
    const stream = await createStream(1);
    const metadata = { maxCount: 5, acl: { readRoles: ['admins'] }, owner: 'me' };
    await subject.client.setStreamMetadata(stream, metadata);
    const found = await subject.client.getStreamMetadata(stream);
    expect(found.metadata).toMatchObject({ maxCount: 5, owner: 'me' });
    expect(JSON.stringify(await rawMetadata(stream))).toContain('"$acl":{"$r"');
  });

  it('checks the expected revision of the metadata', async () => {
    const stream = uniqueStream();
    await subject.client.setStreamMetadata(stream, { a: 1 }, { expectedRevision: NO_STREAM });
    await expect(
      subject.client.setStreamMetadata(stream, { a: 2 }, { expectedRevision: NO_STREAM }),
    ).rejects.toBeInstanceOf(WrongExpectedVersionError);
    expect((await subject.client.getStreamMetadata(stream)).metadata).toEqual({ a: 1 });
  });

  it('$maxCount leaves the last events', async () => {
    const stream = await createStream(5);
    await subject.client.setStreamMetadata(stream, { maxCount: 2 });
    expect(await read(stream)).toEqual([3, 4]);
    const backwards = subject.client.readStream(stream, {
      direction: BACKWARDS,
      fromRevision: END,
    });
    expect(listRevisions(await collect(backwards))).toEqual([4, 3]);
    await subject.client.appendToStream(stream, [event()]);
    expect(await read(stream)).toEqual([4, 5]);
  });

  it('$tb leaves what is not before it; with all cut the stream is empty, not missing', async () => {
    const stream = await createStream(4);
    await subject.client.setStreamMetadata(stream, { truncateBefore: 2 });
    expect(await read(stream)).toEqual([2, 3]);
    await subject.client.setStreamMetadata(stream, { truncateBefore: 4 });
    expect(await read(stream)).toEqual([]);
    await subject.client.appendToStream(stream, [event()], { expectedRevision: 3n });
    expect(await read(stream)).toEqual([4]);
  });

  it('$maxAge hides what is older', async () => {
    const stream = await createStream(2);
    await subject.client.setStreamMetadata(stream, { maxAge: 1 });
    await eventually(async () => (await read(stream)).length === 0);
    await subject.client.appendToStream(stream, [event()]);
    expect(await read(stream)).toEqual([2]);
  });

  it.each([
    ['text that is not JSON', 'nonsense'],
    ['a negative count', { $maxCount: -1 }],
    ['a list', [1, 2]],
  ] as [string, JSONType][])('that is not valid counts as none: %s', async (_what, data) => {
    const stream = await createStream(3);
    const metadata = jsonEvent({ type: '$metadata', data });
    await subject.client.appendToStream(`$$${stream}`, [metadata]);
    expect(await read(stream)).toEqual([0, 1, 2]);
  });

  it('of metadata: a metastream shows its latest event only', async () => {
    const stream = await createStream(1);
    await subject.client.setStreamMetadata(stream, { a: 1 });
    await subject.client.setStreamMetadata(stream, { a: 2 });
    expect(await rawMetadata(stream)).toEqual([{ a: 2 }]);
  });
});
