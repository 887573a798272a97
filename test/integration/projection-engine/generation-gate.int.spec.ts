import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventTypesIn, type Projection } from '#projection-engine/define';
import { type ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { connectEventStore } from '#event-store/connect';
import { checkForGate } from '#verification';
import { eventually } from '../../support/eventually.js';
import { GenerationsLedger } from './generations.js';
import { openReadModels, subscriptionCanceled, subscriptionReactivated } from './support.js';

type State = typeof subscriptions.initialState;

/** The next version of subscriptions, with a mistake. */
const raise = (mistake: Partial<Projection<State>>): Projection<State> => ({
  ...(subscriptions as Projection<State>),
  version: subscriptions.version + 1,
  ...mistake,
});

/** It shows everything as active, though it was canceled. */
const FAULTY = raise({
  project: (before, event) => {
    // The status says nothing of the other fields that a started subscription has.
    return { ...subscriptions.project(before, event), status: 'active' } as State;
  },
});

const UNAVAILABLE = { code: 'unavailable' };

/** The gate lets no generation answer that differs from the events, or from the one that answers (rules/read-models 4). */
describe('a generation with a fault', () => {
  let ledger: GenerationsLedger;
  let next: ReadModels;

  beforeEach(async () => {
    ledger = await GenerationsLedger.start();
    next = openReadModels(ledger.store, ledger.server.url, [FAULTY]);
  });

  afterEach(async () => {
    await next.close();
    await ledger.stop();
  });

  it('is held in a new version, whose readers are refused while the old one answers, until an operator swaps', async () => {
    await ledger.project();
    await ledger.change(subscriptionCanceled);
    const projections = [FAULTY];
    await ledger.project({ projections });
    const findings = await ledger.untilJudged(FAULTY);
    expect(findings.join()).toMatch(/status is .*active.*, by the events .*canceled/);
    await expect(next.requireBuilt()).rejects.toMatchObject(UNAVAILABLE);
    await ledger.change(subscriptionReactivated);
    expect(await ledger.revisions()).toEqual([2]);
    expect(await ledger.act({ kind: 'SwapGeneration' }, FAULTY)).toBe('projection/not_verified');
    await ledger.act({ kind: 'SwapGeneration', anyway: true }, FAULTY);
    await ledger.untilBuilt(next);
    expect(await ledger.revisions(next)).toEqual([2]);
  });

  it('is begun anew where an operator has dropped it and nothing else answers any more', async () => {
    const old = await ledger.project();
    await ledger.change(subscriptionCanceled);
    await ledger.project({ projections: [FAULTY] });
    await ledger.untilJudged(FAULTY);
    expect(await ledger.act({ kind: 'DropGeneration', generation: 1 }, FAULTY)).toBe('accepted');
    await ledger.untilPlaced({}, FAULTY);
    await eventually(async () => (await ledger.countKept(FAULTY)) === 0);
    await ledger.change(subscriptionReactivated);
    await ledger.change(subscriptionCanceled);
    expect(await ledger.places(FAULTY)).toEqual(['- - -', '- - -']);
    await expect(next.requireBuilt()).rejects.toMatchObject(UNAVAILABLE);

    await old.stop();
    await ledger.redis.del(
      await ledger.redis.keys(`*:rm5:subscriptions.${subscriptions.version}.*`),
    );
    await ledger.untilBuilt(next);
    await ledger.untilPlaced({ checkpoint: 2 }, FAULTY);
    await eventually(async () => (await ledger.acts(FAULTY)).answering === 2);
    // The projector verifies it afterwards, and its first partition keeps the outcome.
    await eventually(async () => {
      const [first = ''] = await ledger.redis.keys(
        `*:p0}:rm5:subscriptions.${FAULTY.version}.*:checkpoint`,
      );
      return (await ledger.redis.get(first))?.includes('"check":"differs"') === true;
    });
  });

  it('is found by its lists alone', async () => {
    const [unlisted] = ledger.ids;
    const indexes: Projection<State>['indexes'] = (id, ...rest) =>
      id === unlisted ? [] : subscriptions.indexes(id, ...rest);
    await ledger.project();
    const listless = raise({ indexes, recipe: undefined });
    await ledger.project({ projections: [listless] });
    const findings = await ledger.untilJudged(listless);
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings)
      expect(finding).toMatch(/^partition 0 has .* entries of the list/);
  });

  it('is found by its parked streams', async () => {
    const first = await ledger.project();
    await ledger.change(subscriptionCanceled);
    await first.stop();
    const [parked = ''] = ledger.ids;
    const project: Projection<State>['project'] = (before, event) => {
      if (event.type === 'subscription.canceled.v1' && event.streamName.endsWith(parked)) {
        throw new Error('a mistake of ours');
      }
      return subscriptions.project(before, event);
    };
    const sameVersion = { ...subscriptions, project } as Projection<State>;
    await ledger.project({ projections: [sameVersion] });
    await ledger.act({ kind: 'RequestRebuild' });
    expect(await ledger.untilJudged()).toContain(`subscription-${parked} is parked`);
    expect(await ledger.revisions()).toEqual([1]);
    expect(await ledger.places()).toEqual(['1 2 -', '1 2 -']);
  });

  it('is found when it was altered in Redis', async () => {
    const [altered = ''] = ledger.ids;
    await ledger.project({
      checkStreams: async (checked) => {
        for (const key of await ledger.redis.keys('*:rm5:*:d')) {
          const stored = await ledger.redis.hget(key, altered);
          if (stored === null) continue;
          await ledger.redis.hset(key, altered, stored.replace('"999"', '"998"'));
        }
        return checkForGate(checked);
      },
    });
    await ledger.act({ kind: 'RequestRebuild' });
    const findings = await ledger.untilJudged();
    expect(findings.join()).toMatch(new RegExp(`${altered}.*998.*999`));
    expect(findings).toHaveLength(1);
  });
});

/** A release that cannot read the acts changes no generation, and goes on feeding (rules/read-models 3). */
describe('a projector that does not know the acts', () => {
  let ledger: GenerationsLedger;

  beforeEach(async () => {
    ledger = await GenerationsLedger.start();
  });

  afterEach(() => ledger.stop());

  it('follows none of them, while another one does in its own partitions', async () => {
    const known = eventTypesIn('projection');
    const knownTypes = subscriptions.eventTypes.filter((type) => !known.includes(type));
    const client = connectEventStore(ledger.store.connectionString, { knownTypes });
    const older = await ledger.project({ client });
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.project();
    const count = async () => (await ledger.places()).filter((place) => place === '1 2 -').length;
    await eventually(async () => (await count()) === 1);
    await ledger.change(subscriptionCanceled);
    expect((await ledger.places()).sort()).toEqual(['1 - -', '1 2 -']);
    expect((await ledger.acts()).building).toMatchObject({ generation: 2, gate: null });
    await older.stop();
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    expect(await ledger.revisions()).toEqual([1]);
    await client.dispose();
  });

  it('keeps what is there, where it knows all of them but one, and builds what Redis has lost', async () => {
    await ledger.project();
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    await ledger.store.append('projection-subscriptions', [
      { type: 'projection.rolled_back.v2', data: {} },
    ]);
    await ledger.change(subscriptionCanceled);
    await ledger.change(subscriptionReactivated);
    expect(await ledger.places()).toEqual(['2 - 1', '2 - 1']);
    await ledger.server.command('FLUSHALL');
    await ledger.untilPlaced({ checkpoint: 1 });
    await ledger.change(subscriptionCanceled);
    expect(await ledger.revisions()).toEqual([3]);
  });
});
