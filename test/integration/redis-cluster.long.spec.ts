import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCommandExecutor } from '#event-store';
import { createReadModels, nameReadModel, partitionTag } from '#projection-engine';
import { projections, subscriptions } from '#projections';
import { describeReadModels, estimateRebuild } from '#read-model-operations';
import { openRedis, redisReply } from '#redis';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type RunningCluster, startRedisCluster } from '../support/redis-cluster.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import {
  nameId,
  startProjector,
  subscriptionCreated,
  TestStore,
} from './projection-engine/support.js';
import { World } from './worker/world.js';

const PARTITIONS = 16;
const WAIT = { timeoutMs: 20_000 };

it('a cluster that is out of reach fails a command within its limit, and says why', async () => {
  const ports = [await freePort(), await freePort()];
  const url = `redis://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  const redis = openRedis(url, { commandTimeout: 500 });
  const reply = redisReply(redis.get('a')).finally(() => redis.disconnect());
  await expect(reply).rejects.toThrow(/^Redis at REDIS_URL: Command timed out \(/);
});

/** Three masters without replicas; `npm run chaos -- redis-cluster` tries a failover. */
describe('on a Redis Cluster', () => {
  let cluster: RunningCluster;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    cluster = await startRedisCluster();
    stops.push(() => cluster.stop());
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  /** The keys with this pattern, node by node. */
  const listKeys = async (pattern: string) =>
    Promise.all(
      cluster.nodes.map(async ({ port }) => {
        const redis = new Redis({ port });
        const keys = await redis.keys(pattern);
        redis.disconnect();
        return keys;
      }),
    );

  it('purchases are charged, delivered and shown, and every master has its part of them', async () => {
    const world = await World.start({ partitions: PARTITIONS, redisUrl: cluster.url });
    stops.push(() => world.stop());
    const receiver = await startWebhookReceiver();
    world.onStop(() => receiver.close());
    await world.startWorker();
    const appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    const players = Array.from({ length: 8 }, (_, n) => `player-${n}`);
    const bought = await Promise.all(players.map((player) => world.buy(appId, { player })));
    await receiver.until(() => receiver.received.length === 2 * bought.length);
    const identity = await world.client.namespaces.require();
    const readModels = createReadModels({ redis: cluster.url, identity, projections });
    await readModels.waitFor(await world.client.headPosition(), WAIT);
    const shown = await readModels.ask(subscriptions).list(appId, { limit: 100 });
    await readModels.close();
    const ids = shown.documents.map(({ state }) => state.subscriptionId);
    expect(ids.sort()).toEqual(bought.sort());
    const keys = await listKeys('{sl:*}:worker:*');
    expect(keys.every(({ length }) => length > 0)).toBe(true);
    expect((await listKeys('{sl:*}:rm5:*:d')).every(({ length }) => length > 0)).toBe(true);
    const redis = openRedis(cluster.url, { commandTimeout: 5_000 });
    const commands = createCommandExecutor(world.client);
    const ledger = { store: world.client, commands, redis, identity, projections };
    const only = nameReadModel(subscriptions);
    const { readModels: described } = await describeReadModels(ledger, { formerKeptMs: 1, only });
    expect(described).toMatchObject([
      { isFed: true, generations: [{ state: 'answering', documents: bought.length }] },
    ]);
    const memory = await estimateRebuild(ledger, only);
    expect(memory.furtherBytes).toBe(described[0]?.generations[0]?.bytes);
    redis.disconnect();
  });

  it('a partition whose master hangs fails within its limit, others answer, and all do afterwards', async () => {
    const redis = openRedis(cluster.url, { commandTimeout: 500 });
    stops.push(async () => redis.disconnect());
    const keys = Array.from({ length: PARTITIONS }, (_, n) => `${partitionTag('hang', n)}:key`);
    for (const key of keys) await redis.set(key, 'x');
    const [hung] = cluster.nodes;
    hung?.server.pause();
    const whileHung = await Promise.allSettled(keys.map((key) => redisReply(redis.get(key))));
    hung?.server.resume();
    const reasons = whileHung.flatMap((each): unknown[] =>
      each.status === 'rejected' ? [each.reason] : [],
    );
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.length).toBeLessThan(PARTITIONS);
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'unavailable' });
    const answers = () => Promise.all(keys.map((key) => redis.get(key))).catch(() => []);
    await eventually(async () => (await answers()).every((answer) => answer === 'x'));
  });

  it('the read models of a release that is gone are deleted on every master', async () => {
    const store = await TestStore.start({ partitions: PARTITIONS });
    stops.push(() => store.stop());
    const { layoutId } = store.identity;
    const countDocuments = async () =>
      (await listKeys(`{sl:${layoutId}:p*:rm5:subscriptions.*:d`)).map(({ length }) => length);
    const older = projections.map((each) => ({ ...each, version: each.version + 1 }));
    const before = await startProjector(store, cluster.url, { projections: older });
    for (let n = 0; n < PARTITIONS; n += 1) {
      const id = nameId('sub', `${n}`, (n * 16).toString(16).padStart(2, '0'));
      await store.append(`subscription-${id}`, [subscriptionCreated(id)]);
    }
    const sum = async () => (await countDocuments()).reduce((total, each) => total + each);
    await eventually(async () => (await sum()) === PARTITIONS, { what: 'the documents' });
    expect(Math.min(...(await countDocuments()))).toBeGreaterThan(0);
    await before.stop();
    const after = await startProjector(store, cluster.url, { formerKeptMs: -1 });
    stops.push(() => after.stop());
    // Those of the release that is there now stay.
    await eventually(async () => (await sum()) === PARTITIONS, { what: 'its own alone' });
  });
});
