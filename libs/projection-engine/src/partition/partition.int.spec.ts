import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import type { RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import { createLogger } from '#platform';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { at, countVisits, openVisits, visitNoted } from '../spec-support/visits.js';
import { Partition } from './partition.js';

const silent = createLogger('test', { level: 'silent' });
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
    const [documents] = await openVisits(redis, { projection: visits, count: 1 });
    if (documents === undefined) throw new Error('there is one partition');
    return { partition: new Partition({ redis, log: silent }, 0, [documents]), documents };
  }

  it('has what went by while its partition had nothing to write', async () => {
    const { partition, documents } = await open();
    const events: RecordedEvent[] = [];
    const take = async () => {
      const next = event(events.length);
      events.push(next);
      await partition.apply([next], next.position);
    };
    const store = {
      readStream: async function* (_: string, { fromRevision = 0 } = {}) {
        yield* events.slice(fromRevision);
      },
    };
    for (let taken = 0; taken < 3; taken += 1) await take();
    // The checkpoint does not say yet that the last event has gone by.
    expect([partition.watermark, documents.position]).toEqual([at(3), at(2)]);
    const [stream] = documents.parked.values();
    expect(stream).toMatchObject({ streamName: STREAM, revision: 1 });
    expect(await partition.retryParked(store, documents, stream!)).toBe(false);

    isMended = true;
    await take();
    expect(await partition.retryParked(store, documents, stream!)).toBe(true);
    await take();
    expect(documents.parked.size).toBe(0);
    const [key = ''] = await redis.keys('*:d');
    const { length } = events;
    expect(await redis.hget(key, 'v1')).toBe(JSON.stringify([length - 1, length]));
  });

  it('stays parked where the store cannot be read, and the partition goes on', async () => {
    const { partition, documents } = await open();
    await partition.apply([event(0), event(1)], at(2));
    const store = {
      readStream: async function* (): AsyncGenerator<RecordedEvent> {
        await Promise.reject(new Error('the store is away'));
        yield event(1);
      },
    };
    const [stream] = documents.parked.values();
    expect(await partition.retryParked(store, documents, stream!)).toBe(false);
    await partition.apply([visitNoted('visit-v2', 2)], at(3));
    expect(documents.position).toBe(at(3));
  });

  it('changes the checkpoint, where it stands: readers know by it that what they remember is outdated', async () => {
    const { partition, documents } = await open();
    const streams = ['visit-v1', 'visit-v2'];
    const events = streams.flatMap((name) => [visitNoted(name, 0), visitNoted(name, 1)]);
    await partition.apply(events, at(4));
    const store = {
      readStream: async function* (streamName: string, { fromRevision = 0 } = {}) {
        yield* events.filter((each) => each.streamName === streamName).slice(fromRevision);
      },
    };
    isMended = true;
    const found = [documents.left.stored];
    for (const stream of documents.parked.values()) {
      expect(await partition.retryParked(store, documents, stream)).toBe(true);
      found.push(documents.left.stored);
    }
    expect(documents.position).toBe(at(4));
    expect(new Set(found).size).toBe(3);
  });

  it('may come to something else at the same position, when it is opened again: the checkpoint is another', async () => {
    const { documents } = await open();
    const prepare = () => documents.prepare(at(7)).checkpoint.to;
    const first = prepare();
    expect(prepare()).toBe(first);
    await documents.load();
    expect(prepare()).not.toBe(first);
  });

  it('is parked at the first event that cannot be applied, whichever guard has seen it', async () => {
    const { partition, documents } = await open();
    const where = { streamName: STREAM, id: 'event-2', type: 'visit.lost.v1', revision: 2 };
    const unreadable = { ...where, undecodable: true, reason: 'unknown_type', position: at(3) };
    await partition.apply([event(0), event(1), unreadable as FeedItem], at(3));
    expect([...documents.parked.values()]).toMatchObject([{ revision: 1 }]);
    await documents.load();
    expect([...documents.parked.values()]).toMatchObject([{ revision: 1 }]);
  });
});
