import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import type { RecordedEvent } from '#domain/event';
import type { SubscriptionEvent } from '#domain/subscription';
import type { ReadModels } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import { dueDates, payments, projections, subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  nameId,
  openReadModels,
  paymentRequested,
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  TestStore,
} from './support.js';

const WAIT = { timeoutMs: 20_000 };
const PARTITIONS = 4;
const UNTIL = '9999-01-01T00:00:00.000Z';
const PLAYERS = ['0fd1e84b7796ab30c2d4e5f6015f2a9c', 'c4d1e84b7796ab30c2d4e5f6015f2a9c'];

interface Counts {
  readonly started: number;
  readonly asked: number;
}

/** Of one app, over all players: a part in each partition. It reads two categories that others read, too. */
const activity: Projection<Counts, { of(appId: string): Promise<Counts | undefined> }> = {
  name: 'activity',
  version: 1,
  categories: ['subscription', 'payment'],
  eventTypes: ['subscription.created.v2', 'payment.requested.v3'],
  ignoredTypes: subscriptions.eventTypes.filter((type) => type !== 'subscription.created.v2'),
  documents: {
    of: 'key',
    key: ({ metadata }) => [metadata.appId],
    merge: (parts) => ({
      started: parts.reduce((sum, { started }) => sum + started, 0),
      asked: parts.reduce((sum, { asked }) => sum + asked, 0),
    }),
  },
  initialState: { started: 0, asked: 0 },
  project: ({ started, asked }, { type }) =>
    type === 'payment.requested.v3'
      ? { started, asked: asked + 1 }
      : { started: started + 1, asked },
  indexes: () => [],
  queries: (read) => ({ of: (appId) => read.findByKey([appId]) }),
};

/** Of one player, in whatever stream: it lies where everything of the player does. */
const lastSeen: Projection<string, { at(player: string): Promise<string | undefined> }> = {
  ...activity,
  name: 'last-seen',
  documents: { of: 'player', key: () => [] },
  codec: undefined,
  initialState: '',
  project: (before, event) => {
    const { data } = event as RecordedEvent & SubscriptionEvent;
    return 'createdAt' in data && data.createdAt > before ? data.createdAt : before;
  },
  indexes: () => [],
  queries: (read) => ({ at: async (player) => (await read.findForPlayer(player, []))?.state }),
};

const withMore = [...projections, activity, lastSeen];

