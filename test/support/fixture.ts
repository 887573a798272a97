import { afterAll, beforeAll } from 'vitest';
import { type ApiClient, backendClient, bearer, operatorClient } from './api-client.js';
import { askForApp, type GivenApp } from './keeper/given-app.js';
import { grantOperatorToken } from './operators.js';
import { createPlan, requireOk } from './scenario.js';
import {
  type Demo,
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from './standalone.js';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

/** An app of one file of tests, with a plan `gold` for sale and its callers. */
export interface Ledger<Standalone = SharedStandalone> {
  standalone: Standalone;
  appId: string;
  backend: ApiClient;
  /** Of the file's app alone. */
  operator: ApiClient;
  /** An operator for all apps: no other one may create apps. */
  allApps: ApiClient;
  allAppsToken: string;
}

type SharedStandalone = Pick<RunningStandalone, 'baseUrl' | 'demo' | 'dataDir'>;
type SharedLedger = Ledger<SharedStandalone & Pick<GivenApp, 'stripePort'>>;

/**
 * Gives a file of tests an app in the standalone of its worker, which other files use as well.
 */
export function useLedger(): SharedLedger {
  // Filled before the first test runs; tests are the only ones that look.
  const ledger = {} as SharedLedger;
  beforeAll(async () => {
    const { demo, dataDir, allAppsToken, stripePort } = await askForApp();
    const standalone = { baseUrl: demo.baseUrl, demo, dataDir, stripePort };
    Object.assign(ledger, { standalone, ...(await openLedger(demo, allAppsToken)) });
  });
  return ledger;
}

/** Gives a file of tests a merchant's receiver, which its app sends webhooks of these types to. */
export function useReceiver(
  ledger: Pick<Ledger, 'appId' | 'operator'>,
  eventTypes: readonly string[] = ['*'],
): WebhookReceiver {
  // Filled before the first test runs; tests are the only ones that look.
  const receiver = {} as WebhookReceiver;
  beforeAll(async () => {
    Object.assign(receiver, await startWebhookReceiver());
    const path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
    requireOk(await ledger.operator.post(path, { url: receiver.url, eventTypes, accept: '2xx' }));
  });
  afterAll(async () => receiver.close());
  return receiver;
}

/** Starts a standalone for one file of tests, which may break it, and stops it after them. */
export function useOwnLedger(): Ledger<RunningStandalone> {
  const folder = temporaryDataDir();
  // Filled before the first test runs; tests are the only ones that look.
  const ledger = {} as Ledger<RunningStandalone>;
  beforeAll(async () => {
    const standalone = await startStandalone(folder.dataDir);
    const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
    Object.assign(ledger, { standalone, ...(await openLedger(standalone.demo, token)) });
  });
  afterAll(async () => {
    const code = await ledger.standalone.stop();
    folder.remove();
    if (code !== 0) throw new Error(`the standalone stopped with exit code ${code}`);
  });
  return ledger;
}

async function openLedger(demo: Demo, allAppsToken: string): Promise<Omit<Ledger, 'standalone'>> {
  const operator = operatorClient(demo);
  await createPlan(operator, demo.appId, { code: 'gold' });
  return {
    appId: demo.appId,
    backend: backendClient(demo),
    operator,
    allApps: bearer(demo.baseUrl, allAppsToken),
    allAppsToken,
  };
}
