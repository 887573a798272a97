import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { type Lease, Leases } from '#projection-engine';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';

const LONG_MS = 60_000;
const SHORT_MS = 50;

let server: RunningRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
beforeEach(async () => {
  await redis.flushall();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const keys = { members: 'members', prefix: (partition: number) => `{p${partition}}` };
const leasesFor = (holder: string, lastsMs = LONG_MS) =>
  new Leases({ redis, keys, holder, lastsMs });

async function acquired(leases: Leases, partition = 0): Promise<Lease> {
  const lease = await leases.acquire(partition);
  if (lease === undefined) throw new Error('another one holds it');
  return lease;
}

const fenceNow = () => redis.get('{p0}:fence');

describe('a lease', () => {
  it('is held by one, and others get none while it lasts', async () => {
    const { fence } = await acquired(leasesFor('a'));
    expect(fence).toEqual({
      key: '{p0}:fence',
      token: expect.stringMatching(/^[0-9a-f-]{36} 1 [0-9a-f-]{36}$/),
    });
    expect(await leasesFor('b').acquire(0)).toBeUndefined();
    expect(await fenceNow()).toBe(fence.token);
    expect((await acquired(leasesFor('b'), 1)).partition).toBe(1);
  });

  it('that ran out goes to another one, under the next token; the former holder changes nothing', async () => {
    const former = leasesFor('a', SHORT_MS);
    const old = await acquired(former);
    await eventually(async () => (await redis.exists('{p0}:lease')) === 0);
    const next = leasesFor('b');
    const { fence } = await acquired(next);
    const [epoch] = old.fence.token.split(' ');
    expect(fence.token.startsWith(`${epoch ?? ''} 2 `)).toBe(true);
    expect(await former.renew(old)).toBe(false);
    await former.release(old);
    expect([await fenceNow(), await redis.get('{p0}:lease')]).toEqual([fence.token, 'b']);
  });

  it('that ran out is prolonged all the same, where no other process took it', async () => {
    const leases = leasesFor('a', SHORT_MS);
    const lease = await acquired(leases);
    await eventually(async () => (await redis.exists('{p0}:lease')) === 0);
    expect(await leases.renew(lease)).toBe(true);
    expect([await fenceNow(), await redis.get('{p0}:lease')]).toEqual([lease.fence.token, 'a']);
  });

  it('lasts on when it is renewed, and no longer than it was renewed for', async () => {
    const leases = leasesFor('a');
    const lease = await acquired(leases);
    await redis.pexpire('{p0}:lease', 1_000);
    expect(await leases.renew(lease)).toBe(true);
    const lastsMs = await redis.pttl('{p0}:lease');
    expect(lastsMs).toBeGreaterThan(LONG_MS / 2);
    expect(lastsMs).toBeLessThanOrEqual(LONG_MS);
  });

  it('that was given back is free at once', async () => {
    const leases = leasesFor('a');
    const lease = await acquired(leases);
    await leases.release(lease);
    expect((await acquired(leasesFor('b'))).fence.token).toMatch(/ 2 /);
  });

  it('is taken over at once by its holder that starts again, and what ran before is fenced', async () => {
    const before = await acquired(leasesFor('a'));
    const after = await acquired(leasesFor('a'));
    expect(after.fence.token).toMatch(/ 2 /);
    expect(await leasesFor('a').renew(before)).toBe(false);
    expect(await leasesFor('a').renew(after)).toBe(true);
  });

  it('is lost with Redis: the next one has an epoch of its own, and the same count does not pass', async () => {
    const leases = leasesFor('a');
    const lost = await acquired(leases);
    await redis.flushall();
    expect(await leases.renew(lost)).toBe(false);
    const next = await acquired(leasesFor('b'));
    expect(next.fence.token).toMatch(/ 1 /);
    expect(next.fence.token).not.toBe(lost.fence.token);
    expect(await leases.renew(lost)).toBe(false);
  });

  it('is under a token of its own also when Redis was thrown back, and counts again', async () => {
    const leases = leasesFor('a');
    const { fence: lost } = await acquired(leases);
    await redis.set('{p0}:fence', lost.token.replace(' 1 ', ' 0 '));
    const { fence: next } = await acquired(leases);
    expect(next.token).toMatch(/ 1 /);
    expect(next.token).not.toBe(lost.token);
  });

  it('is known to last no longer than no other one can have it, and longer with each renewal', async () => {
    const leases = leasesFor('a');
    const before = performance.now();
    const lease = await acquired(leases);
    const first = lease.lastsUntilMs;
    expect(first - before).toBeGreaterThanOrEqual(LONG_MS);
    // Redis counts whole milliseconds.
    const leftMs = (await redis.pttl('{p0}:lease')) + 1;
    expect(first).toBeLessThanOrEqual(performance.now() + leftMs);
    await leases.renew(lease);
    const second = lease.lastsUntilMs;
    expect(second).toBeGreaterThan(first);
    await redis.flushall();
    await leases.renew(lease);
    expect(lease.lastsUntilMs).toBe(second);
  });
});

describe('those who are alive', () => {
  it('are counted until they leave, or were not heard of for long', async () => {
    expect(await leasesFor('a').beat()).toBe(1);
    expect(await leasesFor('a').beat()).toBe(1);
    expect(await leasesFor('b', SHORT_MS).beat()).toBe(2);
    await eventually(async () => (await leasesFor('a').beat()) === 1);
    expect(await leasesFor('c').beat()).toBe(2);
    await leasesFor('c').leave();
    expect(await leasesFor('a').beat()).toBe(1);
  });
});
