import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectionAggregate } from '#domain/projection';
import { createCommandExecutor } from '#event-store';
import { findReadModel, type Obstacle, type ReadModels } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import { subscriptions } from '#projections';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { eventually } from '../../support/eventually.js';
import { openReadModels, startProjector, subscriptionCreated, TestStore } from './support.js';

const WAIT = { timeoutMs: 20_000 };

/** The next release's version, with a planted fault: each subscription has the plan of another one. */
function raiseWithFault(right: Projection<unknown>): Projection<unknown> {
  return {
    ...right,
    version: right.version + 1,
    project: (before, event) => ({
      ...(right.project(before, event) as object),
      planId: 'plan_of_another',
    }),
  };
}

const faulty = raiseWithFault(subscriptions);

describe('a raised version that the gate holds', () => {
  let redis: RunningRedis;
  let store: TestStore;
  let old: ReadModels;
  let next: ReadModels;
  let name: string;
  let told: (readonly Obstacle[])[];
  let projectors: Awaited<ReturnType<typeof startProjector>>[];
  const acts = async () => {
    const commands = createCommandExecutor(store.client);
    return (await commands.load(projectionAggregate, 'subscriptions')).state;
  };

  beforeAll(async () => {
    [redis, store] = await Promise.all([startRedis(), TestStore.start({ partitions: 3 })]);
    await store.append('subscription-sub_1', [subscriptionCreated('sub_1')]);
    old = openReadModels(store, redis.url, [subscriptions]);
    next = openReadModels(store, redis.url, [faulty]);
    ({ name } = findReadModel(faulty, store.identity));
    told = [];
    const former = await startProjector(store, redis.url, { projections: [subscriptions] });
    const onObstacles = (obstacles: readonly Obstacle[]) => void told.push(obstacles);
    const release = { projections: [faulty], onObstacles };
    projectors = [former, await startProjector(store, redis.url, release)];
  });

  afterAll(async () => {
    await Promise.all(projectors.map((projector) => projector.stop()));
    await Promise.all([old.close(), next.close()]);
    await Promise.all([redis.stop(), store.stop()]);
  });

  it('makes its projector and its readers say why they are not ready, and which commands help', async () => {
    const sentence =
      `The gate holds generation 1 of ${name}, and ` +
      `${findReadModel(subscriptions, store.identity).name} answers in its place: ` +
      'type subledger projections swap subscriptions --anyway --reason "...", or start the former release again.';
    await expect(next.requireBuilt()).rejects.toMatchObject({ code: 'unavailable' });
    const [obstacle] = await next.findObstacles(acts);
    expect(obstacle?.sentence).toBe(sentence);
    expect(obstacle?.findings[0]).toContain('plan_of_another');
    expect(told).toEqual([[obstacle]]);
  });

  it('has no obstacle in a Redis that was emptied, where nothing is held', async () => {
    const empty = await startRedis();
    const readModels = openReadModels(store, empty.url, [faulty]);
    await expect(readModels.requireBuilt()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await readModels.findObstacles(acts)).toEqual([]);
    await readModels.close();
    await empty.stop();
  });

  it('leaves the former release answering and fed', async () => {
    const position = await store.append('subscription-sub_2', [subscriptionCreated('sub_2')]);
    await old.waitFor(position, WAIT);
    expect(await old.ask(subscriptions).byId('sub_2')).toMatchObject({ revision: 0 });
    expect(await old.findObstacles(acts)).toEqual([]);
  });

  it('answers once an operator lets it, and nothing is in the way any more', async () => {
    const swap = {
      kind: 'SwapGeneration',
      readModel: name,
      anyway: true,
      reason: 'a test',
    } as const;
    const now = new Date().toISOString();
    await createCommandExecutor(store.client).execute(
      projectionAggregate,
      'subscriptions',
      { ...swap, now, formerKeptMs: 60_000 },
      { appId: '', environment: 'production', actor: 'operator', correlationId: 'a test', now },
    );
    await projectors[1]?.ready;
    await next.requireBuilt();
    await eventually(() => told.length === 2, { what: 'the end of the obstacle' });
    expect(told[1]).toEqual([]);
    expect(await next.findObstacles(acts)).toEqual([]);
  });
});
