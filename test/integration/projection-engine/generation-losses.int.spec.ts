import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type RunningProgram, startProgram } from '../../support/program.js';
import { GenerationsLedger } from './generations.js';
import { subscriptionCanceled, subscriptionReactivated } from './support.js';

/** So slow that it is being built for as long as a test takes. */
const SLOW = { kind: 'RequestRebuild', maxPerSecond: 1 } as const;

describe('generations whose Redis was emptied', () => {
  let ledger: GenerationsLedger;

  beforeEach(async () => {
    ledger = await GenerationsLedger.start();
    await ledger.project();
  });

  afterEach(() => ledger.stop());

  const empty = async () => {
    await ledger.server.command('FLUSHALL');
    await ledger.untilBuilt();
  };

  it('answer again while another one is built, and that one is built again', async () => {
    await ledger.act(SLOW);
    await ledger.untilPlaced({ checkpoint: 1, building: 2 });
    await empty();
    await ledger.untilPlaced({ checkpoint: 1, building: 2 });
    expect((await ledger.acts()).building).toMatchObject({ generation: 2, gate: null });
    await ledger.change(subscriptionCanceled);
    expect(await ledger.revisions()).toEqual([1]);
    await ledger.act({ kind: 'DropGeneration', generation: 2 });
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.untilPlaced({ checkpoint: 3, former: 1 });
  });

  it('are built again between the gate and the swap, which lets a whole one answer', async () => {
    await ledger.act({ kind: 'RequestRebuild', hold: true });
    await ledger.untilJudged();
    await ledger.server.command('FLUSHALL');
    await ledger.act({ kind: 'SwapGeneration' });
    await ledger.untilBuilt();
    await ledger.untilPlaced({ checkpoint: 2 });
    await ledger.change(subscriptionCanceled);
    expect(await ledger.revisions()).toEqual([1]);

    await ledger.act({ kind: 'RequestRebuild', hold: true });
    await ledger.untilJudged();
    await empty();
    await ledger.untilPlaced({ checkpoint: 2, building: 3 });
    expect((await ledger.acts()).building?.gate).toMatchObject({ kind: 'verified' });
    await ledger.act({ kind: 'SwapGeneration' });
    await ledger.untilPlaced({ checkpoint: 3, former: 2 });
    expect(await ledger.revisions()).toEqual([1]);
  });

  it('are without their former one, which a rollback builds again', async () => {
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    await empty();
    await ledger.untilPlaced({ checkpoint: 2 });
    await ledger.change(subscriptionCanceled);
    await ledger.act({ kind: 'RollBackGeneration' });
    await ledger.untilPlaced({ checkpoint: 1, former: 2 });
    await ledger.change(subscriptionReactivated);
    expect(await ledger.revisions()).toEqual([2]);
  });
});

describe('generations whose projector stands still', () => {
  let ledger: GenerationsLedger;
  const programs: RunningProgram[] = [];

  beforeEach(async () => {
    ledger = await GenerationsLedger.start();
  });

  afterEach(async () => {
    await Promise.all(programs.splice(0).map((each) => each.kill()));
    await ledger.stop();
  });

  const startOne = async (name: string) => {
    const program = await startProgram('projector', {
      EVENTSTOREDB_URL: ledger.store.connectionString,
      REDIS_URL: ledger.server.url,
      INSTANCE_NAME: name,
      ADMIN_PORT: '0',
      LOG_LEVEL: 'error',
    });
    programs.push(program);
    return program;
  };

  it('are followed by one that was held over a swap and a rollback, and undone by none', async () => {
    const held = await startOne('held');
    await ledger.project();
    const holders = async () => {
      const keys = await ledger.redis.keys('{*}:projector:subscriptions.*:lease');
      return new Set(await ledger.redis.mget(keys));
    };
    await eventually(async () => (await holders()).size === 2);
    held.pause();
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.untilPlaced({ checkpoint: 2, former: 1 });
    await ledger.act({ kind: 'RollBackGeneration' });
    await ledger.untilPlaced({ checkpoint: 1, former: 2 });
    await ledger.change(subscriptionCanceled);
    held.resume();
    await eventually(async () => (await holders()).has('held'));
    await ledger.change(subscriptionReactivated);
    expect(await ledger.places()).toEqual(['1 - 2', '1 - 2']);
    expect(await ledger.revisions()).toEqual([2]);
    await ledger.act({ kind: 'RequestRebuild' });
    await ledger.untilPlaced({ checkpoint: 3, former: 1 });
    expect((await holders()).has('held')).toBe(true);
  });
});
