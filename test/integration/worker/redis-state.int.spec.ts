import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Partitions } from '#event-store';
import { Fenced } from '#projection-engine';
import { ClockParts } from '../../../apps/worker/src/test-clock/clock-parts.js';
import { CursorSet } from '../../../apps/worker/src/redis/cursor-set.js';
import { ExhaustedSet } from '../../../apps/worker/src/redis/exhausted-set.js';
import { ENDED_KEPT } from '../../../apps/worker/src/limits.js';
import { FeedCheckpoint } from '../../../apps/worker/src/redis/feed-checkpoint.js';
import { InFlightSet } from '../../../apps/worker/src/redis/in-flight-set.js';
import { ParkedSet } from '../../../apps/worker/src/redis/parked-set.js';
import { createLease } from '../../../apps/worker/src/spec-support/fakes.js';
import type { RunningEndpoint } from '#tenancy';
import { EXHAUSTED_NAMED, workerKeys } from '#worker-state';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { createScripts } from './partition-scripts.js';

const at = (n: number) => String(n).padStart(20, '0');
const keys = workerKeys('store-1', 0);
/** Fields that these tests do not look at are left out. */
const apps = {
  findEndpoint: (endpointId: string) =>
    endpointId === 'whe_deleted' ? undefined : ({ endpointId } as RunningEndpoint),
};

