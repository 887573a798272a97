import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningProgram, startProgram } from '../../support/program.js';
import { GenerationsLedger } from './generations.js';
import { subscriptionCanceled } from './support.js';

/** So slow that it is being built for as long as a test takes. */
const SLOW = { kind: 'RequestRebuild', maxPerSecond: 1 } as const;

let ledger: GenerationsLedger;
const programs: RunningProgram[] = [];

beforeEach(async () => {
  ledger = await GenerationsLedger.start();
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((each) => each.kill()));
  await ledger.stop();
});

async function startOne(name: string): Promise<RunningProgram> {
  const program = await startProgram('projector', {
    EVENTSTOREDB_URL: ledger.store.connectionString,
    REDIS_URL: ledger.server.url,
    INSTANCE_NAME: name,
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
  });
  programs.push(program);
  return program;
}

/** `npm run chaos -- projections` kills at every step; `npm test` has a projector that stands still. */
it('generations whose projector dies are gone on with by another one, in each state', async () => {
  const first = await startOne('first');
  await ledger.act(SLOW);
  await ledger.untilPlaced({ checkpoint: 1, building: 2 });
  await first.kill();
  const second = await startOne('second');
  expect(await ledger.places()).toEqual(['1 2 -', '1 2 -']);
  await ledger.act({ kind: 'DropGeneration', generation: 2 });
  await ledger.act({ kind: 'RequestRebuild', hold: true });
  await ledger.untilJudged();
  await second.kill();
  await ledger.act({ kind: 'SwapGeneration' });
  const third = await startOne('third');
  await ledger.untilPlaced({ checkpoint: 3, former: 1 });
  await third.kill();
  await ledger.act({ kind: 'RollBackGeneration' });
  await ledger.project();
  await ledger.untilPlaced({ checkpoint: 1, former: 3 });
  await ledger.change(subscriptionCanceled);
  expect(await ledger.revisions()).toEqual([1]);
});
