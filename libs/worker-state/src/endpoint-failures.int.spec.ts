import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRedis, type Redis } from '#redis';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { EndpointFailures } from './endpoint-failures.js';
import { endpointKeys } from './keys.js';
import { FAILURES_KEPT_MS } from './limits.js';

const ENDPOINT = 'whe_01jz8m0000000000000000003f';
const T0 = Date.parse('2027-01-31T10:00:00Z');
const OPEN_MS = 5_000;

describe('the failures of an endpoint', () => {
  let server: RunningRedis;
  let redis: Redis;
  let layoutId: string;
  let failures: EndpointFailures;
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
    failures = new EndpointFailures(redis, { layoutId });
  });
  const read = (nowMs = T0) => failures.read(ENDPOINT, nowMs);

  it('are none for one that nothing is known of, and that leaves nothing in Redis', async () => {
    await failures.noteSuccess(ENDPOINT);
    expect(await read()).toEqual({
      ...{ breaker: 'closed', failures: 0, failingSince: null, openUntil: null },
    });
    expect(await redis.keys(`*${layoutId}*`)).toEqual([]);
  });

  it('are counted from the first one after a success, whichever partitions note them', async () => {
    expect(await failures.noteFailure(ENDPOINT, T0, 0)).toEqual({ failures: 1, sinceMs: T0 });
    const other = new EndpointFailures(redis, { layoutId });
    expect(await other.noteFailure(ENDPOINT, T0 + 9, 0)).toEqual({ failures: 2, sinceMs: T0 });
    expect(await read()).toMatchObject({ breaker: 'closed', failures: 2 });
    await other.noteSuccess(ENDPOINT);
    const later = await failures.noteFailure(ENDPOINT, T0 + 20, 0);
    expect(later).toEqual({ failures: 1, sinceMs: T0 + 20 });
    const { failures: key } = endpointKeys(layoutId, ENDPOINT);
    expect(await redis.pttl(key)).toBeGreaterThan(FAILURES_KEPT_MS - 10_000);
  });

  it('show an open breaker until its time, then half open, and closed when it is changed', async () => {
    await failures.noteFailure(ENDPOINT, T0, T0 + OPEN_MS);
    await failures.noteFailure(ENDPOINT, T0, 0);
    const openUntil = new Date(T0 + OPEN_MS).toISOString();
    expect(await read()).toMatchObject({ breaker: 'open', openUntil });
    expect(await read(T0 + OPEN_MS)).toMatchObject({ breaker: 'half_open', openUntil: null });
    await failures.noteChange(ENDPOINT);
    expect(await read()).toMatchObject({ breaker: 'closed', failures: 2 });
    expect((await read()).failingSince).toBe(new Date(T0).toISOString());
  });
});
