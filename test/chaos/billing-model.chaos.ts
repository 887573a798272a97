/**
 * Random lives of players against a model that is written apart from the product: months of purchases, renewals,
 * declines, cancellations, refunds and waits on the product's own routes, while its parts are killed. After each step
 * the subscription, its payments and the sequence of its webhooks are as the model has them; at the end the books of
 * the gateway and the ledger agree, and the captured amounts, less refunds and lost disputes, are the sums of the
 * lines.
 */
import type { Part, RunningStandalone } from '../support/standalone.js';
import { auditBooks } from './billing-model/books.js';
import { playLives } from './billing-model/run.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { type ChaosStage, onStage, orFinding } from './chaos-stage.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';

export const description =
  'random lives of players beside a model, while parts are killed (--rounds, --seed)';

const DEFAULT_ROUNDS = 50;

export function run({
  rounds = DEFAULT_ROUNDS,
  seed = Math.floor(Math.random() * 1e9),
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const play = async (stage: ChaosStage<RunningStandalone>): Promise<ChaosResult> => {
    let kills = 0;
    // A part that is just being started again has no process to kill.
    const killPart = async (part: Part) => {
      const isKilled = await stage.standalone.killPart(part).then(
        () => true,
        () => false,
      );
      if (isKilled) kills += 1;
    };
    const { appIds, ...played } = await untilInterrupted(
      playLives({ ...stage, killPart }, { rounds, seed, progress }),
    );
    const { findings, keptMinor } = await auditBooks(await stage.standalone.eventStoreUrl());
    const summary = `${played.lives} lives of ${played.steps} steps with ${kills} kills in ${appIds.size} apps, as the model has them (seed ${seed})`;
    return { summary, figures: { ...played, kills, seed, keptMinor }, findings };
  };
  return onStage((stage) => orFinding(seed, play(stage)));
}
