import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workerKeys } from '#worker-state';
import { InFlightSet } from '../../../apps/worker/src/redis/in-flight-set.js';
import { ParkedSet } from '../../../apps/worker/src/redis/parked-set.js';
import { createLease } from '../../../apps/worker/src/spec-support/fakes.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { createScripts } from './partition-scripts.js';

const at = (n: number) => String(n).padStart(20, '0');
const keys = workerKeys('store-1', 0);

describe('what the worker keeps in Redis of exceptions', () => {
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
    const createSet = () => new InFlightSet(redis, keys, createScripts(redis, keys, createLease()));
    const charge = (n: number) => ({ member: `${at(n)} process subscription-sub_1 0`, dueAtMs: n });

    it('is due when it was said last, and is nothing new when it comes again', async () => {
      const set = createSet();
      await set.begin([charge(1)]);
      await set.askAgain(charge(1).member, 90);
      await set.begin([charge(1)]);
      expect(await set.listDue(89, 10)).toEqual([]);
      await set.lookAgain([charge(1).member], 89, 500);
      expect(await set.listDue(90, 10)).toEqual([charge(1).member]);
      await set.lookAgain([charge(1).member], 90, 500);
      expect(await set.listDue(499, 10)).toEqual([]);
      expect([await set.countDue(499), await set.countDue(500)]).toEqual([0, 1]);
    });

    it('is put off together, each unless it has ended or has a later time', async () => {
      const set = createSet();
      await set.begin([charge(1), charge(2), charge(3)]);
      await set.askAgain(charge(2).member, 90);
      await set.end(charge(3).member);
      await set.lookAgain([charge(1).member, charge(2).member, charge(3).member], 5, 500);
      expect(await redis.zrange(keys.dueAtGateway, 0, '-1', 'WITHSCORES')).toEqual([
        ...[charge(2).member, '90'],
        ...[charge(1).member, '500'],
      ]);
    });

    it('is asked for no more when it has ended meanwhile', async () => {
      const set = createSet();
      await set.begin([charge(1)]);
      await set.end(charge(1).member);
      await set.askAgain(charge(1).member, 90);
      expect(await redis.exists(keys.dueAtGateway)).toBe(0);
    });

    it('is read in pages of any number', async () => {
      const set = createSet();
      const many = Array.from({ length: 2_345 }, (_, n) => charge(n));
      await set.begin(many);
      const found = [];
      for await (const page of set.pages()) found.push(...page);
      expect(found).toEqual(many);
    });
  });

  describe('a parked stream', () => {
    const entry = {
      ...{ streamName: 'subscription-sub_1', revision: 3, position: at(3), begunUpTo: '' },
      ...{ type: 'subscription.teleported.v1', reason: 'unknown_type', release: 'a' },
    };
    const further = { ...entry, revision: 5, position: at(5) };
    const createSet = () => new ParkedSet(redis, keys, createLease());

    it('holds back the event that it is parked for and those behind it, and none before', async () => {
      const set = createSet();
      await set.park(entry);
      const { streamName } = entry;
      expect([2, 3, 4].map((revision) => set.holds({ streamName, revision }))).toEqual([
        ...[false, true, true],
      ]);
    });

    it('is parked in Redis as it was until it was tried to the end', async () => {
      const set = createSet();
      await set.park(entry);
      const goesOn = await set.retry(entry.streamName, async () => {
        expect(await createSet().read()).toEqual([entry]);
        await set.park(further);
        // As the watch does, or a batch: streams that were parked meanwhile are not forgotten.
        await set.load();
        expect(set.holds(further)).toBe(true);
        expect(await createSet().read()).toEqual([entry]);
      });
      expect(goesOn).toBe(false);
      expect(await createSet().read()).toEqual([further]);
      const away = () => Promise.reject(new Error('the store is away'));
      await expect(set.retry(entry.streamName, away)).rejects.toThrow('the store is away');
      expect(await createSet().read()).toEqual([further]);
      expect(set.holds(further)).toBe(true);
      expect(await set.retry(entry.streamName, async () => undefined)).toBe(true);
      expect(await createSet().read()).toEqual([]);
    });
  });
});
