/**
 * Random visits of players to the webshop and to payment links against a model that is written apart from the product:
 * carts beside a catalog that changes, a player who pays in another currency by now, purchases in several currencies,
 * declines, confirmations, banks that never answer, charges that are given up or come too late, claims, refunds,
 * disputes and milestones on the product's own routes. After each step the shop, the orders, the points and the
 * sequences of webhooks are as the model has them.
 */
import { startCatalogServer } from '../support/shop-catalog.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { onStage, orFinding } from './chaos-stage.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { playVisits } from './shop-model/run.js';
import type { ShopStage } from './shop-model/studio-app.js';

export const description = 'random visits to the webshop beside a model (--rounds, --seed)';

const DEFAULT_ROUNDS = 30;

export function run({
  rounds = DEFAULT_ROUNDS,
  seed = Math.floor(Math.random() * 1e9),
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const play = async (stage: ShopStage): Promise<ChaosResult> => {
    const played = await untilInterrupted(playVisits(stage, { rounds, seed, progress }));
    const summary = `${played.players} players of ${played.steps} steps, as the model has them (seed ${seed})`;
    return { summary, figures: { ...played, seed }, findings: [] };
  };
  return onStage(async (stage) => {
    const catalog = await startCatalogServer();
    return orFinding(seed, play({ ...stage, catalog })).finally(() => catalog.close());
  });
}
