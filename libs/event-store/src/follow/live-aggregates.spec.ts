import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, Fault } from '#platform';
import { createCommandExecutor } from '../commands/command-executor.js';
import type { EventToAppend } from '../streams/event-store.js';
import { type LiveAggregates, openLiveAggregates } from './live-aggregates.js';
import { counter } from '../streams/spec-support/counter.js';
import { FollowedMemoryStore, settled } from './spec-support/followed-memory-store.js';
import { UndecodableEvent, type UndecodableItem } from '../streams/undecodable.js';

const STREAM = 'counter-a';
let store: FollowedMemoryStore;
let live: LiveAggregates;
let stop: AbortController;

beforeEach(async () => {
  store = new FollowedMemoryStore();
  store.appendNow('counter-before', 'any', [added(7)]);
  stop = new AbortController();
  live = await open();
});
afterEach(() => stop.abort());

function open(limits = { states: 100, bytes: 100_000, absent: 100 }): Promise<LiveAggregates> {
  const commands = createCommandExecutor(store, { cacheSize: 0 });
  const log = createLogger('spec', { level: 'silent' });
  return openLiveAggregates({
    ...{ store, commands, aggregates: [counter], limits, signal: stop.signal, log },
  });
}

const reads = () => store.calls.filter((call) => call.startsWith('read')).length;
const total = async (id = 'a') => (await live.get(counter, id)).state.total;

describe('a live aggregate', () => {
  it('is not read at the start, and followed from where the store ended', async () => {
    expect(reads()).toBe(0);
    expect(store.subscribedAfter).toEqual([await store.headPosition()]);
    expect(live.recall(counter, 'before')).toBeUndefined();
    expect(await total('before')).toBe(7);
    expect(live.recall(counter, 'before')?.state.total).toBe(7);
  });

  it('is read once by all who ask at once, and by none who ask later', async () => {
    store.add(STREAM, added(1));
    expect(await Promise.all([total(), total(), total()])).toEqual([1, 1, 1]);
    await total();
    expect(reads()).toBe(1);
  });

  it('goes on with the events that go by, whether the reading saw them or not', async () => {
    store.add(STREAM, added(1));
    await total();
    store.deliver();
    store.add(STREAM, added(2));
    store.deliver();
    await settled();
    expect(live.recall(counter, 'a')).toMatchObject({ state: { total: 3 }, revision: 1 });
    expect(reads()).toBe(1);
  });

  it('misses no event that goes by between the end of the reading and its being kept', async () => {
    store.add(STREAM, added(1));
    store.holdsReadings = true;
    const asked = total();
    await settled();
    store.add(STREAM, added(2));
    store.deliver();
    await settled();
    store.holdsReadings = false;
    store.release();
    expect(await asked).toBe(3);
    expect(live.recall(counter, 'a')?.state.total).toBe(3);
  });

  it('is read again after a gap', async () => {
    store.add(STREAM, added(1));
    await total();
    store.appendNow(STREAM, 'any', [added(2)]);
    store.add(STREAM, added(4));
    store.deliver();
    await settled();
    expect(live.recall(counter, 'a')).toBeUndefined();
    expect(await total()).toBe(7);
  });

  it('that does not exist is remembered as such, until it does', async () => {
    expect(await live.get(counter, 'a')).toMatchObject({ state: { total: 0 }, revision: -1 });
    await total();
    expect(reads()).toBe(1);
    store.add(STREAM, added(5));
    store.deliver();
    await settled();
    expect(live.recall(counter, 'a')?.state.total).toBe(5);
  });

  it('goes on after the subscription broke', async () => {
    await total();
    store.add(STREAM, added(1));
    store.deliver();
    await settled();
    store.breakOff();
    const position = store.add(STREAM, added(2)).position;
    store.deliver();
    await live.waitFor(position, 5_000);
    expect(live.recall(counter, 'a')?.state.total).toBe(3);
    expect(store.subscribedAfter).toHaveLength(2);
    expect(store.subscribedAfter[1]! > store.subscribedAfter[0]!).toBe(true);
  });

  it('is what the store has now where that is asked for, for all who ask later', async () => {
    await total();
    store.add(STREAM, added(6));
    expect(await total()).toBe(0);
    expect((await live.refresh(counter, 'a')).state.total).toBe(6);
    expect(await total()).toBe(6);
  });

  it('is not set back by a reading that began before another one', async () => {
    store.add(STREAM, added(1));
    store.holdsReadings = true;
    const older = total();
    await settled();
    store.add(STREAM, added(2));
    const newer = live.refresh(counter, 'a');
    await settled();
    store.release('last');
    await newer;
    store.release();
    await older;
    expect(live.recall(counter, 'a')?.state.total).toBe(3);
  });
});

describe('a store out of reach', () => {
  it('is a fault, and never an empty state', async () => {
    store.add(STREAM, added(1));
    store.fault = new Fault('unavailable', 'away', { retryable: true });
    await expect(total()).rejects.toThrow('away');
    expect(live.recall(counter, 'a')).toBeUndefined();
    store.fault = undefined;
    expect(await total()).toBe(1);
  });
});

