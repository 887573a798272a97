import { expect, describe, it, afterEach, beforeEach } from 'vitest';
import { Redis } from 'ioredis';
import { evolveSubscription, noSubscription } from '#domain/subscription';
import { subscriptions } from '#projections';
import { dumpReadModels } from '../../support/dump-read-models.js';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { RedisGate } from './redis-gate.js';
import {
  nameId,
  readCount,
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionReactivated,
  TestStore,
  openReadModels,
} from './support.js';

const WAIT = { timeoutMs: 20_000 };

let server: RunningRedis;
let redis: Redis;

beforeEach(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});

afterEach(async () => {
  redis.disconnect();
  await server.stop();
});

const dump = () => dumpReadModels(redis);

describe.each([1, 16])(
  'a projector that stands still in the middle of a batch, of %i',
  (partitions) => {
    it('changes nothing afterwards in a partition that another one has taken over', async () => {
      const store = await TestStore.start({ partitions });
      const gate = await RedisGate.start(server.port);
      const readModels = openReadModels(store, server.url);
      const leases = { lastsMs: 300, everyMs: 50 };
      const held = await startProjector(store, gate.url, { holder: 'held', leases });
      const id = nameId('sub', 'x', 'ff');
      const streamName = `subscription-${id}`;
      await readModels.waitFor(await store.append(streamName, [subscriptionCreated(id)]), WAIT);

      // The name of a list to which only this batch adds.
      gate.shutAt(':app_1:canceled');
      const canceledAt = await store.append(streamName, [subscriptionCanceled]);
      await eventually(() => gate.isShut);
      const other = await startProjector(store, server.url, { holder: 'other', leases });
      await readModels.waitFor(canceledAt, WAIT);
      await readModels.waitFor(await store.append(streamName, [subscriptionReactivated]), WAIT);
      const [before, fenced] = [await dump(), await readCount('fenced')];
      gate.open();
      await eventually(async () => (await readCount('fenced')) > fenced, {
        what: 'a fenced commit',
      });
      expect(await dump()).toEqual(before);

      const events = [subscriptionCreated(id), subscriptionCanceled, subscriptionReactivated];
      const state = events.reduce(evolveSubscription, noSubscription);
      expect(await readModels.ask(subscriptions).byId(id)).toMatchObject({ state, revision: 2 });
      await Promise.all([held.stop(), other.stop()]);
      await readModels.close();
      await gate.stop();
      await store.stop();
    });
  },
);
