import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '#domain/event';
import { type Projection, projections } from '#projections';
import { createReadModels, type ReadModels } from '#projection-engine';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionReactivated,
  TestStore,
} from './support.js';

const WAIT = { timeoutMs: 5_000 };
const PAUSED: DomainEvent = { type: 'subscription.paused.v1', data: {} };
const CANCELED_V2: DomainEvent = { type: 'subscription.canceled.v2', data: {} };

/** The projections of a later release, which knows what PAUSED is. */
const laterProjections = projections.map((projection): Projection<unknown> => {
  if (projection.category !== 'subscription') return projection;
  return {
    ...projection,
    eventTypes: [...projection.eventTypes, PAUSED.type],
    project: (before, event) =>
      event.type === PAUSED.type ? before : projection.project(before, event),
  };
});

/** What cannot be applied parks its stream, aloud, and stops a rebuild; nothing is skipped. */
describe('an event that cannot be applied', () => {
  let redis: RunningRedis;
  let store: TestStore;
  let projector: Awaited<ReturnType<typeof startProjector>>;
  let readModels: ReadModels;

  beforeEach(async () => {
    [redis, store] = await Promise.all([startRedis(), TestStore.start()]);
    projector = await startProjector(store, redis.url);
    readModels = createReadModels({ redis: redis.url, identity: store.identity });
  });

  afterEach(async () => {
    await readModels.close();
    await projector.stop().catch(() => undefined);
    await Promise.all([redis.stop(), store.stop()]);
  });

  const readStatus = async (id: string) => {
    const document = await readModels.subscription(id);
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
    expect(await readModels.parked()).toEqual([
      expect.objectContaining({ streamName: 'subscription-sub_1', revision: 1, reason }),
    ]);
  });

  it('that a projection does not bear parks its stream at that event', async () => {
    // A due date that is none cannot be listed.
    const unbearable = subscriptionCreated('sub_1', undefined, { currentPeriodEnd: 'never' });
    await store.append('subscription-sub_1', [unbearable]);
    const position = await store.append('subscription-sub_2', [subscriptionCreated('sub_2')]);
    await readModels.waitFor(position, WAIT);
    expect(await readStatus('sub_1')).toBeUndefined();
    expect(await readStatus('sub_2')).toEqual(['active', 0]);
    expect(await readModels.parked()).toHaveLength(1);
  });

  it('stays parked over a restart of the projector', async () => {
    const parkedAt = await store.append('subscription-sub_1', [
      subscriptionCreated('sub_1'),
      PAUSED,
    ]);
    await readModels.waitFor(parkedAt, WAIT);
    await projector.stop();
    projector = await startProjector(store, redis.url);
    const position = await store.append('subscription-sub_1', [subscriptionCanceled]);
    await readModels.waitFor(position, WAIT);
    expect(await readStatus('sub_1')).toEqual(['active', 0]);
    expect(await readModels.parked()).toHaveLength(1);
  });

  it('stops a rebuild, and nothing is answered', async () => {
    const position = await store.append('subscription-sub_1', [
      subscriptionCreated('sub_1'),
      PAUSED,
    ]);
    await readModels.waitFor(position, WAIT);
    await redis.command('FLUSHALL');
    await expect(projector.ended).rejects.toThrow(
      /event 1 of subscription-sub_1, a subscription.paused.v1: unknown_type/,
    );
    await expect(readModels.subscription('sub_1')).rejects.toMatchObject({ code: 'unavailable' });
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
    const laterModels = createReadModels({
      redis: redis.url,
      identity: laterStore.identity,
      ...release,
    });
    const document = await laterModels.subscription('sub_1');
    expect([document?.state.status, document?.revision]).toEqual(['canceled', 2]);
    expect(await laterModels.parked()).toEqual([]);
    await laterModels.close();
    await later.stop();
    await laterStore.stop();
    // The old release still answers from what it had.
    expect(await readStatus('sub_1')).toEqual(['active', 0]);
    expect(await redis.command(`ZCARD sl:${store.identity.layoutId}:rm2:namespaces`)).toBe(':2');
  });

  it('is gone with the read models of a release that runs no more', async () => {
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1')]);
    await projector.stop();
    projector = await startProjector(store, redis.url, {
      projections: laterProjections,
      namespaceKeptMs: -1,
    });
    await eventually(
      async () =>
        (await redis.command(`ZCARD sl:${store.identity.layoutId}:rm2:namespaces`)) === ':1',
    );
    await expect(readModels.subscription('sub_1')).rejects.toMatchObject({ code: 'unavailable' });
  });

  /** The store's data, for a second server. */
  async function haltedCopy(): Promise<string> {
    await projector.stop();
    await store.halt();
    return store.dataDir;
  }
});
