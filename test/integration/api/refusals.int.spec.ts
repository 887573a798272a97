import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ALL_APPS, type OperatorRole } from '#domain/operator-tokens';
import { categoryOf } from '#domain/event';
import { createCommandExecutor, type EventStore, START } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createLogger, createSeal, createShutdown, type Shutdown } from '#platform';
import { issueOperatorToken } from '#tenancy';
import { startApi } from '../../../apps/api/src/application.js';
import { readApiConfig } from '../../../apps/api/src/config.js';
import {
  anonymous,
  type Answer,
  type ApiClient,
  backendClient,
  bearer,
} from '../../support/api-client.js';
import { errorReason, refusal } from '../../support/errors.js';
import { eventually } from '../../support/eventually.js';
import { putSheet, sheet } from '../../support/prices.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { RestartableStore } from '../event-store/support.js';

const LIMIT_MS = 120_000;
/** Requests a second, which operators, who ask nearly all here, are not held to. */
const [APP_LIMIT, PLAYER_LIMIT] = [20, 2];
const log = createLogger('test', { level: 'silent' });
const masterKey = randomBytes(32);
let redis: RunningRedis;
let server: RestartableStore;
let store: EventStore;
let shutdown: Shutdown;
let baseUrl: string;
let admin: ApiClient;
let appId: string;
let backend: ApiClient;
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
    API_REQUESTS_PER_SECOND: String(APP_LIMIT),
    API_PLAYER_REQUESTS_PER_SECOND: String(PLAYER_LIMIT),
  });
  baseUrl = await startApi(config, log, shutdown);
  admin = await operator('admin');
  ({ appId: otherApp } = await createApp('other'));
}, LIMIT_MS);

afterAll(async () => {
  await shutdown.stop('the test is over');
  await store.dispose();
  await server.remove();
  await redis.stop();
}, LIMIT_MS);

/** Each test has an app of its own. */
beforeEach(async () => {
  ({ appId, backend } = await createApp('refusals'));
});

/** The parts of the demo that no signature needs. */
const NO_DEMO = { storefrontUrl: '', apiKey: '', operatorToken: '' };

async function createApp(name: string): Promise<{ appId: string; backend: ApiClient }> {
  const { body } = await admin.post('/manage/apps', { name, environment: 'test' });
  const [id, ingressSecret] = [String(body['appId']), String(body['ingressSecret'])];
  return { appId: id, backend: backendClient({ ...NO_DEMO, baseUrl, appId: id, ingressSecret }) };
}

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

/** rules/api 19 */
describe('who asks too often', () => {
  const LINKS = '/sdk/server/checkout-links';
  const ORDER = {
    ...{ currency: 'USD', user: { id: 'player-1' } },
    items: [{ id: 'gems', name: 'Gems', price: '4.99', quantity: 1 }],
  };
  const LIMITED = [429, 8, 'RATE_LIMITED'];
  const playerToken = async (externalAccountId: string) =>
    String(
      (await backend.post('/sdk/server/access-tokens', { externalAccountId })).body['accessToken'],
    );
  /** The reader of a page names a bad one: that is after the limit. */
  const ask = (client: ApiClient) => client.get('/sdk/subscriptions?limit=0');
  const askUntilLimited = async (client: ApiClient): Promise<{ taken: number; last: Answer }> => {
    for (let taken = 0; taken < 1_000; taken += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(client)));
      const limited = answers.filter(({ status }) => status === 429);
      const [last] = limited;
      if (last !== undefined) return { taken: 10 * (taken + 1) - limited.length, last };
    }
    throw new Error('there is no limit');
  };

  it('is refused and says when there is room: a player, and no other one of the app', async () => {
    const token = await playerToken('player-1');
    const player = bearer(baseUrl, token);
    const { taken, last } = await askUntilLimited(player);
    expect(taken).toBeGreaterThanOrEqual(2 * PLAYER_LIMIT);
    expect(refusal(last)).toEqual(LIMITED);
    expect(last.headers.get('retry-after')).toBe('1');
    expect(last.text).toContain('"retryDelay":"1s"');
    expect(last.text).toContain('"metadata":{"limit":"player"}');
    // Before anything of the body is looked at.
    const malformed = { body: '{', headers: {} };
    expect(refusal(await player.send('POST', '/sdk/subscriptions/x/cancel', malformed))).toEqual(
      LIMITED,
    );
    const other = bearer(baseUrl, await playerToken('player-2'));
    expect(refusal(await ask(other))).toEqual([400, 3, 'INVALID_FIELDS']);
    // Bad credentials use up no room, and do not get to know of it.
    expect(refusal(await ask(bearer(baseUrl, `${token}x`)))).toEqual([401, 16, 'UNAUTHENTICATED']);
  });

  it('has changed nothing and used no key: an app, while others and its operators go on', async () => {
    const { taken, last } = await askUntilLimited(backend);
    expect(taken).toBeGreaterThanOrEqual(2 * APP_LIMIT);
    expect(last.text).toContain('"metadata":{"limit":"app"}');
    const { order, refused } = await orderUntilLimited();
    expect(refusal(refused)).toEqual(LIMITED);
    expect((await admin.get(`/manage/apps/${appId}`)).status).toBe(200);
    const { backend: others } = await createApp('calm');
    expect(refusal(await ask(others))).toEqual([400, 3, 'INVALID_FIELDS']);
    let answered = refused;
    await eventually(async () => (answered = await order()).status !== 429);
    expect([answered.status, answered.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  /** Asks so often meanwhile that an order is refused, and can be made again as it was. */
  async function orderUntilLimited(): Promise<{ order: () => Promise<Answer>; refused: Answer }> {
    for (let n = 0; n < 100; n += 1) {
      const order = () =>
        backend.post(
          LINKS,
          { ...ORDER, transactionId: `txn-${n}` },
          { 'idempotency-key': `k-${n}` },
        );
      await askUntilLimited(backend);
      const refused = await order();
      if (refused.status === 429) return { order, refused };
    }
    throw new Error('no order was refused');
  }
});
