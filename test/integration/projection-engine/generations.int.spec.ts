import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { GenerationsLedger, PARTITIONS } from './generations.js';
import { LiveLoad } from './live-load.js';
import { subscriptionCanceled, subscriptionReactivated } from './support.js';

/** Rebuilds that operators ask for (rules/read-models 3), each act of which is an event. */
describe('a rebuild', () => {
  let ledger: GenerationsLedger;

  beforeEach(async () => {
    ledger = await GenerationsLedger.start();
  });

  afterEach(() => ledger.stop());

  it('is built beside, answers when the gate has looked at it, and can be taken back without a loss', async () => {
    await ledger.project();
    expect(await ledger.places()).toEqual(['1 - -', '1 - -']);
    expect(await ledger.act({ kind: 'RequestRebuild' })).toBe('accepted');
    expect(await ledger.act({ kind: 'RequestRebuild' })).toBe('projection/rebuild_under_way');
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    expect(await ledger.acts()).toMatchObject({ answering: 2, former: { generation: 1 } });
    await ledger.change(subscriptionCanceled);

    expect(await ledger.act({ kind: 'RollBackGeneration' })).toBe('accepted');
    await ledger.untilPlaced({ checkpoint: 1, former: 2 });
    expect(await ledger.revisions()).toEqual([1]);
    await ledger.change(subscriptionReactivated);
    await ledger.act({ kind: 'RollBackGeneration' });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    expect(await ledger.revisions()).toEqual([2]);

    await eventually(async () => (await ledger.countKept()) === 2 * PARTITIONS);
    expect(await ledger.act({ kind: 'DropGeneration', generation: 2 })).toBe(
      'projection/generation_answers',
    );
    expect(await ledger.act({ kind: 'DropGeneration', generation: 1 })).toBe('accepted');
    await ledger.untilPlaced({ checkpoint: 2 });
    await eventually(async () => (await ledger.countKept()) === PARTITIONS);
    await eventually(async () => (await ledger.redis.keys('*:leftovers')).length === 0);
    expect(await ledger.revisions()).toEqual([2]);
    expect(await ledger.act({ kind: 'RollBackGeneration' })).toBe('projection/no_former');
  });

  it('waits as verified where the operator holds it, is fed, and is swapped in by an act', async () => {
    await ledger.project();
    await ledger.act({ kind: 'RequestRebuild', hold: true });
    await ledger.untilJudged();
    expect((await ledger.acts()).building?.gate).toEqual({ kind: 'verified', checked: 12 });
    await ledger.change(subscriptionCanceled);
    expect(await ledger.places()).toEqual(['1 2 -', '1 2 -']);
    await ledger.act({ kind: 'SwapGeneration' });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    expect(await ledger.revisions()).toEqual([1]);

    await ledger.act({ kind: 'RequestRebuild', hold: true });
    await ledger.untilPlaced({ checkpoint: 2, building: 3, former: 1 });
    await ledger.act({ kind: 'DropGeneration', generation: 3 });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.untilPlaced({ checkpoint: 4, former: 2 });
    expect(await ledger.revisions()).toEqual([1]);
    await eventually(async () => (await ledger.countKept()) === 2 * PARTITIONS);
  });

  it('keeps to its rate, stands still while it is paused, and goes on then', async () => {
    for (const event of [subscriptionCanceled, subscriptionReactivated]) {
      for (const id of ledger.ids) await ledger.store.append(`subscription-${id}`, [event]);
    }
    await ledger.project();
    const begunAtMs = performance.now();
    // 36 events of subscriptions.
    await ledger.act({ kind: 'RequestRebuild', maxPerSecond: 18 });
    await ledger.untilPlaced({ checkpoint: 1, building: 2 });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    expect(performance.now() - begunAtMs).toBeGreaterThan(2_000);

    await ledger.act({ kind: 'RequestRebuild', maxPerSecond: 18, hold: true });
    await ledger.act({ kind: 'PauseRebuild' });
    await ledger.untilPlaced({ checkpoint: 2, building: 3, former: 1 });
    await ledger.change(subscriptionCanceled);
    await ledger.change(subscriptionReactivated);
    expect(await ledger.builtPositions()).toEqual(['', '']);
    expect((await ledger.acts()).building).toMatchObject({ isPaused: true, gate: null });
    await ledger.act({ kind: 'ResumeRebuild' });
    await ledger.untilJudged();
    await ledger.act({ kind: 'SwapGeneration' });
    await ledger.untilPlaced({ checkpoint: 3, former: 2 });
    expect(await ledger.revisions()).toEqual([4]);
  });

  it('shows readers nothing wrong under load, over swaps and rollbacks with pages open', async () => {
    await ledger.project();
    const load = new LiveLoad(ledger);
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    await ledger.act({ kind: 'RollBackGeneration' });
    await ledger.untilPlaced({ checkpoint: 1, former: 2 });
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.act({ kind: 'SwapGeneration', anyway: true });
    await ledger.act({ kind: 'RollBackGeneration' });
    // A projector that learns of these three at once has nothing of the third: the next rollback builds it.
    await eventually(async () => (await ledger.places()).every((each) => /^1 - [3-]$/.test(each)));
    await ledger.act({ kind: 'RollBackGeneration' });
    await ledger.untilPlaced({ checkpoint: 3, former: 1 });
    const { appended, pages } = load.counts;
    const isFurther = () => load.counts.appended > appended + 20 && load.counts.pages > pages + 10;
    await eventually(isFurther);
    await load.stop();
    expect(load.findings).toEqual([]);
    expect(load.counts.unavailable).toBe(0);
  });
});
