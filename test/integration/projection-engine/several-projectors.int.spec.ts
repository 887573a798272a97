import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  evolveSubscription,
  noSubscription,
  type Subscription,
  type SubscriptionEvent,
} from '#domain/subscription';
import { type ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
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
