import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import { createLogger } from '#platform';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { AwaitedPositions } from './awaited-positions.js';
import { retryParkedStream } from './parked-retry.js';
import { ProjectionFeed } from './projection-feed.js';
import { at, countVisits, LAYOUT_ID, openFeed, visitNoted } from './spec-support/visits.js';

const silent = createLogger('test', { level: 'silent' });
const awaited = new AwaitedPositions();
const STREAM = 'visit-v1';
const event = (revision: number) => visitNoted(STREAM, revision);

let isMended = false;
/** Bears no second visit until it is mended. */
const visits = countVisits((before) => {
  if (before > 0 && !isMended) throw new Error('a mistake of ours');
  return before + 1;
});

describe('a parked stream that is tried again', () => {
  let server: RunningRedis;
  let redis: Redis;

  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    isMended = false;
  });

  afterEach(async () => {
    redis.disconnect();
    await server.stop();
  });

  async function open() {
    const { feed, partitions } = await openFeed(redis, { projection: visits, count: 1, awaited });
    const [partition] = partitions;
    if (partition === undefined) throw new Error('there is one partition');
    return { feed, partition };
  }

  it('has what went by while its partition had nothing to write', async () => {
    const { feed, partition } = await open();
    const events: RecordedEvent[] = [];
    const take = async () => {
      const next = event(events.length);
      events.push(next);
      await feed.apply([next], next.position);
    };
    const store = {
      readStream: async function* (_: string, { fromRevision = 0 } = {}) {
        yield* events.slice(fromRevision);
      },
    };
    await take();
    await take();
    // Until the checkpoint does not say yet that the last event has gone by: it is moved seldom.
    do await take();
    while (feed.watermark === partition.position);
    const [stream] = partition.parked.list;
    expect(stream).toMatchObject({ streamName: STREAM, revision: 1 });
    expect(await retryParkedStream(store, feed, partition, stream!)).toBe(false);

    isMended = true;
    expect(await retryParkedStream(store, feed, partition, stream!)).toBe(true);
    await take();
    expect(partition.parked.count).toBe(0);
    const [key = ''] = await redis.keys('*:d');
    const { length } = events;
    expect(await redis.hget(key, 'v1')).toBe(JSON.stringify([length - 1, length]));
  });

  it('changes the checkpoint, where it stands: readers know by it that what they remember is outdated', async () => {
    const { feed, partition } = await open();
    const streams = ['visit-v1', 'visit-v2'];
    const events = streams.flatMap((name) => [visitNoted(name, 0), visitNoted(name, 1)]);
    await feed.apply(events, at(4));
    const store = {
      readStream: async function* (streamName: string, { fromRevision = 0 } = {}) {
        yield* events.filter((each) => each.streamName === streamName).slice(fromRevision);
      },
    };
    isMended = true;
    const found = [partition.building.stored];
    for (const stream of partition.parked.list) {
      expect(await retryParkedStream(store, feed, partition, stream)).toBe(true);
      found.push(partition.building.stored);
    }
    expect(partition.position).toBe(at(4));
    expect(new Set(found).size).toBe(3);
  });

  it('may come to something else at the same position, when it is opened again: the checkpoint is another', async () => {
    const { partition } = await open();
    const prepare = () => partition.prepare(at(7)).checkpoint.to;
    const first = prepare();
    expect(prepare()).toBe(first);
    await partition.load();
    expect(prepare()).not.toBe(first);
  });

  it('is parked at the first event that cannot be applied, whichever guard has seen it', async () => {
    const { feed, partition } = await open();
    const where = { streamName: STREAM, id: 'event-2', type: 'visit.lost.v1', revision: 2 };
    const unreadable = { ...where, undecodable: true, reason: 'unknown_type', position: at(3) };
    await feed.apply([event(0), event(1), unreadable as FeedItem], at(3));
    expect(partition.parked.list).toMatchObject([{ revision: 1 }]);
    await partition.load();
    expect(partition.parked.list).toMatchObject([{ revision: 1 }]);
  });

  it('is fed by what answers, also when a build begins beside it', async () => {
    const { feed, partition } = await open();
    await feed.promote();
    const answering = new ProjectionFeed({ redis, count: 1, log: silent, awaited }, [partition]);
    expect([feed.isBuilding, answering.isBuilding]).toEqual([true, false]);
    await partition.build(LAYOUT_ID);
    // What is empty must not be taken for what is built.
    expect(answering.isBuilding).toBe(false);
    await expect(answering.open()).rejects.toMatchObject({ code: 'conflict' });
  });
});
