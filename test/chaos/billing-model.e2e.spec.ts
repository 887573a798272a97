import { afterAll, beforeAll, expect, it } from 'vitest';
import { useLedger } from '../support/fixture.js';
import { readStoreUrl } from '../support/standalone.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { auditBooks } from './billing-model/books.js';
import { playLives } from './billing-model/run.js';

const ledger = useLedger();
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(async () => receiver.close());

it('random months of a player are as the model has them (npm run chaos -- billing-model plays more, with crashes)', async () => {
  const { standalone, allAppsToken } = ledger;
  const stage = { standalone, allAppsToken, receiver };
  const played = await playLives(stage, { rounds: 1, seed: 97, progress: () => undefined });
  expect(played.steps).toBeGreaterThan(15);
  // Money is conserved: other files of tests use the same store.
  const audit = await auditBooks(await readStoreUrl(standalone), played.appIds);
  expect(audit.findings).toEqual([]);
  expect(Number(audit.keptMinor)).toBeGreaterThan(0);
});
