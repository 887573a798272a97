import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import {
  evolveSubscription,
  noSubscription,
  type Subscription,
  type SubscriptionEvent,
} from '#domain/subscription';
import { type LedgerStore } from '#event-store';
import { sleepUnlessAborted } from '#platform';
import { type ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionExpired,
  subscriptionReactivated,
  TestStore,
  openReadModels,
} from './support.js';

const STREAMS = 30;
const ROUNDS = 20;
/** Longer than partitions stay in one hand: a look at the leases every 50 ms sees each change. */
const OPENS_AFTER_MS = 400;
const CHANGE_EVERY_MS = 100;
/** As many events as a follower is handed at once, or fewer. */
const BATCH_SIZE = 128;
const WAIT = { timeoutMs: 20_000 };
const LIFE = [subscriptionCanceled, subscriptionReactivated, subscriptionExpired];

/** Several projectors share the partitions; each batch is applied by one of them, whichever dies. */
describe.each([1, 16])('several projectors over %i partition(s)', (partitions) => {
  let redis: RunningRedis;
  let store: TestStore;
  let readModels: ReadModels;

  beforeEach(async () => {
    [redis, store] = await Promise.all([
      startRedis({ appendOnly: true }),
      TestStore.start({ partitions }),
    ]);
    readModels = openReadModels(store, redis.url);
  });

  afterEach(async () => {
    await readModels.close();
    await Promise.all([redis.stop(), store.stop()]);
  });

  it('give the documents that a fold from the first event gives, and lists that agree', async () => {
    let isOver = false;
    const steady = await startProjector(store, redis.url);
    const coming = comeAndGo(() => isOver);
    const states = new Map<string, { state: Subscription; revision: number }>();
    let position = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = Array.from({ length: STREAMS }, (_, number) => `sub_${number}`);
      const chosen = ids.filter(() => Math.random() < 0.3);
      const positions = await Promise.all(chosen.map((id) => appendTo(id, states)));
      position = positions.reduce((last, each) => (each > last ? each : last), position);
    }
    await readModels.waitFor(position, WAIT);
    isOver = true;
    await coming;
    await steady.stop();

    for (const [id, { state, revision }] of states) {
      expect(await readModels.ask(subscriptions).byId(id)).toMatchObject({ state, revision });
    }
    for (const status of ['active', 'canceled', 'expired'] as const) {
      const page = await readModels.ask(subscriptions).list('app_1', { status, limit: STREAMS });
      const listed = page.documents.map((document) => document.state.subscriptionId).sort();
      const expected = [...states].filter(([, { state }]) => state.status === status);
      expect(listed).toEqual(expected.map(([id]) => id).sort());
    }
  });

  it('rebuild together after a loss, without undoing each other', async () => {
    let position = '';
    const states = new Map<string, { state: Subscription; revision: number }>();
    for (let number = 0; number < STREAMS; number += 1) {
      position = await appendTo(`sub_${number}`, states);
    }
    const projectors = await Promise.all([1, 2, 3].map(() => startProjector(store, redis.url)));
    await redis.command('FLUSHALL');
    await readModels.waitFor(position, WAIT);
    await Promise.all(projectors.map((projector) => projector.stop()));
    const last = await startProjector(store, redis.url);
    for (const [id, { revision }] of states) {
      expect(await readModels.ask(subscriptions).byId(id)).toMatchObject({ revision });
    }
    await last.stop();
  });

  /** A second projector that is stopped and started again all the while. */
  async function comeAndGo(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const projector = await startProjector(store, redis.url);
      await projector.stop();
    }
  }

  async function appendTo(
    id: string,
    states: Map<string, { state: Subscription; revision: number }>,
  ): Promise<string> {
    const before = states.get(id) ?? { state: noSubscription, revision: -1 };
    const event: SubscriptionEvent =
      before.revision === -1
        ? subscriptionCreated(id)
        : (LIFE[before.revision % LIFE.length] ?? subscriptionExpired);
    const state = evolveSubscription(before.state, event);
    states.set(id, { state, revision: before.revision + 1 });
    return store.append(`subscription-${id}`, [event]);
  }
});

describe('a projector', () => {
  it('moves on where partitions change hands faster than a subscription opens', async () => {
    const [redis, store] = await Promise.all([startRedis(), TestStore.start({ partitions: 16 })]);
    const readModels = openReadModels(store, redis.url);
    const projector = await startProjector(store, redis.url, {
      client: openingSlowly(store.client),
    });
    const over = new AbortController();
    const flapping = comeAndGo(redis.url, over.signal);
    for (let round = 0; round < 3; round += 1) {
      const name = `subscription-sub_${round}`;
      const position = await store.append(name, [subscriptionCreated(`sub_${round}`)]);
      await readModels.waitFor(position, WAIT);
    }
    // No reader waits for these: a read of one stream moves the partitions that have nothing of it, too.
    await store.append('subscription-sub_0', Array(2 * BATCH_SIZE).fill(subscriptionReactivated));
    const last = [subscriptionCreated('sub_last')];
    await store.append('subscription-sub_last', last);
    const isThere = async () =>
      (await readModels.ask(subscriptions).byId('sub_last')) !== undefined;
    await eventually(isThere);
    over.abort();
    await flapping;
    await projector.stop();
    await readModels.close();
    await Promise.all([redis.stop(), store.stop()]);
  });

  /** One that is alive for a moment and holds nothing, again and again: shares change with it. */
  async function comeAndGo(url: string, signal: AbortSignal): Promise<void> {
    const redis = new Redis(url);
    const members = await redis.keys('*:members');
    for (let isThere = false; !signal.aborted; isThere = !isThere) {
      const change = (key: string) =>
        isThere ? redis.zrem(key, 'guest') : redis.zadd(key, Date.now() + 60_000, 'guest');
      await Promise.all(members.map(change));
      await sleepUnlessAborted(CHANGE_EVERY_MS, signal);
    }
    redis.disconnect();
  }

  function openingSlowly(client: LedgerStore): LedgerStore {
    const subscribe: LedgerStore['subscribe'] = async function* (options) {
      await sleepUnlessAborted(OPENS_AFTER_MS, options.signal);
      yield* client.subscribe(options);
    };
    return new Proxy(client, {
      get: (target, name) => {
        const value: unknown = name === 'subscribe' ? subscribe : Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
});
