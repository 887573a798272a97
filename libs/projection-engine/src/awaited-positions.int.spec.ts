import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { eventually } from '../../../test/support/eventually.js';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { announceWaits, AwaitedPositions, listenForWaits } from './awaited-positions.js';
import { at, countVisits, openFeed, visitNoted } from './spec-support/visits.js';

const BUSY = 0;
/** Of a stream whose bucket lies in the first partition. */
const event = (revision: number) => visitNoted('visit-vis_01mfxp3z80002cv3h0jcxcm9pwa0', revision);
const visits = countVisits((before) => before + 1);

describe('partitions in which nothing happens', () => {
  let server: RunningRedis;
  let redis: Redis;
  let awaited: AwaitedPositions;
  const ends: (() => void)[] = [];

  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    awaited = new AwaitedPositions();
  });

  afterEach(async () => {
    for (const end of ends.splice(0)) end();
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
    ends.push(...[awaited, other].map((each) => listenForWaits(server.url, 'store-1', each)));
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
  });

  it('are heard of again once Redis allows what it refused to a connection that came back', async () => {
    ends.push(listenForWaits(server.url, 'store-1', awaited));
    const heard = (partition: number) =>
      eventually(async () => {
        await announceWaits(redis, 'store-1', new Map([[partition, at(7)]]));
        return awaited.find(partition) !== '';
      });
    await heard(BUSY);
    await redis.call('ACL', 'SETUSER', 'default', '-subscribe');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    // A refusal that is not handled would fail this test, and end a projector.
    await eventually(async () => String(await redis.call('ACL', 'LOG')).includes('subscribe'));
    await redis.call('ACL', 'SETUSER', 'default', '+@all');
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
    await heard(1);
  });
});
