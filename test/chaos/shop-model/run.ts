import fc from 'fast-check';
import type { ChaosOptions } from '../chaos.js';
import { type ItemId, ITEMS, type MilestoneId, MILESTONES, ModelShop } from './model.js';
import { type ShopStage, Shopper } from './shopper.js';
import {
  add,
  buyNow,
  cancel,
  checkOut,
  claim,
  claimMilestone,
  pay,
  refund,
  set,
  type Step,
} from './steps.js';

const MOST_STEPS = 40;
const LIMIT_MS = 80 * 60_000;

/** Plays this many random players. @throws Error with the shortest visit that differs, and its seed. */
export async function playVisits(
  stage: ShopStage,
  { rounds, seed, progress }: { rounds: number; seed: number } & Pick<ChaosOptions, 'progress'>,
): Promise<{ players: number; steps: number }> {
  let players = 0;
  let steps = 0;
  const property = fc.asyncProperty(visits(), async (commands) => {
    const shopper = await Shopper.start(stage);
    await fc.asyncModelRun(() => ({ model: new ModelShop(), real: { shopper } }), commands);
    players += 1;
    steps += commands.length;
    progress(Math.min(players, rounds), rounds, `${steps} steps`);
  });
  await fc.assert(property, {
    ...{ numRuns: rounds, seed, interruptAfterTimeLimit: LIMIT_MS },
    includeErrorInReport: true,
  });
  return { players, steps };
}

/** Random visits of a player to the shop. */
function visits(): fc.Arbitrary<Step[]> {
  // The names are those of the types.
  const items = fc.constantFrom(...(Object.keys(ITEMS) as ItemId[]));
  const milestones = fc.constantFrom(...(Object.keys(MILESTONES) as MilestoneId[]));
  const wanted = fc.tuple(items, fc.integer({ min: 1, max: 4 }));
  const which = fc.nat(4);
  const steps: fc.Arbitrary<Step>[] = [
    wanted.map(([id, quantity]) => add(id, quantity)),
    fc.tuple(items, fc.nat(4)).map(([id, quantity]) => set(id, quantity)),
    fc.constant(null).map(checkOut),
    wanted.map(([id, quantity]) => buyNow(id, quantity)),
    // Most are paid, so that there is something to count and to give back.
    fc.tuple(which, fc.integer({ min: 0, max: 3 })).map(([at, luck]) => pay(at, luck === 0)),
    which.map(cancel),
    fc.tuple(which, fc.constantFrom(7, 50, 100)).map(([at, percent]) => refund(at, percent)),
    items.map(claim),
    milestones.map(claimMilestone),
  ];
  const weighted = steps.map((arbitrary, at) => ({ arbitrary, weight: at === 4 ? 3 : 1 }));
  return fc.array(fc.oneof(...weighted), { minLength: 8, maxLength: MOST_STEPS, size: 'max' });
}
