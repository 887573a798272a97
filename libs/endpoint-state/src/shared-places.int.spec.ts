import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { SharedPlaces } from './index.js';
import { endpointKeys } from './keys.js';
import { PLACES_OF_ENDPOINT } from './limits.js';

const ENDPOINT = 'whe_01jz8m0000000000000000003f';

describe('the places of an endpoint', () => {
  let server: RunningRedis;
  let redis: Redis;
  let layoutId: string;
  let places: SharedPlaces;
  beforeAll(async () => {
    server = await startRedis();
    redis = openRedis(server.url, { maxRetriesPerRequest: null });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(() => {
    layoutId = randomUUID();
    places = new SharedPlaces(redis, layoutId);
  });

  const take = (holder: string, wanted: number) => places.take(ENDPOINT, holder, wanted);
  /** As if a holder had not been heard of for so long. */
  const lapse = async (holder: string) => {
    const key = endpointKeys(layoutId, ENDPOINT).places;
    const [lent, wanted] = ((await redis.hget(key, holder)) ?? '').split(' ');
    await redis.hset(key, holder, `${lent} ${wanted} ${Date.now() - 1}`);
  };

  it('are lent as they are wanted while there are some, and never more than there are', async () => {
    expect(await take('a', 8)).toBe(8);
    expect(await take('a', 16)).toBe(16);
    expect(await take('b', PLACES_OF_ENDPOINT)).toBe(PLACES_OF_ENDPOINT / 2);
    expect(await take('c', 4)).toBe(0);
  });

  it('are shared alike when all who want them have asked again', async () => {
    expect(await take('a', PLACES_OF_ENDPOINT)).toBe(PLACES_OF_ENDPOINT);
    for (const holder of ['b', 'c', 'd']) expect(await take(holder, 31)).toBe(0);
    const holders = ['a', 'b', 'c', 'd'];
    const lent = [];
    for (const holder of holders) lent.push(await take(holder, 31));
    expect(lent).toEqual(holders.map(() => PLACES_OF_ENDPOINT / holders.length));
  });

  it('of a holder that has died are free when its time is up', async () => {
    expect(await take('a', PLACES_OF_ENDPOINT)).toBe(PLACES_OF_ENDPOINT);
    expect(await take('b', 8)).toBe(0);
    await lapse('a');
    expect(await take('b', 8)).toBe(8);
    // It was paused: it gets no more than what is left.
    expect(await take('a', PLACES_OF_ENDPOINT)).toBe(PLACES_OF_ENDPOINT / 2);
  });

  it('are given back, and leave nothing', async () => {
    await take('a', 8);
    expect(await redis.pttl(endpointKeys(layoutId, ENDPOINT).places)).toBeGreaterThan(0);
    expect(await take('a', 0)).toBe(0);
    expect(await redis.keys(`*${layoutId}*`)).toEqual([]);
  });

  it('are all free when Redis was lost, until those who have some ask again', async () => {
    await take('a', 16);
    await redis.flushall();
    expect(await take('b', PLACES_OF_ENDPOINT)).toBe(PLACES_OF_ENDPOINT);
    expect(await take('a', 16)).toBe(0);
    expect(await take('b', PLACES_OF_ENDPOINT)).toBe(PLACES_OF_ENDPOINT / 2);
    expect(await take('a', 16)).toBe(16);
  });
});
