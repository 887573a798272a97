import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import calculateSlot from 'cluster-key-slot';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projections } from '#projections';
import { createReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  nameId,
  paymentRequested,
  planCreated,
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  TestStore,
} from './support.js';

const LUA = path.resolve('libs/projection-engine/src/lua');
const WAIT = { timeoutMs: 20_000 };

/** One call: the script's file, or the command, and the keys that it names. */
interface Call {
  readonly name: string;
  readonly keys: readonly string[];
}

const filesByHash = new Map(
  readdirSync(LUA).map((file) => {
    const hash = createHash('sha1').update(readFileSync(path.join(LUA, file)));
    return [hash.digest('hex'), file];
  }),
);

/** The scripts that were called, and the commands that name several keys. */
function readCall([command = '', script = '', count = '', ...rest]: string[]): Call[] {
  switch (command.toLowerCase()) {
    case 'evalsha':
      return [{ name: filesByHash.get(script) ?? script, keys: rest.slice(0, Number(count)) }];
    case 'mget':
      return [{ name: 'mget', keys: [script, count, ...rest].filter((key) => key !== '') }];
    default:
      return [];
  }
}

/** A Redis Cluster runs a script only where all of its keys lie on one slot. */
describe('the keys of a script', () => {
  let server: RunningRedis;
  let store: TestStore;
  const calls: Call[] = [];

  beforeAll(async () => {
    [server, store] = await Promise.all([startRedis(), TestStore.start({ partitions: 16 })]);
    const redis = new Redis(server.url);
    const monitor = await redis.monitor();
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      if (source !== 'lua') calls.push(...readCall(args));
    });
    await useEverything();
    monitor.disconnect();
    redis.disconnect();
  });

  afterAll(async () => {
    await Promise.all([server.stop(), store.stop()]);
  });

  it('lie on one slot, in every script of the read models and in reads of several keys', () => {
    expect(calls.length).toBeGreaterThan(0);
    const slots = (keys: readonly string[]) => [...new Set(keys.map((key) => calculateSlot(key)))];
    const torn = calls.filter(({ keys }) => slots(keys).length !== 1);
    expect(torn).toEqual([]);
  });

  it('were looked at in every script that there is', () => {
    const seen = new Set(calls.map(({ name }) => name));
    expect([...seen].sort()).toEqual([...filesByHash.values(), 'mget'].sort());
  });

  it('name the partition before anything else, so that others may share its slot', () => {
    const keys = calls.filter(({ name }) => name !== 'beat-1.lua').flatMap((call) => call.keys);
    const tag = new RegExp(`^\\{sl:${store.identity.layoutId}:p\\d+\\}:`);
    expect(keys.filter((key) => !tag.test(key))).toEqual([]);
  });

  /** Builds, feeds, reads, retires and gives back: whatever calls a script. */
  async function useEverything(): Promise<void> {
    const id = nameId('sub', 'x', '3f');
    const payment = nameId('pay', 'x', '3f');
    const older = projections.map((each) => ({ ...each, version: each.version + 1 }));
    const before = await startProjector(store, server.url, { projections: older });
    const created = subscriptionCreated(id);
    await store.append(`subscription-${id}`, [created, subscriptionCanceled]);
    const requested = paymentRequested(payment, id, '2026-02-28T10:00:00.000Z');
    await store.append(`payment-${payment}`, [requested]);
    const plan = nameId('plan', 'x', '77');
    const position = await store.append(`plan-${plan}`, [planCreated(plan, 'gold')]);
    const release = { redis: server.url, identity: store.identity, projections: older };
    const readModels = createReadModels(release);
    await readModels.waitFor(position, WAIT);
    await readModels.ask(subscriptions).list('app_1', { limit: 10 });
    await readModels.ask(subscriptions).byId(id);
    await before.stop();
    const after = await startProjector(store, server.url, { formerKeptMs: -1 });
    await eventually(() => calls.some(({ name }) => name === 'clear-keys-n.lua'));
    await after.stop();
    await readModels.close();
  }
});
