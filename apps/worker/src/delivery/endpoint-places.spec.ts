import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PLACES_LENT_MS, type SharedPlaces } from '#endpoint-state';
import { PLACES_LENT_AT_ONCE, PLACES_RENEWED_EVERY_MS } from '../limits.js';
import { at, silent } from '../spec-support/fakes.js';
import { EndpointPlaces } from './endpoint-places.js';
import { EndpointQueues } from './endpoint-queues.js';

const LIMIT = 32;

/** A partition's places at an endpoint with deliveries that may go, and what Redis lends at most. */
function create(deliveries: number) {
  const asked: number[] = [];
  const redis = { lends: Infinity, isAway: false };
  const take = async (_endpointId: string, _holder: string, wanted: number) => {
    asked.push(wanted);
    if (redis.isAway) throw new Error('away');
    return Math.min(wanted, redis.lends);
  };
  const queues = new EndpointQueues();
  const queue = queues.require('whe_1', 'app_1');
  for (let n = 0; n < deliveries; n += 1) {
    const of = { position: at(n), target: 'whe_1', streamName: `sub_${n}`, revision: 0 };
    queue.add({ ...of, member: `${at(n)} whe_1`, messageId: `msg_${n}` });
  }
  const places = new EndpointPlaces(
    { take } as Partial<SharedPlaces> as SharedPlaces,
    queues,
    silent,
  );
  const taken: ReturnType<typeof queue.offer>[] = [];
  const offer = (limit = LIMIT) => {
    while (places.hasRoom(queue, limit)) {
      const item = queue.offer();
      if (item === undefined) return;
      taken.push(item);
    }
  };
  places.onRoom(() => offer());
  const end = (count: number) => {
    for (const item of taken.splice(0, count)) if (item !== undefined) queue.remove(item);
  };
  return { places, queue, queues, offer, end, asked, redis };
}

describe('the places for attempts at an endpoint', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('are one without a question to Redis', async () => {
    const { offer, queue, asked, end } = create(1);
    offer();
    end(1);
    await pass(PLACES_RENEWED_EVERY_MS);
    expect([queue.size, asked]).toEqual([0, []]);
  });

  it('are more when they are lent, several at once', async () => {
    const { offer, queue, asked } = create(PLACES_LENT_AT_ONCE);
    offer();
    expect(queue.offered).toBe(1);
    await pass(0);
    expect([queue.offered, asked]).toEqual([PLACES_LENT_AT_ONCE, [PLACES_LENT_AT_ONCE]]);
  });

  it('are no more than the limit, however many wait', async () => {
    const { offer, queue, asked } = create(100);
    offer(5);
    await pass(0);
    expect(asked).toEqual([4]);
    expect(queue.offered).toBe(5);
  });

  it('are those that are lent, and asked for again with each renewal', async () => {
    const { offer, queue, redis, asked } = create(100);
    redis.lends = 3;
    offer();
    await pass(0);
    offer();
    expect([queue.offered, asked]).toEqual([4, [LIMIT - 1]]);
    redis.lends = Infinity;
    await pass(PLACES_RENEWED_EVERY_MS);
    expect([queue.offered, asked]).toEqual([LIMIT, [LIMIT - 1, LIMIT - 1]]);
  });

  it('are kept while attempts hang, and given back when they are not used', async () => {
    const { offer, queue, asked, end } = create(9);
    offer();
    await pass(4 * PLACES_RENEWED_EVERY_MS);
    expect([queue.offered, asked]).toEqual([9, [8, 8, 8, 8, 8]]);
    end(9);
    await pass(PLACES_RENEWED_EVERY_MS);
    expect(asked.at(-1)).toBe(0);
    const before = asked.length;
    await pass(10 * PLACES_RENEWED_EVERY_MS);
    expect(asked).toHaveLength(before);
  });

  it('are the one again while Redis does not answer', async () => {
    const { offer, queue, redis, end } = create(100);
    offer();
    await pass(0);
    expect(queue.offered).toBe(LIMIT);
    redis.isAway = true;
    await pass(PLACES_LENT_MS);
    end(LIMIT);
    offer();
    await pass(0);
    expect(queue.offered).toBe(1);
    redis.isAway = false;
    await pass(PLACES_RENEWED_EVERY_MS);
    expect(queue.offered).toBe(LIMIT);
  });
});
