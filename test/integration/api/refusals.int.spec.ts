import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_APPS, type OperatorRole } from '#domain/operator-tokens';
import { categoryOf } from '#domain/event';
import { createCommandExecutor, type EventStore, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createLogger, createSeal, createShutdown, type Shutdown } from '#platform';
import { issueOperatorToken } from '#tenancy';
import { startApi } from '../../../apps/api/src/application.js';
import { readApiConfig } from '../../../apps/api/src/config.js';
import { anonymous, type Answer, type ApiClient, bearer } from '../../support/api-client.js';
import { errorReason, refusal } from '../../support/errors.js';
import { putSheet, sheet } from '../../support/prices.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { RestartableStore } from '../event-store/support.js';

const LIMIT_MS = 120_000;
const log = createLogger('test', { level: 'silent' });
const masterKey = randomBytes(32);
let redis: RunningRedis;
let server: RestartableStore;
let store: EventStore;
let shutdown: Shutdown;
let baseUrl: string;
let admin: ApiClient;
let appId: string;
let otherApp: string;

/** A real API in this process, on a real event store and a real Redis. */
beforeAll(async () => {
  redis = await startRedis();
  server = await RestartableStore.start();
  const ledger = connectEventStore(server.connectionString);
  await ledger.namespaces.open(1);
  store = ledger;
  shutdown = createShutdown({ log, exit: () => undefined });
  const config = readApiConfig({
    EVENTSTOREDB_URL: server.connectionString,
    REDIS_URL: redis.url,
    MASTER_KEY: masterKey.toString('base64'),
    PORT: '0',
  });
  baseUrl = await startApi(config, log, shutdown);
  admin = await operator('admin');
  const other = { name: 'other', environment: 'test' };
  otherApp = String((await admin.post('/manage/apps', other)).body['appId']);
}, LIMIT_MS);

afterAll(async () => {
  await shutdown.stop('the test is over');
  await store.dispose();
  await server.remove();
  await redis.stop();
}, LIMIT_MS);

/** Each test has an app of its own. */
beforeEach(async () => {
  const app = { name: 'refusals', environment: 'test' };
  appId = String((await admin.post('/manage/apps', app)).body['appId']);
});

async function operator(
  role: OperatorRole,
  apps: readonly string[] = [ALL_APPS],
): Promise<ApiClient> {
  const wanted = { roles: [role], apps, issuedBy: 'test', name: role };
  const [commands, seal] = [createCommandExecutor(store), createSeal(masterKey)];
  const issued = await issueOperatorToken(commands, seal, { wanted, lifetimeSeconds: 600 });
  if (!issued.accepted) throw new Error(`no token: ${issued.rejection.code}`);
  return bearer(baseUrl, issued.token);
}

/** How many events of these streams the store holds. */
async function countEvents(prefix: string): Promise<number> {
  const isRead = new AbortController();
  let count = 0;
  const batches = store.subscribe({
    after: START,
    categories: [categoryOf(prefix)],
    batchSize: 100,
    tellsEveryPosition: false,
    onCaughtUp: () => isRead.abort(),
    signal: isRead.signal,
  });
  for await (const { events } of batches) {
    count += events.filter(({ streamName }) => streamName.startsWith(prefix)).length;
  }
  return count;
}

describe('a price sheet that is refused leaves no rows:', () => {
  const FIRST = sheet('gems,US,USD,9.99');
  const OTHER = sheet('gems,US,USD,19.99');
  const KEY = { 'idempotency-key': 'upload-1' };
  const MANY = Array.from({ length: 5000 }, (_, row) => `item_${row},US,USD,1.99`);
  const rows = async () => countEvents(`price_sheet_rows-${appId}-`);

  it.each<[string, () => Promise<Answer>, number, string]>([
    [
      'If-Match',
      () => putSheet(admin, appId, OTHER, { 'if-match': '"7"' }),
      412,
      'REVISION_MISMATCH',
    ],
    ['a reused key', () => putSheet(admin, appId, OTHER, KEY), 409, 'IDEMPOTENCY_KEY_REUSED'],
    [
      'If-Match, with a new key',
      () => putSheet(admin, appId, OTHER, { 'idempotency-key': 'upload-2', 'if-match': '"7"' }),
      412,
      'REVISION_MISMATCH',
    ],
    [
      'a key that is none',
      () => putSheet(admin, appId, OTHER, { 'idempotency-key': '' }),
      400,
      'INVALID_FIELDS',
    ],
    ['no credentials', () => putSheet(anonymous(baseUrl), appId, OTHER), 401, 'UNAUTHENTICATED'],
    [
      'a role that only looks',
      async () => putSheet(await operator('viewer'), appId, OTHER),
      403,
      'ROLE_NOT_SUFFICIENT',
    ],
    [
      'another app’s operator',
      async () => putSheet(await operator('admin', [otherApp]), appId, OTHER),
      404,
      'APP_NOT_FOUND',
    ],
    [
      'a bad row at its end',
      () => putSheet(admin, appId, sheet(...MANY, 'gems,US,USD,x')),
      400,
      'INVALID_PRICE_SHEET',
    ],
  ])('%s', async (_, upload, status, reason) => {
    expect((await putSheet(admin, appId, FIRST, KEY)).status).toBe(200);
    const before = await rows();
    expect(before).toBeGreaterThan(0);
    const refused = await upload();
    expect([refused.status, errorReason(refused)]).toEqual([status, reason]);
    expect(await rows()).toBe(before);
  });

  it('and a repetition with its key leaves none either', async () => {
    const first = await putSheet(admin, appId, FIRST, KEY);
    expect((await putSheet(admin, appId, OTHER)).body).toMatchObject({ version: 2 });
    const before = await rows();
    const again = await putSheet(admin, appId, FIRST, { ...KEY, 'if-match': '"7"' });
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(await rows()).toBe(before);
  });
});

describe('a creation that is refused leaves its Idempotency-Key free:', () => {
  const plan = (code: string) => ({
    code,
    name: 'Plan',
    billingPeriodValue: '1',
    billingPeriodUnit: 'month',
    prices: [{ currency: 'USD', amountCents: '999' }],
  });
  const post = (path: string, body: object) =>
    admin.post(`/manage/apps/${appId}/${path}`, body, { 'idempotency-key': 'k' });

  it('of a plan whose code is taken', async () => {
    await admin.post(`/manage/apps/${appId}/plans`, plan('gold'));
    for (const body of [plan('gold'), { ...plan('gold'), name: 'Other' }]) {
      const refused = await post('plans', body);
      expect(refusal(refused)).toEqual([409, 6, 'PLAN_CODE_TAKEN']);
    }
    expect(await countEvents(`idempotency_key-${appId}`)).toBe(0);
    const created = await post('plans', plan('silver'));
    expect([created.status, created.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(await countEvents(`idempotency_key-${appId}`)).toBe(1);
    const again = await post('plans', plan('silver'));
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([created.body, 'true']);
    expect(refusal(await post('plans', plan('gold')))).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('of a plan in a segment that is none', async () => {
    const segmentId = 'nowhere';
    const refused = await post('plans', { ...plan('gold'), segmentId });
    expect(refusal(refused)).toEqual([400, 3, 'INVALID_FIELDS']);
    expect((await post('plans', plan('gold'))).status).toBe(200);
  });

  it('of a segment that is there', async () => {
    const refused = await post('segments', { segmentId: 'default', name: 'x' });
    expect(refusal(refused)).toEqual([409, 6, 'SEGMENT_EXISTS']);
    expect((await post('segments', { segmentId: 'eu', name: 'Europe' })).status).toBe(200);
  });
});
