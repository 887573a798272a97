/**
 * Random visits of players to the webshop and to payment links against a model that is written apart from the product:
 * carts beside a catalog that changes, a player who pays in another currency by now, purchases in several currencies,
 * declines, confirmations, banks that never answer, charges that are given up or come too late, claims, refunds,
 * disputes and milestones on the product's own routes. After each step the shop, the orders, the points and the
 * sequences of webhooks are as the model has them.
 */
import { grantOperatorToken } from '../support/operators.js';
import { startCatalogServer } from '../support/shop-catalog.js';
import { startStandalone, temporaryDataDir } from '../support/standalone.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { playVisits } from './shop-model/run.js';

export const description = 'random visits to the webshop beside a model (--rounds, --seed)';

const DEFAULT_ROUNDS = 30;

export async function run({
  rounds = DEFAULT_ROUNDS,
  seed = Math.floor(Math.random() * 1e9),
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const folder = temporaryDataDir();
  const standalone = await startStandalone(folder.dataDir);
  const [receiver, catalog] = [await startWebhookReceiver(), await startCatalogServer()];
  try {
    const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
    const stage = { standalone, allAppsToken: token, receiver, catalog };
    const played = await untilInterrupted(playVisits(stage, { rounds, seed, progress }));
    const summary = `${played.players} players of ${played.steps} steps, as the model has them (seed ${seed})`;
    return { summary, figures: { ...played, seed }, findings: [] };
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    return { summary: `The seed is ${seed}.`, figures: { seed }, findings: [finding] };
  } finally {
    await Promise.all([receiver.close(), catalog.close()]);
    await standalone.stop();
    folder.remove();
  }
}
