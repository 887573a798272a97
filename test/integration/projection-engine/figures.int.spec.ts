import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectionAggregate } from '#domain/projection';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import { metrics } from '#platform';
import { findReadModel, type ReadModels } from '#projection-engine';
import { plans, subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { openReadModels, startProjector, subscriptionCreated, TestStore } from './support.js';

const PROJECTIONS = [plans, subscriptions];
const WAIT = { timeoutMs: 20_000 };

/** The samples of a metric: its labels, joined, and the value. */
async function read(name: string): Promise<Map<string, number>> {
  const shown = await metrics.getSingleMetric(`subledger_${name}`)?.get();
  return new Map(
    shown?.values.map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

describe('the figures of a projector', () => {
  let redis: RunningRedis;
  let store: TestStore;
  let readModels: ReadModels;
  let projector: Awaited<ReturnType<typeof startProjector>>;
  let name: string;

  beforeAll(async () => {
    [redis, store] = await Promise.all([startRedis(), TestStore.start({ partitions: 2 })]);
    ({ name } = findReadModel(subscriptions, store.identity));
    for (const id of ['sub_1', 'sub_2', 'sub_3']) {
      await store.append(`subscription-${id}`, [subscriptionCreated(id)]);
    }
    projector = await startProjector(store, redis.url, { projections: PROJECTIONS });
    readModels = openReadModels(store, redis.url, PROJECTIONS);
  });

  afterAll(async () => {
    await projector.stop();
    await readModels.close();
    await Promise.all([redis.stop(), store.stop()]);
  });

  const states = async () => {
    const found = await read('projection_generations');
    const shown = [...found].filter(([labels, count]) => labels.startsWith(name) && count > 0);
    return shown.map(([labels, count]) => `${count} ${labels.slice(name.length + 1)}`);
  };
  const untilStates = (expected: readonly string[]) =>
    eventually(async () => String(await states()) === String(expected), {
      what: `the states ${String(expected)}`,
    });

  it('count generations by state, once for all partitions, and no event that is not applied', async () => {
    await untilStates(['1 answering']);
    const current = new Map(
      PROJECTIONS.map((each) => [findReadModel(each, store.identity).name, 0]),
    );
    // The figures may still be of the moment before the build was over.
    await eventually(
      async () => isDeepStrictEqual(await read('projection_oldest_unapplied_seconds'), current),
      { what: 'no event that is not applied' },
    );
    await eventually(async () => (await read('rebuild_events')).size === 0, { what: 'no build' });
  });

  it('show a rebuild that waits for its swap, with the events done and to do', async () => {
    const now = new Date().toISOString();
    const reason = 'a test';
    const context = { appId: '', environment: 'production', actor: 'operator', now } as const;
    const hold = { hold: true, maxPerSecond: null };
    await createCommandExecutor(store.client).execute(
      projectionAggregate,
      'subscriptions',
      { kind: 'RequestRebuild', readModel: name, reason, ...hold },
      { ...context, correlationId: reason },
    );
    await untilStates(['1 verified', '1 answering']);
    expect(await read('rebuild_events')).toEqual(
      new Map([
        [`${name} done`, 3],
        [`${name} target`, 3],
      ]),
    );
  });

  it('show the age of the newest event, also where nothing is new', async () => {
    const age = async () => (await read('projection_head_age_seconds')).get('') ?? NaN;
    const [before, sinceMs] = [await age(), Date.now()];
    const ofFormerHead = () => before + (Date.now() - sinceMs) / 1_000;
    expect(before).toBeGreaterThan(0);
    await eventually(async () => (await age()) > before + 1, { what: 'an older head' });
    await store.append('subscription-sub_4', [subscriptionCreated('sub_4')]);
    await eventually(async () => (await age()) < ofFormerHead() - 0.5, { what: 'a new head' });
  });

  it('show the age of the oldest event that is not applied, while a projector is given none', async () => {
    await projector.stop();
    const position = await store.append('subscription-sub_5', [subscriptionCreated('sub_5')]);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { client } = store;
    const held: LedgerStore = {
      ...client,
      subscribe: async function* (options) {
        if (options.categories.includes('subscription')) await released;
        yield* client.subscribe(options);
      },
    };
    const started = startProjector(store, redis.url, { client: held, projections: PROJECTIONS });
    const age = async () => (await read('projection_oldest_unapplied_seconds')).get(name) ?? 0;
    await eventually(async () => (await age()) > 0, { what: 'a lag' });
    release();
    projector = await started;
    await readModels.waitFor(position, WAIT);
    await eventually(async () => (await age()) === 0, { what: 'the end of the lag' });
  });
});