describe('an event that this release cannot read', () => {
  it('leaves the state as the events before it tell, and all others go on', async () => {
    store.add(STREAM, added(1));
    await total();
    await total('b');
    unreadable();
    store.add(STREAM, added(2));
    store.add('counter-b', added(3));
    store.deliver();
    await settled();
    expect(live.recall(counter, 'a')).toMatchObject({ state: { total: 1 }, isFrozen: true });
    expect(live.recall(counter, 'b')?.state.total).toBe(3);
  });

  it('does so as well where the stream is first read after it', async () => {
    store.add(STREAM, added(1));
    const item = unreadable();
    const read = store.readStream.bind(store);
    store.readStream = async function* (name, options) {
      for await (const event of read(name, options)) {
        if (event.revision === item.revision) throw new UndecodableEvent(item);
        yield event;
      }
    };
    expect(await live.get(counter, 'a')).toMatchObject({ state: { total: 1 }, isFrozen: true });
    store.deliver();
    await settled();
    await live.get(counter, 'a');
    expect(live.recall(counter, 'a')).toMatchObject({ state: { total: 1 }, isFrozen: true });
  });

  function unreadable(): UndecodableItem {
    store.appendNow(STREAM, 'any', [added(99)]);
    const { id, type, streamName, revision, position } = store.events(STREAM).at(-1)!;
    const reason = 'unknown_type';
    const item = { undecodable: true, id, type, streamName, revision, position, reason } as const;
    store.publish(item);
    return item;
  }
});

describe('the cache', () => {
  it('lets go of what was asked for longest ago', async () => {
    live = await open({ states: 2, bytes: 100_000, absent: 2 });
    for (const id of ['a', 'b', 'c']) store.add(`counter-${id}`, added(1));
    for (const id of ['a', 'b', 'c']) await total(id);
    expect(['a', 'b', 'c'].map((id) => live.recall(counter, id)?.state.total)).toEqual([
      ...[undefined, 1, 1],
    ]);
  });

  it('is not filled by ids that were made up', async () => {
    live = await open({ states: 2, bytes: 100_000, absent: 2 });
    store.add(STREAM, added(1));
    await total();
    for (let made = 0; made < 10; made += 1) await total(`made-up-${made}`);
    expect(live.recall(counter, 'a')?.state.total).toBe(1);
    const remembered = Array.from({ length: 10 }, (_, made) =>
      live.recall(counter, `made-up-${made}`),
    );
    expect(remembered.filter((known) => known !== undefined)).toHaveLength(2);
  });

  it('takes new streams', async () => {
    for (const id of ['new', 'other']) store.add(`counter-${id}`, added(1));
    store.deliver();
    await settled();
    expect(live.recall(counter, 'new')?.state.total).toBe(1);
  });

  it('goes on with a new stream that was asked for meanwhile', async () => {
    live = await open();
    store.add(STREAM, added(1));
    store.deliver();
    await settled();
    expect(await total()).toBe(1);
    store.add(STREAM, added(2));
    store.deliver();
    await settled();
    expect([await total(), reads()]).toEqual([3, 0]);
  });

  it('is bounded in bytes', async () => {
    live = await open({ states: 100, bytes: 80, absent: 2 });
    for (const id of ['a', 'b', 'c']) store.add(`counter-${id}`, added(1));
    for (const id of ['a', 'b', 'c']) await total(id);
    expect(live.recall(counter, 'a')).toBeUndefined();
    expect(live.recall(counter, 'c')?.state.total).toBe(1);
  });

  it('asks the store for a few streams at once, and refuses what would wait too long', async () => {
    store.holdsReadings = true;
    const asked = Array.from({ length: 2_040 }, (_, id) => total(`many-${id}`));
    const outcomes = Promise.allSettled(asked);
    await settled();
    expect(reads()).toBe(32);
    store.holdsReadings = false;
    while (store.release());
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(8);
    await expect(total('many-0')).resolves.toBe(0);
  });
});

describe('a change', () => {
  it('is announced with its streams, in memory or not', async () => {
    const seen: string[][] = [];
    const end = live.onChange((streamNames) => seen.push([...streamNames]));
    store.add(STREAM, added(1));
    store.add('counter-b', added(1));
    store.deliver();
    await settled();
    end();
    store.add(STREAM, added(1));
    store.deliver();
    await settled();
    expect(seen).toEqual([['counter-a', 'counter-b']]);
  });
});

function added(amount: number): EventToAppend {
  const metadata = {
    ...{ $correlationId: 'c', actor: 'app', appId: 'app_1', environment: 'test' as const },
    occurredAt: '2026-01-31T10:00:00.000Z',
  };
  return { id: randomUUID(), type: 'counter.added.v1', data: { amount }, metadata };
}
