import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Log } from '#platform';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { CatalogBreakers } from './catalog-breakers.js';
import { BREAKER_ASKED_AGAIN_MS, OPEN_AT_MOST_MS } from './limits.js';
import { SharedBreakers } from '#endpoint-state';

const APP = 'app_01jz8m0000000000000000003f';
/** As many failures in a row as open an endpoint's breaker (rules/webhooks 6). */
const FAILURES = 5;
/** Longer than a breaker is open at first, with its jitter. */
const FIRST_PAUSE_MS = 6_000;

describe('the breaker of a catalog', () => {
  let server: RunningRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = openRedis(server.url, { maxRetriesPerRequest: null });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  let nowMs: number;
  let layoutId: string;
  const warn = jest.fn();
  const clock = { now: () => new Date(nowMs).toISOString() };
  const log = { warn } as unknown as Log;
  beforeEach(() => {
    nowMs = Date.parse('2027-01-31T10:00:00Z');
    layoutId = randomUUID();
    warn.mockClear();
  });
  /** As one process has them. */
  const openProcess = () =>
    new CatalogBreakers(new SharedBreakers(redis, layoutId, OPEN_AT_MOST_MS), log, clock);
  const failAll = async (breakers: CatalogBreakers) => {
    for (let at = 0; at < FAILURES; at += 1) await breakers.failed(APP, 10);
  };

  it('lets calls through until five in a row have failed, in whatever processes', async () => {
    const [one, two] = [openProcess(), openProcess()];
    for (let at = 1; at < FAILURES; at += 1) {
      await (at % 2 === 0 ? one : two).failed(APP, 10);
      expect([await one.admits(APP), await two.admits(APP)]).toEqual([true, true]);
    }
    await one.failed(APP, 10);
    expect(await one.admits(APP)).toBe(false);
    expect(await one.admits('app_other')).toBe(true);
    // The other process finds out by the one call that it makes.
    await two.failed(APP, 10);
    expect(await two.admits(APP)).toBe(false);
  });

  it('lets one call through after a while, over all processes, and all of them when that succeeds', async () => {
    const [one, two] = [openProcess(), openProcess()];
    await failAll(one);
    await two.failed(APP, 10);
    nowMs += FIRST_PAUSE_MS;
    expect([await one.admits(APP), await one.admits(APP)]).toEqual([true, false]);
    expect(await two.admits(APP)).toBe(false);
    await one.succeeded(APP);
    expect(await one.admits(APP)).toBe(true);
    nowMs += BREAKER_ASKED_AGAIN_MS;
    expect(await two.admits(APP)).toBe(true);
    await two.failed(APP, 10);
    expect(await two.admits(APP)).toBe(true);
  });

  it('stays closed where a call succeeds between those that fail', async () => {
    const breakers = openProcess();
    for (let at = 0; at < 3 * FAILURES; at += 1) {
      await breakers.failed(APP, 10);
      if (at % 2 === 1) await breakers.succeeded(APP);
    }
    expect(await breakers.admits(APP)).toBe(true);
  });

  it('is never open for much longer than half a minute', async () => {
    const breakers = openProcess();
    await failAll(breakers);
    for (let times = 0; times < 8; times += 1) {
      nowMs += 1.2 * OPEN_AT_MOST_MS;
      expect(await breakers.admits(APP)).toBe(true);
      await breakers.failed(APP, 10);
      expect(await breakers.admits(APP)).toBe(false);
    }
  });

  it('asks Redis nothing about a catalog that answers', async () => {
    const shared = new SharedBreakers(redis, layoutId);
    const asked = [
      jest.spyOn(shared, 'noteSuccess'),
      jest.spyOn(shared, 'takeProbe'),
      jest.spyOn(shared, 'noteFailure'),
    ];
    const breakers = new CatalogBreakers(shared, log, clock);
    expect(await breakers.admits(APP)).toBe(true);
    await breakers.succeeded(APP);
    expect(asked.every(({ mock }) => mock.calls.length === 0)).toBe(true);
  });

  it('admits all calls where Redis is away', async () => {
    const away = openRedis('redis://127.0.0.1:1', { maxRetriesPerRequest: 0 });
    const breakers = CatalogBreakers.over(away, layoutId, log);
    await failAll(breakers);
    expect(await breakers.admits(APP)).toBe(true);
    await breakers.succeeded(APP);
    expect(warn).toHaveBeenCalled();
    away.disconnect();
  });
});
