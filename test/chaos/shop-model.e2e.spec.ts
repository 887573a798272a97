import { afterAll, beforeAll, expect, it } from 'vitest';
import { useLedger } from '../support/fixture.js';
import { type CatalogServer, startCatalogServer } from '../support/shop-catalog.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { playVisits } from './shop-model/run.js';
import { KNOWN_VISIT } from './shop-model/visits.js';

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

it('a visit of a player to the shop is as the model has it (npm run chaos -- shop-model plays random ones)', async () => {
  const { standalone, allAppsToken } = ledger;
  const stage = { standalone, allAppsToken, receiver, catalog };
  const played = await playVisits(stage, { rounds: 0, seed: 77, progress: () => undefined });
  expect(played.steps).toBe(KNOWN_VISIT.length);
  // The rest of a cart that was paid begins the next one, and a capture in vain goes back.
  expect(played.leftovers).toBeGreaterThan(0);
  expect(played.returned).toBeGreaterThan(1);
});