describe('several projections', () => {
  let server: RunningRedis;
  let redis: Redis;
  let store: TestStore;
  let readModels: ReadModels;
  let projector: Awaited<ReturnType<typeof startProjector>>;
  const ids = Array.from({ length: 8 }, (_, number) => nameId('sub', `${number}`, `${number}0`));

  beforeEach(async () => {
    [server, store] = await Promise.all([
      startRedis(),
      TestStore.start({ partitions: PARTITIONS }),
    ]);
    redis = new Redis(server.url);
    readModels = openReadModels(store, server.url, withMore);
    projector = await startProjector(store, server.url, { projections: withMore });
  });

  afterEach(async () => {
    redis.disconnect();
    await projector.stop();
    await readModels.close();
    await Promise.all([server.stop(), store.stop()]);
  });

  const create = async () => {
    let last = '';
    for (const id of ids) {
      last = await store.append(`subscription-${id}`, [subscriptionCreated(id)]);
    }
    return last;
  };
  /** Which generation answers in a partition, by the name of the projection. */
  const findEpochs = async () => {
    const keys = await redis.keys('{*:p0}:rm5:*:checkpoint');
    const entries = keys.map(async (key) => {
      const { epoch } = JSON.parse((await redis.get(key)) ?? '{}') as { epoch?: string };
      return [/:rm5:([a-z-]+)\./.exec(key)?.[1], epoch] as const;
    });
    return Object.fromEntries(await Promise.all(entries)) as Record<string, string | undefined>;
  };

  it('read one category, and one of them several; parts of all partitions are merged', async () => {
    await create();
    const ofAll = ids.map((id, number) => ({ id, payment: nameId('pay', 'x', `${number}0`) }));
    let last = '';
    for (const { id, payment } of ofAll) {
      const requested = paymentRequested(payment, id, '2026-02-28T10:00:00.000Z');
      last = await store.append(`payment-${payment}`, [requested]);
    }
    await readModels.waitFor(last, WAIT);
    expect(await readModels.ask(activity).of('app_1')).toEqual({ started: 8, asked: 8 });
    expect(await readModels.ask(activity).of('app_2')).toBeUndefined();
    const page = await readModels.ask(subscriptions).list('app_1', { limit: 100 });
    expect(page.documents).toHaveLength(8);
    expect(await readModels.ask(dueDates).all({ until: UNTIL, limit: 100 })).toHaveLength(8);
  });

  it('find what is of one player, from any of their streams', async () => {
    const [player = '', other = ''] = PLAYERS;
    const days = [
      '2026-01-05T00:00:00.000Z',
      '2026-01-07T00:00:00.000Z',
      '2026-01-06T00:00:00.000Z',
    ];
    let last = '';
    for (const [number, day] of days.entries()) {
      const id = nameId('sub', `of player ${number}`, '0f');
      const created = subscriptionCreated(id, day, { player });
      last = await store.append(`subscription-${id}`, [created], { player });
    }
    await readModels.waitFor(last, WAIT);
    expect(await readModels.ask(lastSeen).at(player)).toBe(days[1]);
    expect(await readModels.ask(lastSeen).at(other)).toBeUndefined();
  });

  it('are counted once each, whatever their projector meets on its way', async () => {
    const last = await create();
    await readModels.waitFor(last, WAIT);
    await projector.stop();
    // The second projector goes on exactly where the first has left a taken-over partition.
    const more = nameId('sub', 'more', 'f0');
    const position = await store.append(`subscription-${more}`, [subscriptionCreated(more)]);
    projector = await startProjector(store, server.url, { projections: withMore });
    await readModels.waitFor(position, WAIT);
    expect(await readModels.ask(activity).of('app_1')).toMatchObject({ started: 9 });
  });

  it('are built alone when one has a new version, while the others answer', async () => {
    await readModels.waitFor(await create(), WAIT);
    const before = await findEpochs();
    await projector.stop();
    const raised = withMore.map((each) =>
      each.name === 'activity' ? { ...each, version: each.version + 1 } : each,
    );
    const next = openReadModels(store, server.url, raised);
    await expect(next.requireBuilt()).rejects.toMatchObject({ code: 'unavailable' });
    projector = await startProjector(store, server.url, { projections: raised });
    await next.requireBuilt();
    expect(await next.ask(activity).of('app_1')).toMatchObject({ started: 8 });
    const { activity: _, ...others } = await findEpochs();
    expect(before).toMatchObject(others);
    expect(Object.keys(others)).toHaveLength(withMore.length - 1);
    // The release before still has its own documents.
    expect(await readModels.ask(activity).of('app_1')).toMatchObject({ started: 8 });
    await next.close();
  });

  it('answer while another one has lost its documents and is built anew', async () => {
    await readModels.waitFor(await create(), WAIT);
    await projector.stop();
    const lost = await redis.keys('*:rm5:subscriptions.*:checkpoint');
    expect(lost).toHaveLength(PARTITIONS);
    await redis.del(lost);
    await expect(readModels.ask(subscriptions).byId(ids[0] ?? '')).rejects.toThrow('being built');
    expect(await readModels.ask(dueDates).all({ until: UNTIL, limit: 100 })).toHaveLength(8);
    const old = await redis.keys('*:rm5:subscriptions.*:d');
    projector = await startProjector(store, server.url, { projections: withMore });
    expect(await readModels.ask(subscriptions).byId(ids[0] ?? '')).toMatchObject({ revision: 0 });
    // Documents of the lost checkpoint are deleted, once.
    await eventually(async () => (await redis.exists(old)) === 0);
    await eventually(async () => (await redis.keys('*:leftovers')).length === 0);
  });

  it('have pages and positions that go on in another generation, in another version, and back again', async () => {
    const last = await create();
    await readModels.waitFor(last, WAIT);
    const list = async (release: ReadModels, after?: string) => {
      const page = await release.ask(subscriptions).list('app_1', { limit: 3, after });
      const found = page.documents.map(({ state }) => state.subscriptionId);
      return { found, nextAfter: page.nextAfter };
    };
    const first = await list(readModels);
    const second = await list(readModels, first.nextAfter);
    const third = await list(readModels, second.nextAfter);
    expect(new Set([first, second, third].flatMap(({ found }) => found)).size).toBe(ids.length);

    const before = await findEpochs();
    await projector.stop();
    await redis.del(await redis.keys('*:rm5:subscriptions.*:checkpoint'));
    const raised = withMore.map((each) =>
      each.name === 'subscriptions' ? { ...each, version: each.version + 1 } : each,
    );
    const next = openReadModels(store, server.url, raised);
    projector = await startProjector(store, server.url, { projections: withMore });
    const beside = await startProjector(store, server.url, { projections: raised, holder: 'next' });
    expect((await findEpochs())['subscriptions']).not.toBe(before['subscriptions']);
    for (const release of [readModels, next, readModels]) {
      await release.waitFor(last, WAIT);
      expect(await list(release, first.nextAfter)).toEqual(second);
      expect(await list(release, second.nextAfter)).toEqual(third);
    }
    await beside.stop();
    await next.close();
  });

  it('show no page that is remembered of the generation that answered before', async () => {
    const [id = ''] = ids;
    const payment = nameId('pay', 'x', '00');
    const requested = paymentRequested(payment, id, '2026-02-28T10:00:00.000Z');
    await readModels.waitFor(await store.append(`payment-${payment}`, [requested]), WAIT);
    const list = async () => {
      const { documents } = await readModels.ask(payments).list(id, { limit: 3 });
      return documents.map(({ state }) => state.amount.amountMinor);
    };
    await projector.stop();
    // An altered amount tells the former generation from the next one.
    for (const documents of await redis.keys('*:rm5:payments.*:d')) {
      const stored = await redis.hget(documents, payment);
      if (stored !== null) await redis.hset(documents, payment, stored.replace('"999"', '"998"'));
    }
    for (const _ of ['read', 'remembered']) expect(await list()).toEqual(['998']);
    await redis.del(await redis.keys('*:rm5:payments.*:checkpoint'));
    projector = await startProjector(store, server.url, { projections: withMore });
    expect(await list()).toEqual(['999']);
  });

  it('of two releases are fed side by side, each by those who know it', async () => {
    const raised = withMore.map((each) =>
      each.name === 'subscriptions' ? { ...each, version: each.version + 1 } : each,
    );
    const next = openReadModels(store, server.url, raised);
    const beside = await startProjector(store, server.url, { projections: raised, holder: 'next' });
    await create();
    let last = '';
    for (const id of ids) last = await store.append(`subscription-${id}`, [subscriptionCanceled]);
    for (const release of [readModels, next]) {
      await release.waitFor(last, WAIT);
      const page = await release
        .ask(subscriptions)
        .list('app_1', { status: 'canceled', limit: 100 });
      expect(page.documents).toHaveLength(8);
      expect(await release.ask(activity).of('app_1')).toMatchObject({ started: 8 });
    }
    await projector.stop();
    const again = await store.append(`subscription-${ids[0]}`, [subscriptionCanceled]);
    await next.waitFor(again, WAIT);
    expect(await next.ask(subscriptions).byId(ids[0] ?? '')).toMatchObject({ revision: 2 });
    await beside.stop();
    await next.close();
  });
});
