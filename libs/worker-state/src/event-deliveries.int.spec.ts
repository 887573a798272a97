import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Partitions } from '#event-store';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { EventDeliveries, inFlightMember, type WorkerKeys, workerKeys } from './index.js';

const AT = '00000000000000000017';
const BEFORE = '00000000000000000016';
const event = { position: AT, streamName: 'order-ord_01jz8m0000000000000000003f', revision: 4 };
const ENDPOINTS = ['whe_1', 'whe_2'];

/** rules/webshop 5 */
describe('the deliveries of an event', () => {
  let server: RunningRedis;
  let redis: Redis;
  let keys: WorkerKeys;
  let deliveries: EventDeliveries;
  beforeAll(async () => {
    server = await startRedis();
    redis = openRedis(server.url, { maxRetriesPerRequest: null });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(() => {
    const layoutId = randomUUID();
    keys = workerKeys(layoutId, new Partitions(4).find(event.streamName));
    deliveries = new EventDeliveries(redis, { layoutId, partitions: 4 });
  });

  const haveEnded = () => deliveries.haveEnded(event, ENDPOINTS);
  const reach = (position: string) =>
    redis.set(keys.checkpoint, JSON.stringify({ position, layoutId: '', epoch: '' }));

  it('have ended once the worker has come so far, and none is in flight', async () => {
    expect(await haveEnded()).toBe(false);
    await reach(BEFORE);
    expect(await haveEnded()).toBe(false);
    await reach(AT);
    expect(await haveEnded()).toBe(true);
    const member = inFlightMember(event, 'whe_1', 'msg_1');
    await redis.zadd(keys.inFlight, 0, member);
    expect(await haveEnded()).toBe(false);
    await redis.zrem(keys.inFlight, member);
    for (const other of [BEFORE, '000000000000000000170', '00000000000000000018']) {
      const others = inFlightMember({ ...event, position: other }, 'whe_1', 'msg_1');
      await redis.zadd(keys.inFlight, 0, others);
    }
    expect(await haveEnded()).toBe(true);
  });

  it('have not while its stream is parked, or an endpoint is backlogged', async () => {
    await reach(AT);
    await redis.hset(keys.parked, event.streamName, '{}');
    expect(await haveEnded()).toBe(false);
    await redis.del(keys.parked);
    await redis.hset(keys.cursors, { whe_2: BEFORE, whe_9: BEFORE });
    expect(await haveEnded()).toBe(false);
    await redis.hset(keys.cursors, { whe_2: AT });
    expect(await haveEnded()).toBe(true);
  });

  it('are not known of by a Redis that was emptied', async () => {
    await reach(AT);
    expect(await haveEnded()).toBe(true);
    await redis.flushall();
    expect(await haveEnded()).toBe(false);
  });
});
