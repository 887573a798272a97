import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useLedger } from '../support/fixture.js';
import { type CatalogServer, startCatalogServer } from '../support/shop-catalog.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { playVisits } from './shop-model/run.js';

const LIMIT_MS = 240_000;
const ledger = useLedger();
let receiver: WebhookReceiver;
let catalog: CatalogServer;
beforeAll(async () => {
  [receiver, catalog] = await Promise.all([startWebhookReceiver(), startCatalogServer()]);
});
afterAll(async () => {
  await receiver.close();
  await catalog.close();
});

it(
  'random visits of a player to the shop are as the model has them (npm run chaos -- shop-model plays more)',
  async () => {
    const { standalone, allAppsToken } = ledger;
    const stage = { standalone, allAppsToken, receiver, catalog };
    const played = await playVisits(stage, { rounds: 1, seed: 77, progress: () => undefined });
    expect(played.steps).toBeGreaterThan(15);
    // What is left in a cart that was paid begins the next one: not every visit comes to that.
    expect(played.leftovers).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