describe('what the worker keeps in Redis', () => {
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

  beforeEach(async () => {
    await redis.flushall();
    const { key, token } = createLease().fence;
    await redis.set(key, token);
  });

  describe('the work in flight', () => {
    const work = () => new InFlightSet(redis, keys, createScripts(redis, keys, createLease()));
    const member = (n: number) => `${at(n)} whe_1 subscription-sub_1 ${n} 0 msg_${n}`;
    const begin = (...numbers: number[]) =>
      work().begin(numbers.map((n) => ({ member: member(n), dueAtMs: null })));

    it('begins once, and not again what has ended', async () => {
      const inFlight = work();
      expect(await begin(1, 2)).toEqual([member(1), member(2)]);
      await Promise.all([inFlight.end(member(1)), inFlight.end(member(1))]);
      expect(await begin(1, 2)).toEqual([member(2)]);
      expect(await redis.zrange(keys.inFlight, 0, '-1')).toEqual([member(2)]);
    });

    it('ends what comes at once in one act, and what comes meanwhile in the next one', async () => {
      const inFlight = work();
      await begin(...Array.from({ length: 50 }, (_, n) => n));
      const evalsha = vi.spyOn(redis, 'evalsha');
      await Promise.all(Array.from({ length: 50 }, (_, n) => inFlight.end(member(n))));
      expect(evalsha).toHaveBeenCalledTimes(1);
      evalsha.mockRestore();
      expect(await redis.exists(keys.inFlight)).toBe(0);
    });

    it('keeps marks of the newest that have ended, and names the last that were given up', async () => {
      const inFlight = work();
      const count = ENDED_KEPT + 20;
      const numbers = Array.from({ length: count }, (_, n) => n);
      await begin(...numbers);
      const givenUp = (n: number) => ({
        ...{ member: member(n), appId: 'app_1', type: 'subscription.created', attempts: 12 },
        ...{ reason: 'the receiver answered 503', exhaustedAt: '2026-01-01T00:00:00.000Z' },
      });
      // One more than are named.
      const isGivenUp = (n: number) => n <= EXHAUSTED_NAMED;
      // Old ones end last, as those do that were tried for three days.
      await Promise.all(
        numbers
          .toReversed()
          .map((n) => inFlight.end(member(n), isGivenUp(n) ? givenUp(n) : undefined)),
      );
      expect(await redis.zcard(keys.exhausted)).toBe(EXHAUSTED_NAMED + 1);
      expect(await redis.zcard(keys.ended)).toBe(ENDED_KEPT);
      expect(await begin(count - 1)).toEqual([]);
      expect(await begin(0)).toEqual([member(0)]);
      const exhausted = new ExhaustedSet(redis, keys, createLease(), apps);
      const named = await exhausted.read();
      expect(named).toEqual(numbers.slice(1, EXHAUSTED_NAMED + 1).map(givenUp));
      // The one that is named no more does not stay in Redis either.
      expect(await redis.zcard(keys.exhausted)).toBe(EXHAUSTED_NAMED);
      await redis.del(keys.exhausted);
      // A delivery given up at an endpoint is forgotten when that is deleted.
      const deleted = { ...givenUp(1), member: member(1).replace('whe_1', 'whe_deleted') };
      await exhausted.restore([...named, deleted]);
      expect(await redis.zcard(keys.exhausted)).toBe(EXHAUSTED_NAMED + 1);
      expect(await exhausted.read()).toEqual(named);
      expect(await redis.zcard(keys.exhausted)).toBe(EXHAUSTED_NAMED);
    });

    it('has another identity after a loss, when the checkpoint stands there anew', async () => {
      const checkpoint = new FeedCheckpoint(redis, keys, createLease());
      expect(await checkpoint.peek()).toBeUndefined();
      await checkpoint.recover();
      await checkpoint.standAt(at(2));
      const first = await checkpoint.peek();
      expect(first?.position).toBe(at(2));
      await checkpoint.advance(at(3));
      expect(await checkpoint.peek()).toEqual({ position: at(3), identity: first?.identity });
      await checkpoint.standAt(at(3));
      expect((await checkpoint.peek())?.identity).not.toBe(first?.identity);
    });

    it('tells a server that came back with the same from the one before', async () => {
      const checkpoint = new FeedCheckpoint(redis, keys, createLease());
      await checkpoint.recover();
      await checkpoint.standAt(at(2));
      const stored = await redis.get(keys.checkpoint);
      const before = await checkpoint.peek();
      // Later writes may be missing in it, though its checkpoint is the same.
      const restarted = await startRedis();
      const there = new Redis(restarted.url);
      const { fence } = createLease();
      await there.mset(keys.checkpoint, stored ?? '', fence.key, fence.token);
      const after = await new FeedCheckpoint(there, keys, createLease()).peek();
      there.disconnect();
      await restarted.stop();
      expect([before?.position, after?.position]).toEqual([at(2), at(2)]);
      expect(after?.identity).not.toBe(before?.identity);
    });
  });

  describe('what only the holder of the partition changes', () => {
    const { fence } = createLease();
    const member = `${at(3)} process subscription-sub_1 0`;
    const inFlight = () => new InFlightSet(redis, keys, createScripts(redis, keys, createLease()));
    const charge = { member, dueAtMs: 1_000 };
    const parts = () => new ClockParts(redis, keys, createLease(), new Partitions(1));
    const part = {
      restsOn: [],
      standsAt: '2026-01-01T00:00:00.000Z',
      target: '2026-12-31T00:00:00.000Z',
    };

    it('is the work in flight', async () => {
      expect(await inFlight().begin([charge])).toEqual([member]);
      await redis.set(fence.key, 'epoch 2');
      const other = { member: `${member}0`, dueAtMs: null };
      await expect(inFlight().begin([other])).rejects.toThrow(Fenced);
      await expect(inFlight().end(member)).rejects.toThrow(Fenced);
      await expect(inFlight().askAgain(member, 2_000)).rejects.toThrow(Fenced);
      expect(await redis.zrange(keys.inFlight, 0, '-1')).toEqual([member]);
      expect(await redis.zscore(keys.dueAtGateway, member)).toBe('1000');
      await redis.set(fence.key, fence.token);
      await inFlight().end(member);
      expect(await redis.exists(keys.inFlight, keys.dueAtGateway)).toBe(0);
    });

    it('is begun by none where Redis was thrown back behind what this process knows', async () => {
      const checkpoint = new FeedCheckpoint(redis, keys, createLease());
      await checkpoint.recover();
      await checkpoint.standAt(at(2));
      const known = { position: at(2) };
      const scripts = createScripts(redis, keys, createLease(), known);
      const held = new InFlightSet(redis, keys, scripts);
      expect(await held.begin([charge])).toEqual([member]);
      known.position = at(3);
      const other = { member: `${member}0`, dueAtMs: null };
      await expect(held.begin([other])).rejects.toThrow(Fenced);
      expect(await redis.zrange(keys.inFlight, 0, '-1')).toEqual([member]);
    });

    it('is what was given up, where it is named again', async () => {
      const exhausted = new ExhaustedSet(redis, keys, createLease(), apps);
      const given = {
        ...{ member: `${member} msg_1`, appId: 'app_1', type: 'subscription.created' },
        ...{ attempts: 12, reason: 'refused', exhaustedAt: '2026-01-01T00:00:00.000Z' },
      };
      await redis.set(fence.key, 'epoch 2');
      await expect(exhausted.restore([given])).rejects.toThrow(Fenced);
      expect(await redis.exists(keys.exhausted)).toBe(0);
    });

    it('is what is parked', async () => {
      const entry = {
        ...{ streamName: 'subscription-sub_1', revision: 1, position: at(3), begunUpTo: '' },
        ...{ type: 'subscription.teleported.v1', reason: 'unknown_type', release: 'a' },
      };
      const parked = () => new ParkedSet(redis, keys, createLease());
      await parked().park(entry);
      await redis.set(fence.key, 'epoch 2');
      await expect(parked().park({ ...entry, streamName: 'other' })).rejects.toThrow(Fenced);
      await expect(parked().remove(entry.streamName)).rejects.toThrow(Fenced);
      expect(await parked().read()).toEqual([entry]);
    });

    it('is how far its part of the step of a test clock is', async () => {
      await parts().answer('app_1', { ...part, next: null });
      await redis.set(fence.key, 'epoch 2');
      await expect(parts().answer('app_1', { ...part, next: part.target })).rejects.toThrow(Fenced);
      expect(await parts().readAll('app_1')).toEqual([{ ...part, next: null }]);
      expect(await redis.pttl(keys.clockPart('app_1'))).toBeGreaterThan(0);
    });
  });

  describe('the cursors of backlogged endpoints', () => {
    const cursors = () => new CursorSet(redis, keys, createScripts(redis, keys, createLease()));

    it('are what was moved last, in this process and in the next one', async () => {
      const set = cursors();
      await set.move(
        new Map([
          ['whe_1', at(3)],
          ['whe_2', at(4)],
        ]),
      );
      await set.move(new Map([['whe_1', null]]));
      const next = cursors();
      await next.load();
      for (const each of [set, next]) expect([...each.all]).toEqual([['whe_2', at(4)]]);
    });

    it('are those of a backup after a loss, and no others', async () => {
      await cursors().move(new Map([['whe_1', at(3)]]));
      const set = cursors();
      await set.restore([{ endpointId: 'whe_2', after: at(2) }]);
      expect([...set.all]).toEqual([['whe_2', at(2)]]);
      expect(await redis.hgetall(keys.cursors)).toEqual({ whe_2: at(2) });
    });

    it('stay where this process may not act', async () => {
      const set = cursors();
      await redis.set(createLease().fence.key, 'epoch 2');
      await expect(set.move(new Map([['whe_1', at(3)]]))).rejects.toThrow(Fenced);
      expect(set.all.size).toBe(0);
      expect(await redis.exists(keys.cursors)).toBe(0);
    });
  });
});
