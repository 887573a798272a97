import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventStore, type FeedItem, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { added, collect, RestartableStore } from './support.js';

let server: RestartableStore;
let store: EventStore;

beforeAll(async () => {
  server = await RestartableStore.start();
  store = connectEventStore(server.connectionString, {
    knownTypes: ['counter.added.v1', 'app.renamed.v2'],
    upcasters: [
      {
        from: 'app.renamed.v1',
        to: 'app.renamed.v2',
        upcast: (data) => ({ ...(data as object), title: 'none' }),
      },
    ],
  });
  await store.append('read-1', 'no_stream', [added(0), added(1), added(2), added(3)]);
});
afterAll(async () => {
  await store.dispose();
  await server.remove();
});

async function amounts(...args: Parameters<EventStore['readStream']>): Promise<unknown[]> {
  const events = await collect(store.readStream(...args));
  return events.map(({ data }) => (data as { amount: number }).amount);
}

describe('reading a stream', () => {
  it('gives its events whole', async () => {
    const [event] = await collect(store.readStream('read-1'));
    expect(event).toMatchObject({
      type: 'counter.added.v1',
      data: { amount: 0 },
      streamName: 'read-1',
      revision: 0,
      metadata: added().metadata,
    });
  });

  it('goes forwards from a revision and backwards from the end, up to a number', async () => {
    expect(await amounts('read-1')).toEqual([0, 1, 2, 3]);
    expect(await amounts('read-1', { fromRevision: 2 })).toEqual([2, 3]);
    expect(await amounts('read-1', { fromRevision: 1, maxCount: 2 })).toEqual([1, 2]);
    expect(await amounts('read-1', { fromRevision: 9 })).toEqual([]);
    expect(await amounts('read-1', { backwards: true })).toEqual([3, 2, 1, 0]);
    expect(await amounts('read-1', { backwards: true, fromRevision: 1 })).toEqual([1, 0]);
  });

  it('gives nothing when there is none', async () => {
    expect(await amounts('read-none')).toEqual([]);
    expect(await store.headRevision('read-none')).toBe(-1);
    expect(await store.headRevision('read-1')).toBe(3);
  });

  it.each([
    ['a stream that is not there', 1500, () => amounts('read-none')],
    ['the head of one', 1500, () => store.headRevision('read-1')],
  ])('keeps its connection, however often it reads %s', async (_, times, read) => {
    // So many cancelled calls would end it: Node counts the frames that come too late.
    let left = times;
    const reader = async () => {
      for (; left > 0; left -= 1) await read();
    };
    await Promise.all(Array.from({ length: 64 }, reader));
  });

  it('can be left half-way, often', async () => {
    for (let time = 0; time < 300; time += 1) {
      for await (const event of store.readStream('read-1')) {
        expect(event.revision).toBe(0);
        break;
      }
    }
    expect(await amounts('read-1')).toEqual([0, 1, 2, 3]);
  });
});

describe('the time of a position', () => {
  it('is when the event there was written, or the first one behind it', async () => {
    const before = Date.now();
    const { position } = await store.append('read-timed', 'no_stream', [added()]);
    const written = Date.parse((await store.findTime(position)) ?? '');
    expect(written).toBeGreaterThanOrEqual(before);
    expect(written).toBeLessThanOrEqual(Date.now());
    expect(await store.findTime(before.toString().padStart(20, '9'))).toBeUndefined();
    const earliest = Date.parse((await store.findTime(START)) ?? '');
    expect(earliest).toBeLessThanOrEqual(written);
  });

  it('behind it is that of the next event, and there is none behind the last one', async () => {
    const { position } = await store.append('read-timed-after', 'no_stream', [added()]);
    expect(await store.findTimeAfter(position)).toBeUndefined();
    const next = await store.append('read-timed-after', 0, [added()]);
    expect(await store.findTimeAfter(position)).toBe(await store.findTime(next.position));
    expect(await store.findTimeAfter(START)).toBe(await store.findTime(START));
  });
});

