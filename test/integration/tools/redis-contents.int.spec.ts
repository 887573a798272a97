import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { readContents } from '../../support/redis-contents.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';

let server: RunningRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** The text of one key. */
const readText = async (key: string) => (await readContents(redis, [key])).get(key);

/** Chaos tests and tests of fences compare the texts of before and after. */
describe('the contents of a Redis', () => {
  it('are equal before and after reads of a hash table that grows and shrinks', async () => {
    for (let round = 0; round < 300; round += 1) {
      await redis.hset('table', `field-${round}`, 'long'.repeat(20));
      await redis.hdel('table', `field-${round - 20}`);
      const before = await readText('table');
      await redis.hmget('table', 'field-1', 'field-2');
      expect(await readText('table')).toBe(before);
    }
  });

  it.each([
    ['string', ['SET', 'key', 'a'], ['SET', 'key', 'b']],
    ['list', ['RPUSH', 'key', 'a'], ['LSET', 'key', '0', 'b']],
    ['set', ['SADD', 'key', 'a'], ['SADD', 'key', 'b']],
    ['sorted set', ['ZADD', 'key', '1', 'a'], ['ZADD', 'key', '2', 'a']],
    ['hash', ['HSET', 'key', 'a', '1'], ['HSET', 'key', 'a', '2']],
  ])('differ after a change of a %s, and are empty after its end', async (_type, make, change) => {
    const [first = '', ...others] = make;
    await redis.call(first, others);
    const before = await readText('key');
    const [act = '', ...further] = change;
    await redis.call(act, further);
    const after = await readText('key');
    expect([before === after, before, after]).toEqual([
      false,
      expect.anything(),
      expect.anything(),
    ]);
    await redis.del('key');
    expect(await readText('key')).toBe('');
  });
});
