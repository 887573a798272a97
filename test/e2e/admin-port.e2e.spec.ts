import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymous, type ApiClient, bearer } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { freePort } from '../support/free-port.js';
import { grantOperatorToken } from '../support/operators.js';
import {
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';

const LIMIT_MS = 240_000;
const PATHS = ['/healthz', '/readyz', '/metrics'];

describe('with ADMIN_PORT', () => {
  const folder = temporaryDataDir();
  let standalone: RunningStandalone;
  let api: ApiClient;
  let admin: ApiClient;

  beforeAll(async () => {
    const port = await freePort();
    standalone = await startStandalone(folder.dataDir, { ADMIN_PORT: String(port) });
    api = anonymous(standalone.baseUrl);
    admin = anonymous(`http://127.0.0.1:${port}`);
  }, LIMIT_MS);

  afterAll(async () => {
    await standalone.stop();
    folder.remove();
  }, LIMIT_MS);

  it('health and metrics are there, and not where the public calls', async () => {
    for (const path of PATHS) {
      expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
      expect([path, ...refusal(await api.get(path))]).toEqual([path, 404, 5, 'PATH_NOT_FOUND']);
    }
  });

  it('the API follows the store once for all that it keeps in memory, beside its appends', async () => {
    const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
    const app = { name: 'appended', environment: 'test' };
    expect((await bearer(standalone.baseUrl, token).post('/manage/apps', app)).status).toBe(200);
    const figures = (await admin.get('/metrics')).text;
    expect(/^subledger_event_store_long_calls (\d+)$/m.exec(figures)?.[1]).toBe('2');
  });

  it('the API is not there', async () => {
    for (const path of ['/sdk/plans', '/manage/apps', '/docs', '/openapi.json', '/checkout/x']) {
      expect([path, ...refusal(await admin.get(path))]).toEqual([path, 404, 5, 'PATH_NOT_FOUND']);
    }
    expect((await api.get('/openapi.json')).status).toBe(200);
  });
});
