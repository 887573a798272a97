import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectionAggregate } from '#domain/projection';
import { createCommandExecutor } from '#event-store';
import { newUuid, wallClock } from '#platform';
import { nameReadModel, type ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  planCreated,
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  TestStore,
  openReadModels,
} from './support.js';

const WAIT = { timeoutMs: 10_000 };
const IDS = ['sub_1', 'sub_2', 'sub_3'];

/** Whatever Redis loses comes back from the event store, and until then nothing is answered wrongly. */
describe('read models after a loss', () => {
  let redis: RunningRedis;
  let store: TestStore;
  let projector: Awaited<ReturnType<typeof startProjector>>;
  let readModels: ReadModels;

  beforeEach(async () => {
    [redis, store] = await Promise.all([startRedis({ appendOnly: true }), TestStore.start()]);
    let position = '';
    for (const id of IDS) {
      position = await store.append(`subscription-${id}`, [subscriptionCreated(id)]);
    }
    projector = await startProjector(store, redis.url);
    readModels = openReadModels(store, redis.url);
    await readModels.waitFor(position, WAIT);
  });

  afterEach(async () => {
    await readModels.close();
    await projector.stop();
    await redis.stop();
    await store.stop();
  });

  const found = async () => {
    const page = await readModels.ask(subscriptions).list('app_1', { limit: 100 });
    return page.documents.map(({ state }) => state.subscriptionId).sort();
  };

  /** Asks until there is an answer; every answer but "unavailable" must be the right one. */
  const untilAnswered = () =>
    eventually(async () => {
      try {
        expect(await found()).toEqual(IDS);
        expect(await readModels.ask(subscriptions).byId('sub_2')).toMatchObject({ revision: 0 });
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'unavailable', retryable: true });
        return false;
      }
    });

  it('are rebuilt when Redis was killed and comes back empty', async () => {
    await redis.kill();
    await expect(readModels.ask(subscriptions).byId('sub_1')).rejects.toMatchObject({
      code: 'unavailable',
    });
    const empty = await startRedis({ port: redis.port });
    await untilAnswered();
    const position = await store.append('subscription-sub_1', [subscriptionCanceled]);
    await readModels.waitFor(position, WAIT);
    expect((await readModels.ask(subscriptions).byId('sub_1'))?.state.status).toBe('canceled');
    await projector.stop();
    await empty.stop();
  });

  it('go on where they were when Redis was killed and kept its file', async () => {
    await redis.kill();
    const position = await store.append('subscription-sub_1', [subscriptionCanceled]);
    const kept = await startRedis({ port: redis.port, dir: redis.dir, appendOnly: true });
    await untilAnswered();
    await readModels.waitFor(position, WAIT);
    expect((await readModels.ask(subscriptions).byId('sub_1'))?.revision).toBe(1);
    await projector.stop();
    await kept.stop();
  });

  it('are rebuilt when Redis is emptied while nothing happens in the store', async () => {
    await redis.command('FLUSHALL');
    await expect(readModels.ask(subscriptions).byId('sub_1')).rejects.toMatchObject({
      code: 'unavailable',
    });
    await untilAnswered();
  });

  it('fail fast, and come back, when Redis does not answer', async () => {
    redis.pause();
    await expect(readModels.ask(subscriptions).byId('sub_1')).rejects.toMatchObject({
      code: 'unavailable',
    });
    redis.resume();
    await untilAnswered();
  });

  it('never meet those of another ledger in the same Redis', async () => {
    const other = await TestStore.start();
    const position = await other.append('subscription-sub_other', [
      subscriptionCreated('sub_other'),
    ]);
    const others = openReadModels(other, redis.url);
    const beside = await startProjector(other, redis.url);
    await others.waitFor(position, WAIT);
    expect((await others.ask(subscriptions).list('app_1', { limit: 10 })).documents).toHaveLength(
      1,
    );
    expect(await others.ask(subscriptions).byId('sub_1')).toBeUndefined();
    await untilAnswered();
    await beside.stop();
    await others.close();
    await other.stop();
  });

  it('are left alone when another store answers at the address of their own', async () => {
    await projector.stop();
    const require = async () => ({ ...store.identity, layoutId: 'another' });
    // Of the namespaces, no more than this is asked.
    const namespaces = { require } as unknown as TestStore['client']['namespaces'];
    const started = startProjector(store, redis.url, { client: { ...store.client, namespaces } });
    await expect(started).rejects.toThrow('the ledger is another one now');
    await untilAnswered();
  });

  describe('of the store, which was restored to an earlier state,', () => {
    let now: TestStore;
    let restored: TestStore;

    beforeEach(async () => {
      await projector.stop();
      await store.halt();
      now = await TestStore.start({ from: store.dataDir });
      projector = await startProjector(now, redis.url);
      // So many that a few acts in the restored store do not reach them.
      for (let lost = 0; lost < 20; lost += 1) {
        await now.append(`plan-plan_${lost}`, [planCreated(`plan_${lost}`, `code_${lost}`)]);
      }
      const position = await now.append('subscription-sub_1', [subscriptionCanceled]);
      await readModels.waitFor(position, WAIT);
      await projector.stop();
      await now.stop();
      restored = await TestStore.start({ from: store.dataDir });
    });

    afterEach(async () => {
      await projector.stop();
      await restored.stop();
    });

    const readRevision = async () => (await readModels.ask(subscriptions).byId('sub_1'))?.revision;

    it('are built anew beside the old ones, which answer until then', async () => {
      projector = await startProjector(restored, redis.url, { aheadBelievedAfterMs: -1 });
      // Never in between: no answer is missing while they are built.
      await eventually(async () => (await readRevision()) === 0);
      await untilAnswered();
      const position = await restored.append('subscription-sub_1', [subscriptionCanceled]);
      await readModels.waitFor(position, WAIT);
      expect(await readRevision()).toBe(1);
    });

    it('are built anew also beside a generation that an operator holds', async () => {
      projector = await startProjector(restored, redis.url);
      const readModel = nameReadModel(subscriptions);
      const rebuild = { readModel, reason: 'a test', hold: true, maxPerSecond: null };
      const commands = createCommandExecutor(restored.client);
      await commands.execute(
        projectionAggregate,
        subscriptions.name,
        { kind: 'RequestRebuild', ...rebuild },
        {
          ...{ appId: '', environment: 'production', actor: 'operator:test' },
          ...{ correlationId: newUuid(), now: wallClock.now() },
        },
      );
      const countBuilding = `EVAL "return #redis.call('KEYS','*:building')" 0`;
      const isBuilding = async () => (await redis.command(countBuilding)) === ':1';
      await eventually(isBuilding);
      await projector.stop();
      expect(await readRevision()).toBe(1);
      projector = await startProjector(restored, redis.url, { aheadBelievedAfterMs: -1 });
      await eventually(async () => (await readRevision()) === 0);
      await eventually(isBuilding);
    });

    it('are kept while that is but a suspicion', async () => {
      const heads: string[] = [];
      const headPosition = async () => {
        heads.push(await restored.client.headPosition());
        return heads.at(-1) ?? '';
      };
      const client = { ...restored.client, headPosition };
      projector = await startProjector(restored, redis.url, { client });
      // Once at the start, and once by the watch.
      await eventually(() => heads.length >= 2);
      expect(await readRevision()).toBe(1);
      const countBuilding = `EVAL "return #redis.call('KEYS','*:building')" 0`;
      expect(await redis.command(countBuilding)).toBe(':0');
    });

    it('are kept while the store still has the event that they stand at', async () => {
      let looked = 0;
      const hasEventAt = async () => (looked += 1) > 0;
      const client = { ...restored.client, hasEventAt };
      projector = await startProjector(restored, redis.url, { client, aheadBelievedAfterMs: -1 });
      await eventually(() => looked > 0);
      expect(await readRevision()).toBe(1);
    });
  });
});
