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
): Promise<{ players: number; steps: number; leftovers: number }> {
  let players = 0;
  let steps = 0;
  let leftovers = 0;
  const property = fc.asyncProperty(visits(), async (commands) => {
    const shopper = await Shopper.start(stage);
    const model = new ModelShop();
    await fc.asyncModelRun(() => ({ model, real: { shopper } }), commands);
    players += 1;
    steps += model.steps;
    leftovers += model.leftovers;
    progress(Math.min(players, rounds), rounds, `${steps} steps`);
  });
  await fc.assert(property, {
    ...{ numRuns: rounds, seed, interruptAfterTimeLimit: LIMIT_MS },
    includeErrorInReport: true,
  });
  return { players, steps, leftovers };
}

/** Random visits of a player to the shop. */
function visits(): fc.Arbitrary<Step[]> {
  // The names are those of the types.
  const items = fc.constantFrom(...(Object.keys(ITEMS) as ItemId[]));
  const milestones = fc.constantFrom(...(Object.keys(MILESTONES) as MilestoneId[]));
  const wanted = fc.tuple(items, fc.integer({ min: 1, max: 4 }));
  const which = fc.nat(4);
  const luck = fc.integer({ min: 0, max: 3 });
  const percent = fc.constantFrom(7, 50, 100);
  // The way from the cart to a refund is long: its steps are tried more often than the others.
  const steps: fc.WeightedArbitrary<Step>[] = [
    { weight: 3, arbitrary: wanted.map(([id, quantity]) => add(id, quantity)) },
    {
      weight: 1,
      arbitrary: fc.tuple(items, fc.nat(4)).map(([id, quantity]) => set(id, quantity)),
    },
    { weight: 3, arbitrary: fc.constant(null).map(checkOut) },
    { weight: 1, arbitrary: wanted.map(([id, quantity]) => buyNow(id, quantity)) },
    { weight: 3, arbitrary: fc.tuple(which, luck).map(([at, drawn]) => pay(at, drawn === 0)) },
    { weight: 1, arbitrary: which.map(cancel) },
    { weight: 3, arbitrary: fc.tuple(which, percent).map(([at, share]) => refund(at, share)) },
    { weight: 1, arbitrary: items.map(claim) },
    { weight: 1, arbitrary: milestones.map(claimMilestone) },
  ];
  return fc.array(fc.oneof(...steps), { minLength: 8, maxLength: MOST_STEPS, size: 'max' });
}
