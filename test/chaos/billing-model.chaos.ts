/**
 * Random lives of players against a model that is written apart from the product: months of purchases, renewals,
 * declines, cancellations, refunds and waits on the product's own routes, while its parts are killed. After each step
 * the subscription, its payments and the sequence of its webhooks are as the model has them; at the end the books of
 * the gateway and the ledger agree, and the captured amounts, less refunds and lost disputes, are the sums of the
 * lines.
 */
import { grantOperatorToken } from '../support/operators.js';
import { type Part, startStandalone, temporaryDataDir } from '../support/standalone.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import { auditBooks } from './billing-model/books.js';
import { playLives } from './billing-model/run.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';

export const description =
  'random lives of players beside a model, while parts are killed (--rounds, --seed)';

const DEFAULT_ROUNDS = 50;

export async function run({
  rounds = DEFAULT_ROUNDS,
  seed = Math.floor(Math.random() * 1e9),
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const folder = temporaryDataDir();
  const standalone = await startStandalone(folder.dataDir);
  const receiver = await startWebhookReceiver();
  try {
    const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
    let kills = 0;
    // A part that is just being started again has no process to kill.
    const killPart = async (part: Part) => {
      const isKilled = await standalone.killPart(part).then(
        () => true,
        () => false,
      );
      if (isKilled) kills += 1;
    };
    const stage = { standalone, allAppsToken: token, receiver, killPart };
    const { appIds, ...played } = await untilInterrupted(
      playLives(stage, { rounds, seed, progress }),
    );
    const { findings, keptMinor } = await auditBooks(await standalone.eventStoreUrl());
    const summary = `${played.lives} lives of ${played.steps} steps with ${kills} kills in ${appIds.size} apps, as the model has them (seed ${seed})`;
    return { summary, figures: { ...played, kills, seed, keptMinor }, findings };
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    return { summary: `The seed is ${seed}.`, figures: { seed }, findings: [finding] };
  } finally {
    await receiver.close();
    await standalone.stop();
    folder.remove();
  }
}
