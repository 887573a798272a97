import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import type { RecordedEvent } from '#domain/event';
import { createLogger } from '#platform';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { announceWaits, AwaitedPositions, listenForWaits } from './awaited-positions.js';
import type { Projection } from './define/index.js';
import { openReadModel } from './keys.js';
import { Leases } from './leases/leases.js';
import { ProjectedPartition } from './projected-partition.js';
import { ProjectionFeed } from './projection-feed.js';
import { connectForListening } from './redis.js';

const LEDGER = { layoutId: 'store-1', partitions: 3 };
const BUSY = 0;
const at = (position: number) => String(position).padStart(20, '0');
/** Of a stream whose bucket lies in the first partition. */
const event = (revision: number) =>
  ({
    ...{ type: 'visit.noted.v1', streamName: 'visit-vis_01mfxp3z80002cv3h0jcxcm9pwa0' },
    ...{ id: `event-${revision}`, data: {}, revision, position: at(revision + 1) },
  }) as unknown as RecordedEvent;

const visits: Projection<number> = {
  name: 'visits',
  version: 1,
  categories: ['visit'],
  eventTypes: ['visit.noted.v1'],
  documents: { of: 'stream' },
  initialState: 0,
  project: (before) => before + 1,
  indexes: () => [],
  queries: () => ({}),
};

describe('a connection that listens', () => {
  it('waits for its first subscription for as long as Redis takes', () => {
    const redis = connectForListening('redis://127.0.0.1:1');
    // The library would give it up after some attempts, and subscribes again only what was subscribed.
    expect(redis.options).toMatchObject({ maxRetriesPerRequest: null });
    redis.disconnect();
  });
});

describe('partitions in which nothing happens', () => {
  let server: RunningRedis;
  let redis: Redis;
  let awaited: AwaitedPositions;

  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    awaited = new AwaitedPositions();
  });

  afterEach(async () => {
    redis.disconnect();
    await server.stop();
  });

  async function open() {
    const readModel = openReadModel('visits.1.abc', LEDGER);
    const leases = new Leases({ redis, keys: readModel.leases, holder: 'a', lastsMs: 60_000 });
    const partitions = await Promise.all(
      readModel.partitions.map(async (keys) => {
        const lease = await leases.acquire(keys.number);
        if (lease === undefined) throw new Error('there are free partitions');
        const options = { projection: visits, keys, fence: lease.fence, cachedDocuments: 10 };
        const partition = new ProjectedPartition(redis, options);
        await partition.load();
        await partition.build(LEDGER.layoutId);
        return partition;
      }),
    );
    const log = createLogger('test', { level: 'silent' });
    const feed = new ProjectionFeed({ redis, count: 3, log, awaited }, partitions);
    await feed.open();
    const read = () => partitions.map(({ position }) => position);
    return { feed, read };
  }

  it('are not written with every batch, and at once where a reader waits', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout'] });
    try {
      const { feed, read } = await open();
      await feed.apply([event(0)], at(1));
      await feed.apply([event(1)], at(2));
      expect(read()).toEqual([at(2), '', '']);
      expect(feed.watermark).toBe(at(2));
      expect(feed.hasAwaitedMoves).toBe(false);
      awaited.note(new Map([[1, at(2)]]));
      expect(feed.hasAwaitedMoves).toBe(true);
      await feed.moveAwaited();
      expect(read()).toEqual([at(2), at(2), '']);
      expect(feed.hasAwaitedMoves).toBe(false);

      // The wait has ended, or its reader has: a projector forgets it.
      await feed.apply([event(2)], at(3));
      awaited.note(new Map([[1, at(9)]]));
      expect(feed.hasAwaitedMoves).toBe(true);
      // A wait beside it, for what is there, does not keep it alive.
      jest.advanceTimersByTime(600);
      awaited.note(new Map([[1, at(2)]]));
      jest.advanceTimersByTime(600);
      expect(feed.hasAwaitedMoves).toBe(false);

      // In their time they move anyway.
      await feed.apply([event(3)], at(4));
      expect(read()).toEqual([at(4), at(4), at(4)]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are heard of by all who listen, also after Redis was away', async () => {
    const other = new AwaitedPositions();
    const ends = [awaited, other].map((each) => listenForWaits(server.url, 'store-1', each));
    const foreign = new AwaitedPositions();
    ends.push(listenForWaits(server.url, 'store-2', foreign));
    const heard = async (partition: number) => {
      while (awaited.find(partition) === '' || other.find(partition) === '') {
        await announceWaits(redis, 'store-1', new Map([[partition, at(7)]])).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await heard(BUSY);
    // What it does not understand is no reason to end.
    await redis.publish('sl:store-1:projector:awaited', 'another form');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await heard(1);
    expect(awaited.find(1)).toBe(at(7));
    expect(foreign.find(1)).toBe('');
    for (const end of ends) end();
  });
});
