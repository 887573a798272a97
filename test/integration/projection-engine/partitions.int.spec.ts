import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import type { BucketRange, LedgerStore } from '#event-store';
import { type LeaseKeys, Leases, type ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { startProgram } from '../../support/program.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
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

const PARTITIONS = 16;
const WAIT = { timeoutMs: 20_000 };
/** None runs out while a test runs: a lease that moves was given back. */
const LONG = { lastsMs: 60_000, everyMs: 50 };

describe('projectors that share the partitions', () => {
  let server: RunningRedis;
  let redis: Redis;
  let store: TestStore;
  let readModels: ReadModels;
  const ids = Array.from({ length: 2 * PARTITIONS }, (_, number) =>
    nameId('sub', `${number}`, (number * 8).toString(16).padStart(2, '0')),
  );

  beforeEach(async () => {
    [server, store] = await Promise.all([
      startRedis(),
      TestStore.start({ partitions: PARTITIONS }),
    ]);
    redis = new Redis(server.url);
    readModels = openReadModels(store, server.url);
  });

  afterEach(async () => {
    redis.disconnect();
    await readModels.close();
    await Promise.all([server.stop(), store.stop()]);
  });

  /** How many partitions of the subscriptions each projector holds, by its name. */
  const countHeld = async () => {
    const keys = await redis.keys('{*}:projector:subscriptions.*:lease');
    const holders = keys.length === 0 ? [] : await redis.mget(keys);
    const counts: Record<string, number> = {};
    for (const holder of holders) if (holder) counts[holder] = (counts[holder] ?? 0) + 1;
    return counts;
  };
  /** Of each partition, the projectors that hold any read model of it. */
  const listHolders = async () => {
    const byPartition = new Map<string, Set<string | null>>();
    for (const key of await redis.keys('{*}:projector:*:lease')) {
      const tag = key.slice(0, key.indexOf('}'));
      const holders = byPartition.get(tag) ?? new Set();
      byPartition.set(tag, holders.add(await redis.get(key)));
    }
    return [...byPartition.values()];
  };
  const untilHeld = (counts: Record<string, number>) =>
    eventually(async () => JSON.stringify(await countHeld()) === JSON.stringify(counts), {
      what: JSON.stringify(counts),
    });
  const appendToAll = async (event: ReturnType<typeof subscriptionCreated>) => {
    let last = '';
    for (const id of ids) last = await store.append(`subscription-${id}`, [event]);
    return last;
  };
  const createAll = async () => {
    let last = '';
    for (const id of ids) {
      last = await store.append(`subscription-${id}`, [subscriptionCreated(id)]);
    }
    return last;
  };
  const expectAllAt = async (revision: number) => {
    for (const id of ids)
      expect(await readModels.ask(subscriptions).byId(id)).toMatchObject({ revision });
  };

  it('hold half of them each, fold each event once, and every document is right', async () => {
    const [events, fenced] = [await readCount('events'), await readCount('fenced')];
    const filters: (readonly BucketRange[] | undefined)[] = [];
    const subscribe: LedgerStore['subscribe'] = (options) => {
      filters.push(options.buckets);
      return store.client.subscribe(options);
    };
    const client = { ...store.client, subscribe };
    const first = await startProjector(store, server.url, { holder: 'a', leases: LONG, client });
    const second = await startProjector(store, server.url, { holder: 'b', leases: LONG, client });
    await eventually(async () => {
      const { a, b } = await countHeld();
      return a === PARTITIONS / 2 && b === PARTITIONS / 2;
    });
    expect(filters[0]).toBeUndefined();
    // The read models of a process are read for together, in the same partitions.
    const shares = () => filters.filter((ranges) => ranges?.length === PARTITIONS / 2);
    const readFirsts = () => shares().flatMap((ranges) => ranges?.map(({ first: from }) => from));
    await eventually(() => new Set(readFirsts()).size === PARTITIONS);
    // An event is counted for each feed: those of one partition are one when all of it is held together, and built.
    await eventually(async () => (await listHolders()).every((holders) => holders.size === 1));
    const isBuilt = () =>
      readModels.requireBuilt().then(
        () => true,
        () => false,
      );
    await eventually(isBuilt);
    await createAll();
    await readModels.waitFor(await appendToAll(subscriptionCanceled), WAIT);
    await expectAllAt(1);
    expect((await readCount('events')) - events).toBe(2 * ids.length);
    // A released partition was no longer worked on.
    expect(await readCount('fenced')).toBe(fenced);
    const page = await readModels
      .ask(subscriptions)
      .list('app_1', { status: 'canceled', limit: 100 });
    expect(page.documents).toHaveLength(ids.length);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('take over at once what another one gave back at its stop', async () => {
    const first = await startProjector(store, server.url, { holder: 'a', leases: LONG });
    await untilHeld({ a: PARTITIONS });
    const second = await startProjector(store, server.url, { holder: 'b', leases: LONG });
    await readModels.waitFor(await createAll(), WAIT);
    await first.stop();
    expect(await countHeld()).not.toHaveProperty('a');
    await readModels.waitFor(await appendToAll(subscriptionCanceled), WAIT);
    await expectAllAt(1);
    await untilHeld({ b: PARTITIONS });
    await second.stop();
    expect(await countHeld()).toEqual({});
  });

  it('take over what a killed one held, as soon as its leases have run out', async () => {
    const env = {
      EVENTSTOREDB_URL: store.connectionString,
      REDIS_URL: server.url,
      INSTANCE_NAME: 'killed',
      ADMIN_PORT: '0',
      LOG_LEVEL: 'info',
    };
    const killed = await startProgram('projector', env);
    await readModels.waitFor(await createAll(), WAIT);
    expect(await countHeld()).toEqual({ killed: PARTITIONS });
    await killed.kill();
    const next = await startProjector(store, server.url, { holder: 'b' });
    await readModels.waitFor(await appendToAll(subscriptionCanceled), WAIT);
    await readModels.waitFor(await appendToAll(subscriptionReactivated), WAIT);
    await expectAllAt(2);
    await untilHeld({ b: PARTITIONS });
    await next.stop();
  });

  it('are ready and idle while others hold everything, and go on when they no longer do', async () => {
    const taken = await Promise.all((await findLeases()).map(takeAll));
    const idle = await startProjector(store, server.url, { holder: 'idle', leases: LONG });
    const position = await createAll();
    expect(await countHeld()).toEqual({ x: PARTITIONS });
    for (const { others, held } of taken) {
      for (const lease of held) if (lease !== undefined) await others.release(lease);
      await others.leave();
    }
    await readModels.waitFor(position, WAIT);
    await expectAllAt(0);
    await idle.stop();
  });

  /** All partitions of a read model, in the hands of another process. */
  async function takeAll(keys: LeaseKeys) {
    const others = new Leases({ redis, keys, holder: 'x', lastsMs: 60_000 });
    await others.beat();
    const numbers = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    return { others, held: await Promise.all(numbers.map((number) => others.acquire(number))) };
  }

  /** Where projectors of this release keep their leases, as one of them shows. */
  async function findLeases(): Promise<LeaseKeys[]> {
    const shown = await startProjector(store, server.url, { holder: 'shown', leases: LONG });
    await untilHeld({ shown: PARTITIONS });
    const keys = await redis.keys('{*:p0}:projector:*:lease');
    await shown.stop();
    const { layoutId } = store.identity;
    return keys.map((key) => {
      const [, name = ''] = /:projector:(.+):lease$/.exec(key) ?? [];
      return {
        members: `sl:${layoutId}:projector:${name}:members`,
        prefix: (partition: number) => `{sl:${layoutId}:p${partition}}:projector:${name}`,
      };
    });
  }
});
