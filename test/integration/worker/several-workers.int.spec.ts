import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMilliseconds, addPeriods } from '#domain/calendar';
import { Partitions } from '#event-store';
import { workerKeys } from '#worker-state';
import { PartitionFeed } from '../../../apps/worker/src/feed/partition-feed.js';
import { ProgressNotifier } from '../../../apps/worker/src/feed/progress-notifier.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { listPaymentIds } from './payment-ids.js';
import type { RunningWorker } from './worker-here.js';
import { startWorkerProcess } from './worker-process.js';
import { World } from './world.js';

const PARTITIONS = 4;
const MONTH = { value: 1, unit: 'month' } as const;
/** Enough for every partition to have some. */
const PLAYERS = Array.from({ length: 8 }, (_, n) => `player-${n}`);

let world: World;
let receiver: WebhookReceiver;
let appId: string;

beforeAll(async () => {
  world = await World.start({ partitions: PARTITIONS });
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
  appId = await world.createApp();
  await world.addEndpoint(appId, receiver.url);
});
afterAll(() => world.stop());

const numbersHeld = (worker: RunningWorker) =>
  worker.partitions().map((partition) => partition.get(PartitionFeed).partition);

/** Until each has its share. */
async function shared(workers: readonly RunningWorker[]): Promise<void> {
  const share = PARTITIONS / workers.length;
  const isShared = () => workers.every((worker) => numbersHeld(worker).length === share);
  await eventually(isShared, { what: 'the share of each worker' });
}

/** Over all partitions. */
async function countInFlight(): Promise<number> {
  const { layoutId } = await world.client.namespaces.require();
  const redis = new Redis(world.redis.url);
  const keys = new Partitions(PARTITIONS).numbers.map((n) => workerKeys(layoutId, n).inFlight);
  const counts = await Promise.all(keys.map((key) => redis.zcard(key)));
  redis.disconnect();
  return counts.reduce((sum, count) => sum + count, 0);
}

const buyAll = (players: readonly string[]) =>
  Promise.all(players.map((player) => world.buy(appId, { player })));

const messageIdsFor = (subscriptionId: string) =>
  receiver.received
    .filter(({ data }) => [data['id'], data['subscription_id']].includes(subscriptionId))
    .map(({ headers }) => headers['webhook-id']);

/** One charge, and two messages, each known by its id; an attempt of one who was killed may be repeated. */
async function expectBoughtOnce(bought: readonly string[]): Promise<void> {
  for (const id of bought) expect(await listPaymentIds(world, id)).toHaveLength(1);
  const distinct = (id: string) => new Set(messageIdsFor(id)).size;
  await receiver.until(() => bought.every((id) => distinct(id) === 2));
}

describe('two workers in one ledger', () => {
  let workers: RunningWorker[];

  beforeAll(async () => {
    workers = [await world.startWorker(), await world.startWorker()];
    await shared(workers);
  });
  afterAll(async () => {
    for (const worker of workers) await worker.stop();
  });

  it('divide the work: each event is worked on by one of them, and once', async () => {
    const seen = new Map<string, number[]>();
    for (const [number, worker] of workers.entries()) {
      for (const partition of worker.partitions()) {
        partition.get(ProgressNotifier).observe({
          onProcessed: (events) => {
            for (const { id } of events) seen.set(id, [...(seen.get(id) ?? []), number]);
          },
        });
      }
    }
    const bought = await buyAll(PLAYERS);
    await expectBoughtOnce(bought);
    for (const id of bought) expect(messageIdsFor(id)).toHaveLength(2);
    const handled = [...seen.values()];
    expect(handled.filter((by) => by.length > 1)).toEqual([]);
    expect(new Set(handled.flat())).toEqual(new Set([0, 1]));
  });

  it('take a test clock to its target together, each renewal on its day', async () => {
    const app = await world.createApp();
    const bought = await Promise.all(
      PLAYERS.slice(0, 4).map((player) => world.buy(app, { player })),
    );
    const created = await Promise.all(bought.map((id) => world.subscription(id)));
    const last =
      created
        .map(({ createdAt }) => createdAt)
        .sort()
        .at(-1) ?? '';
    await world.advance(app, addMilliseconds(addPeriods(last, MONTH, 3), 1));
    for (const [at, id] of bought.entries()) {
      const events = await world.events(`subscription-${id}`);
      const renewals = events
        .filter(({ type }) => type === 'subscription.renewed.v1')
        .map(({ data }) => (data as { renewedAt: string }).renewedAt);
      const createdAt = created[at]?.createdAt ?? '';
      expect(renewals).toEqual([1, 2, 3].map((n) => addPeriods(createdAt, MONTH, n)));
    }
  });

  it('leave all of it to the one that stays, as soon as the other stops', async () => {
    const [first, second] = workers;
    await first?.stop();
    await eventually(() => second !== undefined && numbersHeld(second).length === PARTITIONS, {
      what: 'the partitions of the worker that stopped',
    });
    await expectBoughtOnce(await buyAll(PLAYERS.slice(0, 4)));
  });
});

describe('a worker that is gone without a word', () => {
  it('is replaced while it stands still, changes nothing when it goes on, and replaces one that was killed', async () => {
    const paused = await startWorkerProcess({ ...world.env, INSTANCE_NAME: 'a' });
    const other = await startWorkerProcess({ ...world.env, INSTANCE_NAME: 'b' });
    const buying = buyAll(PLAYERS);
    // In the middle of it.
    const before = receiver.received.length;
    await receiver.until(() => receiver.received.length > before);
    paused.pause();
    const bought = await buying;
    await expectBoughtOnce(bought);
    paused.resume();
    const later = buyAll(PLAYERS);
    await other.kill();
    await expectBoughtOnce([...bought, ...(await later)]);
    // However often work was begun by both, an ended delivery is in flight no more.
    await eventually(async () => (await countInFlight()) === 0, { what: 'the end of all work' });
    await paused.stop();
  });
});

describe('a worker with sixteen partitions', () => {
  it('holds at most forty connections to Redis', async () => {
    const large = await World.start({ partitions: 16 });
    const redis = new Redis(large.redis.url);
    const count = async () => ((await redis.client('LIST')) as string).trim().split('\n').length;
    const before = await count();
    const worker = await startWorkerProcess(large.env);
    const appOfLarge = await large.createApp();
    await large.buy(appOfLarge);
    const own = (await count()) - before;
    expect(own).toBeGreaterThan(16);
    expect(own).toBeLessThanOrEqual(40);
    await worker.stop();
    redis.disconnect();
    await large.stop();
  });
});
