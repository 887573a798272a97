import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { readEndpointState, SharedBreakers } from './index.js';
import { endpointKeys } from './keys.js';
import {
  FAILURES_KEPT_MS,
  FAILURES_THAT_OPEN,
  OPEN_AT_FIRST_MS,
  OPEN_AT_MOST_MS,
  OPEN_JITTER,
  PROBE_LASTS_MS,
} from './limits.js';

const ENDPOINT = 'whe_01jz8m0000000000000000003f';
const T0 = Date.parse('2027-01-31T10:00:00Z');
const shortest = (ms: number) => ms * (1 - OPEN_JITTER);
const longest = (ms: number) => ms * (1 + OPEN_JITTER);

describe('the breaker of an endpoint', () => {
  let server: RunningRedis;
  let redis: Redis;
  let layoutId: string;
  let breakers: SharedBreakers;
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
    breakers = new SharedBreakers(redis, layoutId);
  });

  const fail = (nowMs: number, begunAtMs = nowMs, retryAfterMs = 0) =>
    breakers.noteFailure(ENDPOINT, { nowMs, begunAtMs, retryAfterMs });
  const open = async () => {
    for (let n = 1; n < FAILURES_THAT_OPEN; n += 1) await fail(T0);
    return fail(T0);
  };
  const read = (nowMs = T0) => readEndpointState(redis, layoutId, ENDPOINT, nowMs);

  it('is closed for one that nothing is known of, and that leaves nothing in Redis', async () => {
    expect(await breakers.takeProbe(ENDPOINT, 'a', T0)).toEqual({ kind: 'closed' });
    expect(await read()).toEqual({
      ...{ breaker: 'closed', failures: 0, failingSince: null, openUntil: null },
    });
    expect(await redis.keys(`*${layoutId}*`)).toEqual([]);
  });

  it('opens when so many in a row have failed, in whatever processes', async () => {
    for (let n = 1; n < FAILURES_THAT_OPEN; n += 1) {
      expect((await fail(T0 + n)).openUntilMs).toBe(0);
    }
    const { openUntilMs, sinceMs, failures } = await fail(T0 + 10);
    expect([sinceMs, failures]).toEqual([T0 + 1, FAILURES_THAT_OPEN]);
    expect(openUntilMs - T0 - 10).toBeGreaterThanOrEqual(Math.floor(shortest(OPEN_AT_FIRST_MS)));
    expect(openUntilMs - T0 - 10).toBeLessThanOrEqual(longest(OPEN_AT_FIRST_MS));
    expect(await read()).toMatchObject({
      ...{ breaker: 'open', failures: FAILURES_THAT_OPEN },
      failingSince: new Date(T0 + 1).toISOString(),
      openUntil: new Date(openUntilMs).toISOString(),
    });
  });

  it('does not open where one of them succeeds', async () => {
    for (let n = 1; n < FAILURES_THAT_OPEN; n += 1) await fail(T0);
    expect(await breakers.noteSuccess(ENDPOINT, T0)).toBe(0);
    expect(await fail(T0 + 1)).toEqual({ sinceMs: T0 + 1, failures: 1, openUntilMs: 0 });
  });

  it('is not held open by attempts that had begun before', async () => {
    const { openUntilMs } = await open();
    expect((await fail(T0 + 100, T0 - 100)).openUntilMs).toBe(openUntilMs);
    expect((await fail(openUntilMs + 10_000, T0 - 100)).openUntilMs).toBe(openUntilMs);
  });

  it('lets one attempt through over all processes, and is open for twice as long when that fails', async () => {
    let { openUntilMs } = await open();
    const early = await breakers.takeProbe(ENDPOINT, 'a', openUntilMs - 1);
    expect(early).toEqual({ kind: 'open', untilMs: openUntilMs });
    for (const opened of [1, 2, 3, 20]) {
      const untilMs = openUntilMs + PROBE_LASTS_MS;
      const probe = { kind: 'probe', untilMs } as const;
      expect(await breakers.takeProbe(ENDPOINT, 'a', openUntilMs)).toEqual(probe);
      expect(await breakers.takeProbe(ENDPOINT, 'b', openUntilMs)).toEqual({
        ...{ kind: 'probed', untilMs },
      });
      expect(await breakers.takeProbe(ENDPOINT, 'a', openUntilMs)).toEqual(probe);
      expect((await read(openUntilMs)).breaker).toBe('half_open');
      await redis.hset(endpointKeys(layoutId, ENDPOINT).breaker, 'opened', opened);
      const failed = await fail(openUntilMs);
      const forMs = failed.openUntilMs - openUntilMs;
      const grown = Math.min(OPEN_AT_FIRST_MS * 2 ** opened, OPEN_AT_MOST_MS);
      expect(forMs).toBeGreaterThanOrEqual(Math.floor(shortest(grown)));
      expect(forMs).toBeLessThanOrEqual(longest(grown));
      ({ openUntilMs } = failed);
    }
    await breakers.takeProbe(ENDPOINT, 'b', openUntilMs);
    await breakers.noteSuccess(ENDPOINT, openUntilMs);
    expect(await breakers.takeProbe(ENDPOINT, 'a', openUntilMs)).toEqual({ kind: 'closed' });
  });

  it('gives the attempt to another process where the one that had it died', async () => {
    const { openUntilMs } = await open();
    await breakers.takeProbe(ENDPOINT, 'a', openUntilMs);
    const later = await breakers.takeProbe(ENDPOINT, 'b', openUntilMs + PROBE_LASTS_MS);
    expect(later.kind).toBe('probe');
  });

  it('opens for as long as the receiver asks, and no longer than at most', async () => {
    expect((await fail(T0, T0, 7_000)).openUntilMs).toBe(T0 + 7_000);
    // Another one that was under way asked for less.
    expect((await fail(T0 + 1, T0, 1_000)).openUntilMs).toBe(T0 + 7_000);
    await breakers.close(ENDPOINT);
    expect((await fail(T0, T0, 86_400_000)).openUntilMs).toBe(T0 + OPEN_AT_MOST_MS);
  });

  it('stays open where the receiver asked for it, though what was under way succeeds', async () => {
    await fail(T0, T0, 7_000);
    expect(await breakers.noteSuccess(ENDPOINT, T0 + 1)).toBe(T0 + 7_000);
    expect(await read()).toMatchObject({ breaker: 'open', failures: 0, failingSince: null });
    expect(await breakers.noteSuccess(ENDPOINT, T0 + 7_000)).toBe(0);
    expect(await redis.keys(`*${layoutId}*`)).toEqual([]);
  });

  it('is closed by an event of the endpoint, which makes none of its failures undone', async () => {
    const { openUntilMs, sinceMs } = await open();
    await breakers.close(ENDPOINT);
    expect(await breakers.takeProbe(ENDPOINT, 'a', openUntilMs - 1)).toEqual({ kind: 'closed' });
    expect(await read()).toMatchObject({
      ...{ breaker: 'closed', failures: FAILURES_THAT_OPEN, openUntil: null },
      failingSince: new Date(sinceMs).toISOString(),
    });
    const again = await fail(T0 + 1_000);
    expect([again.sinceMs, again.failures]).toEqual([sinceMs, FAILURES_THAT_OPEN + 1]);
    // It has nothing to wait for but what one waits at first.
    expect(again.openUntilMs - T0 - 1_000).toBeLessThanOrEqual(longest(OPEN_AT_FIRST_MS));
    expect(again.openUntilMs).toBeGreaterThan(T0 + 1_000);
  });

  it('is kept for as long as it may matter, and closed when Redis is lost', async () => {
    const { openUntilMs } = await open();
    const leftMs = await redis.pttl(endpointKeys(layoutId, ENDPOINT).breaker);
    expect(leftMs).toBeGreaterThan(FAILURES_KEPT_MS - 60_000);
    await redis.flushall();
    expect((await breakers.takeProbe(ENDPOINT, 'a', openUntilMs)).kind).toBe('closed');
  });
});
