import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openRedis, type Redis } from '#redis';
import type { Log } from '#platform';
import { type RunningRedis, startRedis } from '../../../../../test/support/redis.js';
import { ViewedItems } from './viewed-items.js';

const warn = vi.fn();
let server: RunningRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { maxRetriesPerRequest: 1 });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await redis.flushall();
});

const processOn = (on: Pick<Redis, 'set'> = redis) =>
  new ViewedItems(on, 'sl:layout:', { warn } as unknown as Log);

/** rules/webshop 7 */
it('tells of an item once, of a player, whichever process is asked, and how often at once', async () => {
  const [one, other] = [processOn(), processOn()];
  const asked = [one.claim('ann', ['sword', 'bow', 'sword']), other.claim('ann', ['bow', 'sword'])];
  expect((await Promise.all(asked)).flat().sort()).toEqual(['bow', 'sword']);
  expect(await one.claim('ann', ['sword', 'gem'])).toEqual(['gem']);
  expect(await other.claim('bob', ['sword'])).toEqual(['sword']);
});

it('tells of it again after 100 s', async () => {
  await processOn().claim('ann', ['sword']);
  const [key = ''] = await redis.keys('sl:layout:viewed:ann:*');
  expect(await redis.ttl(key)).toBe(100);
  await redis.del(key);
  expect(await processOn().claim('ann', ['sword'])).toEqual(['sword']);
});

it('tells of it once more at most where Redis was emptied', async () => {
  const [one, other] = [processOn(), processOn()];
  expect(await one.claim('ann', ['sword'])).toEqual(['sword']);
  await redis.flushall();
  const again = await Promise.all([one, other, one].map((each) => each.claim('ann', ['sword'])));
  expect(again.flat()).toEqual(['sword']);
});

it('tells of nothing while Redis is away', async () => {
  const away = { set: () => Promise.reject(new Error('Connection is closed.')) };
  expect(await processOn(away).claim('ann', ['sword'])).toEqual([]);
  expect(warn).toHaveBeenCalled();
});