describe('a namespace', () => {
  const connect = (namespace: string) => connectEventStore(server.connectionString, { namespace });

  it('is opened once, also by callers that ask at the same time', async () => {
    const [one, other] = [connect('shared'), connect('shared')];
    const identities = await Promise.all([
      one.namespaces.open(16),
      other.namespaces.open(4),
      one.namespaces.open(16),
    ]);
    expect(new Set(identities.map(({ storeId }) => storeId)).size).toBe(1);
    expect(await other.namespaces.require()).toEqual(identities[0]);
    await Promise.all([one.dispose(), other.dispose()]);
  });

  it('is divided anew, and remembers how it was divided before', async () => {
    const store = connect('divided');
    const opened = await store.namespaces.open(4);
    expect(opened).toMatchObject({ partitions: 4, before: null });
    const divided = await store.namespaces.repartition(16);
    const { layoutId, partitions, storeId } = opened;
    expect(divided).toMatchObject({ storeId, partitions: 16, before: { layoutId, partitions } });
    expect(await store.namespaces.repartition(16)).toEqual(divided);
    expect(await store.namespaces.open(1)).toEqual(divided);
    const back = await store.namespaces.repartition(4);
    expect(new Set([layoutId, divided.layoutId, back.layoutId]).size).toBe(3);
    const strange = connect('never_opened');
    await expect(strange.namespaces.repartition(4)).rejects.toMatchObject({ code: 'refused' });
    await Promise.all([store, strange].map((each) => each.dispose()));
  });

  it('is divided anew when its store was restored, as no ledger of the lost time was', async () => {
    const [store, other] = [connect('back'), connect('back_beside')];
    const opened = await store.namespaces.open(4);
    const beside = await other.namespaces.open(2);
    const restored = await store.namespaces.noteRestore();
    const { layoutId, partitions, storeId } = opened;
    expect(restored).toMatchObject({ storeId, partitions, before: { layoutId, partitions } });
    expect((await other.namespaces.require()).before?.layoutId).toBe(beside.layoutId);
    // In the lost time it may have been divided anew, too.
    expect(restored.layoutId).toMatch(/\.1r[0-9a-f]{8}$/);
    const divided = await store.namespaces.repartition(8);
    expect(divided.layoutId).toBe(restored.layoutId.replace('.1r', '.2r'));
    expect(divided.before).toMatchObject({ layoutId: restored.layoutId, before: { layoutId } });
    const again = await store.namespaces.noteRestore();
    expect(again.layoutId).not.toContain(restored.layoutId.slice(-8));
    expect(await store.namespaces.open(1)).toEqual(again);
    await Promise.all([store, other].map((each) => each.dispose()));
  });

  it('that was not opened is refused, with a list of those that were', async () => {
    const [first, second, strange] = [connect('first'), connect('second'), connect('strange')];
    // Two different ones, at the same time: each is there afterwards.
    await Promise.all([first.namespaces.open(1), second.namespaces.open(64)]);
    await expect(strange.namespaces.require()).rejects.toMatchObject({
      code: 'refused',
      retryable: false,
      message: expect.stringMatching(/"strange" has not been opened.*first, second/) as unknown,
    });
    expect(await strange.namespaces.list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ namespace: 'first', partitions: 1 }),
        expect.objectContaining({ namespace: 'second', partitions: 64 }),
      ]),
    );
    await Promise.all([first, second, strange].map((each) => each.dispose()));
  });

  it('sees nothing of another one in the same store', async () => {
    const [mine, others] = [connect('mine'), connect('others')];
    await mine.append('counter-shared', 'no_stream', [added(1)]);
    const { position } = await others.append('counter-shared', 'no_stream', [added(2)]);
    expect(await collect(mine.readStream('counter-shared'))).toMatchObject([
      { data: { amount: 1 } },
    ]);
    const isRead = new AbortController();
    const seen: FeedItem[] = [];
    const batches = mine.subscribe({
      ...{ after: START, categories: ['counter'], batchSize: 10, tellsEveryPosition: true },
      signal: isRead.signal,
    });
    for await (const { events, upTo } of batches) {
      seen.push(...events);
      if (upTo >= position) isRead.abort();
    }
    expect(seen).toMatchObject([{ streamName: 'counter-shared', data: { amount: 1 } }]);
    await Promise.all([mine.dispose(), others.dispose()]);
  });
});
