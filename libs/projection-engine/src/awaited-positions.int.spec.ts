import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { announceWaits, AwaitedPositions, listenForWaits } from './awaited-positions.js';
import { connectForListening } from './redis.js';
import { at, countVisits, openFeed, visitNoted } from './spec-support/visits.js';

const BUSY = 0;
/** Of a stream whose bucket lies in the first partition. */
const event = (revision: number) => visitNoted('visit-vis_01mfxp3z80002cv3h0jcxcm9pwa0', revision);
const visits = countVisits((before) => before + 1);

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
    const { feed, partitions } = await openFeed(redis, { projection: visits, count: 3, awaited });
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
