import { afterAll, beforeAll } from '@jest/globals';
import { type ApiClient, backendClient, bearer, operatorClient } from './api-client.js';
import { issueToken } from './operators.js';
import { createPlan } from './scenario.js';
import { type RunningStandalone, startStandalone, temporaryDataDir } from './standalone.js';

const LIMIT_MS = 240_000;

/** A standalone for one file of tests, with a plan `gold` for sale and its callers. */
export interface Ledger {
  standalone: RunningStandalone;
  appId: string;
  backend: ApiClient;
  /** Of the demo app alone. */
  operator: ApiClient;
  /** For all apps, who alone may create some. */
  allApps: ApiClient;
  allAppsToken: string;
}

/** Starts the standalone before the tests of a file and stops it after them. */
export function useLedger(): Ledger {
  const folder = temporaryDataDir();
  // Filled before the first test runs; tests are the only ones that look.
  const ledger = {} as Ledger;
  beforeAll(async () => {
    const standalone = await startStandalone(folder.dataDir);
    const operator = operatorClient(standalone.demo);
    const { appId } = standalone.demo;
    const { token } = await issueToken(standalone, ['admin'], ['*']);
    const callers = { operator, allApps: bearer(standalone.baseUrl, token), allAppsToken: token };
    const backend = backendClient(standalone.demo);
    Object.assign(ledger, { standalone, appId, backend, ...callers });
    await createPlan(operator, appId, { code: 'gold' });
  }, LIMIT_MS);
  afterAll(async () => {
    const code = await ledger.standalone.stop();
    folder.remove();
    if (code !== 0) throw new Error(`the standalone stopped with exit code ${code}`);
  }, LIMIT_MS);
  return ledger;
}
