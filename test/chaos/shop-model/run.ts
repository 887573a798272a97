import fc from 'fast-check';
import type { ChaosOptions } from '../chaos.js';
import { compareMoney } from './compare.js';
import { ModelShop } from './model.js';
import { Shopper } from './shopper.js';
import type { ShopStage } from './studio-app.js';
import { KNOWN_VISIT, visits } from './visits.js';

const LIMIT_MS = 80 * 60_000;

interface PlayOptions extends Pick<ChaosOptions, 'progress'> {
  readonly rounds: number;
  readonly seed: number;
}

/** Plays the known visit, and this many random players. @throws Error with the shortest visit that differs, and its seed. */
export async function playVisits(
  stage: ShopStage,
  { rounds, seed, progress }: PlayOptions,
): Promise<{ players: number; steps: number; leftovers: number; returned: number }> {
  let players = 0;
  let steps = 0;
  let leftovers = 0;
  let returned = 0;
  const property = fc.asyncProperty(visits(), async (commands) => {
    const shopper = await Shopper.start(stage);
    const model = new ModelShop();
    await fc.asyncModelRun(() => ({ model, real: { shopper } }), commands);
    await compareMoney(model, shopper);
    players += 1;
    steps += model.steps;
    leftovers += model.leftovers;
    returned += model.returned;
    progress(Math.min(players, rounds), rounds, `${steps} steps`);
  });
  await fc.assert(property, {
    numRuns: rounds + 1,
    examples: [[[...KNOWN_VISIT]]],
    ...{ seed, interruptAfterTimeLimit: LIMIT_MS },
    includeErrorInReport: true,
  });
  return { players, steps, leftovers, returned };
}
