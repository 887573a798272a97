import fc from 'fast-check';
import type { ChaosOptions } from '../chaos.js';
import { playerLives } from './commands.js';
import { compare } from './compare.js';
import { compareLone } from './compare-lone.js';
import { knownLives } from './known-lives.js';
import { Player } from './player.js';
import type { ModelStage } from './studio-app.js';
import { newModel } from './step.js';

/** Longer than any machine takes for the rounds that are asked for. */
const LIMIT_MS = 80 * 60_000;

/** Plays this many random lives of players. @throws Error with the shortest life that differs, and its seed. */
export async function playLives(
  stage: ModelStage,
  { rounds, seed, progress }: { rounds: number; seed: number } & Pick<ChaosOptions, 'progress'>,
): Promise<{ lives: number; steps: number; appIds: ReadonlySet<string> }> {
  const appIds = new Set<string>();
  let lives = 0;
  let steps = 0;
  const crashes = stage.killPart !== undefined;
  const examples = knownLives({ long: crashes });
  const property = fc.asyncProperty(playerLives({ crashes }), async (commands) => {
    const player = await Player.start(stage);
    appIds.add(player.appId);
    const model = newModel();
    await fc.asyncModelRun(() => ({ model, real: { player } }), commands);
    // Whatever came after its step is seen now.
    for (const { id, state } of model.owned) await compare(id, state, player);
    await compareLone(model.lone, player);
    lives += 1;
    steps += commands.length;
    progress(Math.min(lives, rounds), rounds, `${steps} steps`);
  });
  await fc.assert(property, {
    numRuns: rounds + examples.length,
    examples,
    seed,
    interruptAfterTimeLimit: LIMIT_MS,
    includeErrorInReport: true,
  });
  return { lives, steps, appIds };
}
