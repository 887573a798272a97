import { describe, expect, it } from 'vitest';
import {
  END,
  ErrorType,
  START,
  streamNameFilter,
  type Filter,
  type Position,
} from '@eventstore/db-client';
import { eventually } from '../../support/eventually.js';
import { events, listRevisions, useSubject, take, uniqueStream } from './subject.js';
import { appendTo, followAll as follow, SubscriptionLog } from './subscription-log.js';

const subject = useSubject();

const followAll = (
  filter: (log: () => SubscriptionLog) => Filter,
  fromPosition: Position | 'end',
): SubscriptionLog => follow(subject.client, filter, fromPosition);

const append = async (stream: string, count: number, type?: string): Promise<Position> =>
  appendTo(subject.client, stream, count, type);

describe('a subscription to a stream', () => {
  it('confirms, catches up, announces that, and goes on with new events', async () => {
    const stream = uniqueStream();
    await append(stream, 2);
    const log = new SubscriptionLog(subject.client.subscribeToStream(stream));
    await log.has('caught up');
    await append(stream, 1);
    await log.has('followed.v1 2');
    expect(log.lines).toEqual([
      'confirmed',
      'followed.v1 0',
      'followed.v1 1',
      'caught up',
      'followed.v1 2',
    ]);
    await log.subscription.unsubscribe();
  });

  it('from a revision begins after it', async () => {
    const stream = uniqueStream();
    await append(stream, 4);
    const found = await take(subject.client.subscribeToStream(stream, { fromRevision: 1n }), 2);
    expect(listRevisions(found)).toEqual([2, 3]);
  });

  it('from the end brings new events only', async () => {
    const stream = uniqueStream();
    await append(stream, 3);
    const log = new SubscriptionLog(
      subject.client.subscribeToStream(stream, { fromRevision: END }),
    );
    await log.has('caught up');
    await append(stream, 1);
    await log.has('followed.v1 3');
    expect(log.lines).toEqual(['confirmed', 'caught up', 'followed.v1 3']);
    await log.subscription.unsubscribe();
  });

  it('waits for a stream that does not exist yet', async () => {
    const stream = uniqueStream();
    const log = new SubscriptionLog(subject.client.subscribeToStream(stream));
    await log.has('confirmed');
    await append(stream, 1);
    await log.has('followed.v1 0');
    // EventStoreDB 23.10 says that it is live only after the first event.
    await log.has('caught up');
    expect([...log.lines].sort()).toEqual(['caught up', 'confirmed', 'followed.v1 0']);
    await log.subscription.unsubscribe();
  });

  it('from beyond the end waits for what comes after', async () => {
    const stream = uniqueStream();
    await append(stream, 1);
    const log = new SubscriptionLog(subject.client.subscribeToStream(stream, { fromRevision: 2n }));
    await log.has('caught up');
    await append(stream, 3);
    await log.has('followed.v1 3');
    expect(log.lines.filter((line) => line.startsWith('followed'))).toEqual(['followed.v1 3']);
    await log.subscription.unsubscribe();
  });

  it('delivers the tombstone of its stream, then fails', async () => {
    const stream = uniqueStream();
    await append(stream, 1);
    const log = new SubscriptionLog(subject.client.subscribeToStream(stream));
    await log.has('caught up');
    await subject.client.tombstoneStream(stream);
    await eventually(() => log.error !== undefined);
    expect(log.lines.at(-1)).toBe('$streamDeleted 9223372036854775807');
    expect(log.error).toMatchObject({ type: ErrorType.STREAM_DELETED, streamName: stream });
  });

  it('goes on after a soft delete, with the next events', async () => {
    const stream = uniqueStream();
    await append(stream, 2);
    const log = new SubscriptionLog(subject.client.subscribeToStream(stream));
    await log.has('caught up');
    await subject.client.deleteStream(stream);
    await append(stream, 1);
    await log.has('followed.v1 2');
    expect(log.error).toBeUndefined();
    await log.subscription.unsubscribe();
  });

  it('catches up on what truncation leaves', async () => {
    const stream = uniqueStream();
    await append(stream, 5);
    await subject.client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(listRevisions(await take(subject.client.subscribeToStream(stream), 2))).toEqual([3, 4]);
  });

  it('has no gap and no duplicate while others append', async () => {
    const stream = uniqueStream();
    const total = 600;
    const writers = Array.from({ length: 6 }, async () => {
      for (let n = 0; n < total / 6 / 5; n += 1) {
        await subject.client.appendToStream(stream, events(5));
      }
    });
    const found = await take(subject.client.subscribeToStream(stream), total);
    await Promise.all(writers);
    expect(listRevisions(found)).toEqual(Array.from({ length: total }, (_, n) => n));
  });
});

describe('a subscription to $all', () => {
  it('from a position begins after it', async () => {
    const stream = uniqueStream();
    const first = await append(stream, 1);
    await append(stream, 1);
    const filter = streamNameFilter({ prefixes: [stream] });
    const [found] = await take(subject.client.subscribeToAll({ fromPosition: first, filter }), 1);
    expect(found?.event?.revision).toBe(1n);
  });

  it('from the end brings new events only', async () => {
    const stream = uniqueStream();
    await append(stream, 2);
    const log = followAll(() => streamNameFilter({ prefixes: [stream] }), 'end');
    await log.has('caught up');
    await append(stream, 1);
    await log.has('followed.v1 2');
    expect(log.lines.filter((line) => line.startsWith('followed'))).toEqual(['followed.v1 2']);
    await log.subscription.unsubscribe();
  });

  it('shows what truncation and soft deletes hide from readers of the stream', async () => {
    const stream = uniqueStream();
    const before = await append(uniqueStream(), 1);
    await append(stream, 3);
    await subject.client.setStreamMetadata(stream, { maxCount: 1 });
    await subject.client.deleteStream(stream);
    const filter = streamNameFilter({ prefixes: [stream] });
    const all = subject.client.subscribeToAll({ fromPosition: before, filter });
    expect(listRevisions(await take(all, 3))).toEqual([0, 1, 2]);
  });

  it('without a filter brings every event once, in order, while others append', async () => {
    const stream = uniqueStream();
    const from = await append(uniqueStream(), 1);
    const writers = Array.from({ length: 5 }, async () => {
      for (let n = 0; n < 20; n += 1) await subject.client.appendToStream(stream, events(3));
    });
    const seen: bigint[] = [];
    let ofStream = 0;
    for await (const { event: found } of subject.client.subscribeToAll({ fromPosition: from })) {
      seen.push(found!.position.commit);
      if (found!.streamId === stream) ofStream += 1;
      if (ofStream === 300) break;
    }
    await Promise.all(writers);
    expect(seen.every((position, at) => at === 0 || position > seen[at - 1]!)).toBe(true);
  });
});

it('start is the default of a subscription', async () => {
  const stream = uniqueStream();
  await append(stream, 1);
  const subscription = subject.client.subscribeToStream(stream, { fromRevision: START });
  expect(listRevisions(await take(subscription, 1))).toEqual([0]);
});
