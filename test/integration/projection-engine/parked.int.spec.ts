import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DomainEvent } from '#domain/event';
import { requestParkedRetry } from '#event-store';
import type { ReadModels } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import { projections, subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionReactivated,
  TestStore,
  openReadModels,
} from './support.js';

/** Longer than a busy machine takes: the awaited event comes. */
const WAIT = { timeoutMs: 30_000 };
const PAUSED: DomainEvent = { type: 'subscription.paused.v1', data: {} };
const CANCELED_V2: DomainEvent = { type: 'subscription.canceled.v2', data: {} };

/** This release's projections, with another one of subscriptions. */
function withSubscriptions(change: Partial<Projection<unknown>>): readonly Projection<unknown>[] {
  return projections.map((each) => (each.name === 'subscriptions' ? { ...each, ...change } : each));
}

/** The projections of a later release, which knows PAUSED. */
const laterProjections = withSubscriptions({
  eventTypes: [...subscriptions.eventTypes, PAUSED.type],
  project: (before, event) =>
    event.type === PAUSED.type
      ? before
      : subscriptions.project(before as Parameters<typeof subscriptions.project>[0], event),
});

/** This release with a mistake: it throws over an event that another release of the same version can apply. */
const faultyProjections = withSubscriptions({
  project: (before, event) => {
    if (event.type === subscriptionReactivated.type) throw new Error('a mistake of ours');
    return subscriptions.project(before as Parameters<typeof subscriptions.project>[0], event);
  },
});

/** An event that cannot be applied parks its stream, aloud, in a rebuild too; nothing is skipped. */
describe('an event that cannot be applied', () => {
  let redis: RunningRedis;
  let store: TestStore;
  let projector: Awaited<ReturnType<typeof startProjector>>;
  let readModels: ReadModels;

  beforeEach(async () => {
    [redis, store] = await Promise.all([startRedis(), TestStore.start()]);
    projector = await startProjector(store, redis.url);
    readModels = openReadModels(store, redis.url);
  });

  afterEach(async () => {
    await readModels.close();
    await projector.stop().catch(() => undefined);
    await Promise.all([redis.stop(), store.stop()]);
  });

  const readStatus = async (id: string) => {
    const document = await readModels.ask(subscriptions).byId(id);
    return document && [document.state.status, document.revision];
  };

  it.each([
    ['of an unknown type', PAUSED, 'unknown_type'],
    ['of a newer version', CANCELED_V2, 'newer_version'],
  ])('%s parks its stream, and the others go on', async (_, event, reason) => {
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1')]);
    await store.append('subscription-sub_1', [event, subscriptionCanceled]);
    await store.append('subscription-sub_1', [subscriptionReactivated]);
    const position = await store.append('subscription-sub_2', [subscriptionCreated('sub_2')]);
    await readModels.waitFor(position, WAIT);

    expect(await readStatus('sub_1')).toEqual(['active', 0]);
    expect(await readStatus('sub_2')).toEqual(['active', 0]);
    const found = { streamName: 'subscription-sub_1', revision: 1, reason };
    expect(await readModels.parked()).toEqual([
      expect.objectContaining({ ...found, readModel: 'subscriptions' }),
      expect.objectContaining({ ...found, readModel: 'due-dates' }),
    ]);
  });

  it('parks its stream in a rebuild, too, and the others are built', async () => {
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1'), PAUSED]);
    const position = await store.append('subscription-sub_2', [subscriptionCreated('sub_2')]);
    await readModels.waitFor(position, WAIT);
    await redis.command('FLUSHALL');
    // Each read model answers as soon as it is built.
    await eventually(async () => (await readModels.parked().catch(() => [])).length === 2);
    expect(await readStatus('sub_1')).toEqual(['active', 0]);
    expect(await readStatus('sub_2')).toEqual(['active', 0]);
  });

  it('is applied by a release that was mended, with what was held back', async () => {
    await projector.stop();
    projector = await startProjector(store, redis.url, { projections: faultyProjections });
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1'), subscriptionCanceled]);
    await store.append('subscription-sub_1', [subscriptionReactivated]);
    const held = await store.append('subscription-sub_1', [subscriptionCanceled]);
    await readModels.waitFor(held, WAIT);
    expect(await readStatus('sub_1')).toEqual(['canceled', 1]);
    expect(await readModels.parked()).toHaveLength(1);

    await projector.stop();
    projector = await startProjector(store, redis.url);
    await eventually(async () => (await readModels.parked()).length === 0);
    expect(await readStatus('sub_1')).toEqual(['canceled', 3]);
    const next = await store.append('subscription-sub_1', [subscriptionReactivated]);
    await readModels.waitFor(next, WAIT);
    expect(await readStatus('sub_1')).toEqual(['active', 4]);
  });

  it('is tried again when an operator asks for it', async () => {
    await projector.stop();
    let isMended = false;
    const mendable = withSubscriptions({
      project: (before, event) =>
        isMended
          ? subscriptions.project(before as Parameters<typeof subscriptions.project>[0], event)
          : faultyProjections.find(({ name }) => name === 'subscriptions')?.project(before, event),
    });
    projector = await startProjector(store, redis.url, { projections: mendable });
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1'), subscriptionCanceled]);
    const held = await store.append('subscription-sub_1', [subscriptionReactivated]);
    await readModels.waitFor(held, WAIT);
    await readModels.waitFor((await requestParkedRetry(store.client, 'test')).position, WAIT);
    expect(await readModels.parked()).toHaveLength(1);
    isMended = true;
    await requestParkedRetry(store.client, 'test');
    await eventually(async () => (await readModels.parked()).length === 0, { limitMs: 10_000 });
    expect(await readStatus('sub_1')).toEqual(['active', 2]);
  });

  it('is applied by the next release, which builds its own read models beside', async () => {
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1'), PAUSED]);
    await readModels.waitFor(
      await store.append('subscription-sub_1', [subscriptionCanceled]),
      WAIT,
    );
    const laterStore = await TestStore.start({
      from: await haltedCopy(),
      more: [PAUSED.type],
    });
    const release = { projections: laterProjections };
    const later = await startProjector(laterStore, redis.url, release);
    const laterModels = openReadModels(laterStore, redis.url, laterProjections);
    const document = await laterModels.ask(subscriptions).byId('sub_1');
    expect([document?.state.status, document?.revision]).toEqual(['canceled', 2]);
    // The due dates stayed the same, and are shared: there the stream stays parked.
    expect(await laterModels.parked()).toHaveLength(1);
    await laterModels.close();
    await later.stop();
    await laterStore.stop();
    // The old release still answers from its own documents.
    expect(await readStatus('sub_1')).toEqual(['active', 0]);
    expect(await countInUse()).toBe(projections.length + 1);
  });

  it('is gone with the read models of a release that runs no more', async () => {
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1')]);
    await projector.stop();
    projector = await startProjector(store, redis.url, {
      projections: laterProjections,
      formerKeptMs: -1,
    });
    await eventually(async () => (await countInUse()) === projections.length);
    await expect(readModels.ask(subscriptions).byId('sub_1')).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  /** How many read models were in use lately, of all releases. */
  async function countInUse(): Promise<number> {
    return Number((await redis.command(`ZCARD sl:${store.identity.layoutId}:rm5:in-use`)).slice(1));
  }

  /** The store's data, for a second server. */
  async function haltedCopy(): Promise<string> {
    await projector.stop();
    await store.halt();
    return store.dataDir;
  }
});
