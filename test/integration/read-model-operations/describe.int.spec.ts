import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findReadModel, openReadModel } from '#projection-engine';
import { subscriptions } from '#projections';
import { describeReadModels, estimateRebuild, findReadModelNamed } from '#read-model-operations';
import { eventually } from '../../support/eventually.js';
import { startProjector, subscriptionCreated } from '../projection-engine/support.js';
import { BuiltLedger } from '../verification/support.js';
import { act, describeOne, NAMED, nameStates, openOperations } from './support.js';

let built: BuiltLedger;
beforeAll(async () => {
  built = await BuiltLedger.build([subscriptions]);
});
afterAll(() => built.stop());

const OLD = 'subscriptions.1.abcdef';

/** Another release's read model, which answers everywhere. */
async function keepFormerVersion(): Promise<void> {
  const own = findReadModel(subscriptions, built.store.identity);
  const other = openReadModel(OLD, built.store.identity);
  for (const [at, { checkpoint }] of own.partitions.entries()) {
    const text = (await built.redis.get(checkpoint)) ?? '';
    await built.redis.set(other.partitions[at]?.checkpoint ?? '', text);
  }
  await built.redis.zadd(`sl:${own.layoutId}:rm5:in-use`, Date.now(), OLD);
}

describe('the description of read models', () => {
  it('tells size and place of a generation, and the ages of what it lacks', async () => {
    const ledger = openOperations(built);
    const { head, headAgeSeconds } = await describeReadModels(ledger, { formerKeptMs: 1 });
    expect(headAgeSeconds).toBeGreaterThan(0);
    expect(headAgeSeconds).toBeLessThan(120);
    const { generations, ...readModel } = await describeOne(ledger);
    expect(readModel).toMatchObject({
      ...{ ...NAMED, version: subscriptions.version, isOfThisRelease: true },
      ...{ isFed: false, keptUntil: null, areActsReadable: true },
    });
    const [{ bytes, entries, ...only } = { bytes: 0, entries: 0 }] = generations;
    expect(only).toMatchObject({
      ...{ generation: 1, state: 'answering', note: null, position: head, documents: 8 },
      ...{ places: { checkpoint: 3, building: 0, former: 0 }, oldestUnappliedSeconds: 0 },
      ...{ parkedStreams: 0, formerUntil: null, findings: [], check: 'due' },
    });
    expect(entries).toBeGreaterThan(8);
    const [key = ''] = await built.redis.keys('*:subscriptions.*:d');
    const weighed = (await built.redis.memory('USAGE', key)) ?? 0;
    expect(bytes).toBeGreaterThan(weighed);
    expect(bytes).toBeLessThan(100_000);
  });

  it('tells the age of the oldest event that is not applied, while no projector runs', async () => {
    const id = 'sub_01notapplied';
    await built.store.append(`subscription-${id}`, [subscriptionCreated(id)]);
    const readAge = async () =>
      (await describeOne(openOperations(built))).generations[0]?.oldestUnappliedSeconds ?? 0;
    const first = await readAge();
    expect(first).toBeGreaterThan(0);
    await eventually(async () => (await readAge()) > first + 0.05, { what: 'an older event' });
    await built.project([subscriptions]);
    expect(await readAge()).toBe(0);
  });

  it('lists a former version: who feeds it, and how long it is kept', async () => {
    await keepFormerVersion();
    const ledger = openOperations(built);
    const former = await describeOne(ledger, OLD);
    expect(former).toMatchObject({ isOfThisRelease: false, isFed: false, version: 1 });
    expect(Date.parse(former.keptUntil ?? '')).toBeGreaterThan(Date.now() + 86_000_000);
    const { leases } = openReadModel(OLD, built.store.identity);
    await built.redis.zadd(leases.members, Date.now() + 60_000, 'projector-old');
    expect(await describeOne(ledger, OLD)).toMatchObject({ isFed: true, keptUntil: null });
    // Another version is no way back for this release.
    const refused = await act(ledger, { kind: 'rollback' });
    expect(refused).toMatchObject({
      accepted: false,
      rejection: {
        code: 'projection/former_cannot_answer',
        detail: expect.stringContaining(`${OLD} is of another version`),
      },
    });
  });

  it('estimates the memory of a rebuild by the generation that answers', async () => {
    const ledger = openOperations(built);
    const memory = await estimateRebuild(ledger, NAMED.readModel);
    const { generations } = await describeOne(ledger);
    expect(memory).toMatchObject({ maxBytes: null, furtherBytes: generations[0]?.bytes });
    expect(memory.usedBytes).toBeGreaterThan(memory.furtherBytes);
    await built.redis.config('SET', 'maxmemory', '1000000000');
    expect(await estimateRebuild(ledger, NAMED.readModel)).toMatchObject({ maxBytes: 1e9 });
  });

  it('finds a read model by either name, and lists all where there is none', async () => {
    const ledger = openOperations(built);
    for (const name of [NAMED.projection, NAMED.readModel]) {
      const found = await findReadModelNamed(ledger, name);
      expect(found).toMatchObject({ kind: 'found', named: NAMED });
    }
    expect(await findReadModelNamed(ledger, OLD)).toMatchObject({
      named: { readModel: OLD, ofThisRelease: undefined },
    });
    expect(await findReadModelNamed(ledger, 'nothing')).toEqual({
      ...{ kind: 'unknown', names: ['subscriptions', OLD] },
      sentence: `There is no read model "nothing". There are: subscriptions, ${OLD}.`,
    });
  });

  it('names a generation that Redis has lost', async () => {
    const ledger = openOperations(built);
    await built.redis.flushall();
    expect(nameStates(await describeOne(ledger))).toEqual(['1 missing']);
    const projector = await startProjector(built.store, built.redisUrl, {
      projections: [subscriptions],
    });
    expect(nameStates(await describeOne(ledger))).toEqual(['1 answering']);
    expect(await describeOne(ledger)).toMatchObject({ isFed: true });
    await projector.stop();
  });
});
