import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { LimitedServer, openRedis, type Redis } from './open-redis.js';

/** A busy machine answers a ping within it, too. */
const LIMIT_MS = 1_000;
let server: RunningRedis;
let redis: Redis;
let duplicate: Redis;

beforeAll(async () => {
  server = await startRedis();
});
afterEach(() => {
  server.resume();
  for (const connection of [redis, duplicate]) connection.disconnect();
});
afterAll(() => server.stop());

it('a call of a worker ends within its limit at a Redis that hangs; the one that blocks does not', async () => {
  redis = openRedis(server.url, { maxRetriesPerRequest: null, callLimitMs: LIMIT_MS });
  if (!(redis instanceof LimitedServer)) throw new Error('a connection without a limit');
  duplicate = redis.duplicate();
  expect(await redis.ping()).toBe('PONG');
  const blocked = duplicate.blpop('list', 0);
  server.pause();
  await expect(redis.set('key', '1')).rejects.toThrow('Command timed out');
  server.resume();
  await redis.rpush('list', 'x');
  expect(await blocked).toEqual(['list', 'x']);
});
