import { beforeAll, describe, expect, it } from 'vitest';
import {
  anonymous,
  type Answer,
  type ApiClient,
  bearer,
  type CallOptions,
} from '../../support/api-client.js';
import { useLedger } from '../../support/fixture.js';
import { buy, createPlan, issuePlayerToken } from '../../support/scenario.js';
import { goldenNames } from '../golden-files.js';
import { type OpenApiDocument, openDocument } from './openapi-document.js';
import { OF_STRIPE, operateFinance } from './operate-finance.js';
import { operateReadModels } from './operated-read-models.js';
import { readSeals } from './read-seals.js';
import { recordExample } from './recorded-examples.js';

const TESTED_CATALOG = { playerId: 'player-1', language: 'en' };
const ledger = useLedger();
const seen = new Set<string>();
let document: OpenApiDocument;
let app: string;
let subscription: string;
let player: ApiClient;

beforeAll(async () => {
  document = await openDocument(ledger.standalone.baseUrl);
  app = `/manage/apps/${ledger.appId}`;
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, 'player-1'));
  const bought = await buy(ledger.backend, { plan: 'gold', player: 'player-1' });
  subscription = `/sdk/subscriptions/${bought.subscriptionId}`;
  const headers = { 'x-consistency-token': bought.token };
  expect((await player.get(subscription, { headers })).status).toBe(200);
});

/** Calls, and holds the answer to the document. */
async function call(client: ApiClient, method: string, path: string, options: CallOptions = {}) {
  const answer = await client.send(method, path, options);
  const operationId = document.check(method, path, answer);
  if (answer.status < 300) {
    if (!seen.has(operationId)) recordExample(operationId, options, answer);
    seen.add(operationId);
  }
  return answer;
}

const ok = async (...args: Parameters<typeof call>): Promise<Answer> => {
  const answer = await call(...args);
  if (answer.status >= 300) throw new Error(`${args[1]} ${args[2]}: ${answer.text}`);
  return answer;
};

describe('answers are as the document says:', () => {
  it('plans', async () => {
    const { body } = await ok(player, 'GET', '/sdk/plans');
    const [plan] = body['plans'] as { id: string }[];
    await ok(player, 'GET', `/sdk/plans/${plan?.id ?? ''}`);
    await ok(player, 'GET', '/sdk/plans/code/gold');
    const headers = { 'x-service-api-key': ledger.standalone.demo.apiKey };
    await ok(anonymous(ledger.standalone.baseUrl), 'GET', '/sdk/plans', { headers });
  });

  it('subscriptions and payments', async () => {
    await ok(player, 'GET', '/sdk/subscriptions?limit=1');
    await ok(player, 'GET', subscription);
    const { body } = await ok(player, 'GET', `${subscription}/payments`);
    const [payment] = body['payments'] as { paymentId: string }[];
    await ok(ledger.backend, 'GET', `/sdk/server/payments/${payment?.paymentId ?? ''}`);
    await ok(ledger.backend, 'POST', `/sdk/server/payments/${payment?.paymentId ?? ''}/refunds`, {
      body: { amountCents: '1' },
    });
    const managed = `${app}/payments/${payment?.paymentId ?? ''}`;
    const refund = { body: { amountCents: '2' }, headers: { 'idempotency-key': 'refund' } };
    await ok(ledger.operator, 'POST', `${managed}/refunds`, refund);
    await ok(ledger.operator, 'GET', `${managed}/timeline`);
    await ok(ledger.operator, 'GET', `${subscription.replace('/sdk', app)}/timeline`);
    const disputes = `${app}/sandbox/disputes`;
    const dispute = { paymentId: payment?.paymentId, amountCents: '1' };
    const opened = await ok(ledger.operator, 'POST', disputes, { body: dispute });
    const closing = `${disputes}/${String(opened.body['disputeId'])}/close`;
    await ok(ledger.operator, 'POST', closing, { body: { won: true } });
    await call(ledger.operator, 'POST', closing, { body: { won: false } });
    const change = `${subscription}/change-checkout-links`;
    await ok(ledger.backend, 'POST', change, { body: { preview: true } });
    await ok(ledger.backend, 'POST', change, { body: {} });
    const server = subscription.replace('/sdk', '/sdk/server');
    const region = { regionCode: 'DE' };
    await ok(ledger.backend, 'PATCH', server, { body: region });
    await ok(ledger.backend, 'PATCH', server, { body: { ...region, preview: true } });
    await call(ledger.backend, 'PATCH', server, { body: region, headers: { 'if-match': '"99"' } });
    const headers = { 'idempotency-key': 'cancel' };
    await ok(player, 'POST', `${subscription}/cancel`, { body: {}, headers });
    await ok(player, 'POST', `${subscription}/cancel`, { body: {}, headers });
    await ok(player, 'POST', `${subscription}/reactivate`, { body: {} });
    await call(player, 'POST', `${subscription}/reactivate`);
    await call(player, 'POST', `${subscription}/reactivate`, { headers: { 'if-match': '"99"' } });
  });

  it('access tokens', async () => {
    await ok(ledger.backend, 'POST', '/sdk/server/access-tokens', {
      body: { externalAccountId: 'player-1' },
    });
  });

  it('checkout links', async () => {
    const body = { plan: { code: 'gold' }, currency: 'USD', user: { id: 'player-2' } };
    const headers = { 'idempotency-key': 'link' };
    const path = '/sdk/subscriptions/checkout-links';
    await ok(ledger.backend, 'POST', path, { body, headers });
    await ok(ledger.backend, 'POST', path, { body, headers });
  });

  it('payment links and orders', async () => {
    const items = [{ id: 'gems-100', name: '100 gems', quantity: 2, price: '4.99' }];
    const body = { transactionId: 'txn-1', items, currency: 'USD', user: { id: 'player-4' } };
    const made = await ok(ledger.backend, 'POST', '/sdk/server/checkout-links', { body });
    const other = { ...body, currency: 'EUR' };
    await call(ledger.backend, 'POST', '/sdk/server/checkout-links', { body: other });
    const page = `/checkout/${String(made.body['id'])}/complete`;
    const { body: paid } = await ledger.backend.post(page, { paymentMethod: 'pm_ok' });
    await ok(ledger.backend, 'GET', `/sdk/server/orders/${String(paid['orderId'])}`);
  });

  it('links into the webshop', async () => {
    const user = { id: 'player-3', email: 'ann@example.com' };
    const body = { user, language: 'de', regionCode: 'DE' };
    const headers = { 'idempotency-key': 'shop-link' };
    await ok(ledger.backend, 'POST', '/sdk/server/webshop-links', { body, headers });
    await ok(ledger.backend, 'POST', '/sdk/server/webshop-links', { body, headers });
  });

  it('management of apps', async () => {
    const body = { name: 'Other', environment: 'test' };
    const created = await ok(ledger.allApps, 'POST', '/manage/apps', { body });
    const other = `/manage/apps/${String(created.body['appId'])}`;
    await ok(ledger.allApps, 'GET', '/manage/apps');
    await ok(ledger.allApps, 'GET', other);
    const dunning = { graceHours: 24, retryAfterHours: [12] };
    await ok(ledger.allApps, 'PATCH', other, { body: { name: 'Another', dunning } });
    const expireOldAfterSeconds = 0;
    await ok(ledger.allApps, 'POST', `${other}/ingress-secrets`, {
      body: { expireOldAfterSeconds },
    });
    const segment = { segmentId: 'eu', name: 'Europe' };
    await ok(ledger.allApps, 'POST', `${other}/segments`, { body: segment });
    await call(ledger.allApps, 'POST', `${other}/segments`, { body: segment });
    await ok(ledger.allApps, 'GET', `${other}/segments`);
    const brand = { name: 'Other', accentColor: '#c2410c', supportEmail: 'help@other.example' };
    await ok(ledger.allApps, 'PUT', `${other}/brand`, { body: brand });
    await ok(ledger.allApps, 'GET', `${other}/brand`);
  });

  it("management of operators' tokens", async () => {
    const body = { roles: ['viewer'], expiresInSeconds: 60 };
    const issued = await ok(ledger.operator, 'POST', `${app}/operator-tokens`, { body });
    await ok(ledger.operator, 'GET', `${app}/operators`);
    const path = `${app}/operator-tokens/${String(issued.body['id'])}`;
    await ok(ledger.operator, 'DELETE', path);
    await ok(ledger.operator, 'GET', `${app}/operators?limit=2`);
    await call(ledger.operator, 'DELETE', `${app}/operator-tokens/opt_none`);
  });

  it('management of plans', async () => {
    const id = await createPlan(ledger.operator, ledger.appId, { code: 'bronze' });
    const terms = { billingPeriodValue: '2', billingPeriodUnit: 'week' };
    const prices = [{ currency: 'KWD', amountCents: '9990' }];
    const trial = { trialPeriodValue: '1', trialPeriodUnit: 'day' };
    const body = { code: 'tin', name: 'Tin', prices, ...terms, ...trial };
    const headers = { 'idempotency-key': 'tin' };
    await ok(ledger.operator, 'POST', `${app}/plans`, { body, headers });
    await ok(ledger.operator, 'POST', `${app}/plans`, { body, headers });
    await ok(ledger.operator, 'GET', `${app}/plans?limit=2`);
    await ok(ledger.operator, 'PATCH', `${app}/plans/${id}`, { body: { name: 'Bronze' } });
    for (const act of ['archive', 'deprecate', 'activate']) {
      await ok(ledger.operator, 'POST', `${app}/plans/${id}/${act}`, { body: {} });
    }
    const token = (await ledger.operator.post(`${app}/plans/${id}/activate`)).headers;
    const since = { 'x-consistency-token': token.get('x-consistency-token') ?? '' };
    await ok(ledger.operator, 'GET', `${app}/plans/${id}`, { headers: since });
  });

  it('subscriptions that are moved to another currency', async () => {
    const prices = ['USD', 'EUR'].map((currency) => ({ currency, amountCents: '999' }));
    await createPlan(ledger.operator, ledger.appId, { code: 'both', prices });
    const { token } = await buy(ledger.backend, { plan: 'both', player: 'player-1' });
    const headers = { 'x-consistency-token': token };
    const move = { from: 'USD', to: 'EUR' };
    const path = `${app}/currency-changes`;
    await ok(ledger.operator, 'GET', `${path}?from=USD&to=EUR&limit=2`, { headers });
    const { body } = await ok(ledger.operator, 'POST', path, { body: move });
    const moved = body['subscriptions'] as { moves: boolean }[];
    expect(moved.map(({ moves }) => moves)).toContain(true);
    await ok(ledger.operator, 'POST', path, { body: move });
    await call(ledger.operator, 'POST', path, { body: { ...move, to: 'USD' } });
  });

  it('management of webhook endpoints', async () => {
    const body = { url: 'http://127.0.0.1:9/webhooks' };
    const created = await ok(ledger.operator, 'POST', `${app}/webhook-endpoints`, { body });
    const endpoint = `${app}/webhook-endpoints/${String(created.body['id'])}`;
    await ok(ledger.operator, 'GET', `${app}/webhook-endpoints`);
    await ok(ledger.operator, 'GET', endpoint);
    const change = { description: 'Refunds', maxPerSecond: 5 };
    await ok(ledger.operator, 'PATCH', endpoint, { body: change });
    const test = { eventType: 'PURCHASE_SUCCEEDED' };
    await ok(ledger.operator, 'POST', `${endpoint}/test`, { body: test });
    await ok(ledger.operator, 'POST', `${endpoint}/resend`, { body: { failed: true } });
    const webhookId = 'msg_none';
    await call(ledger.operator, 'POST', `${endpoint}/resend`, { body: { webhookId } });
    const since = new Date(Date.now() - 60_000).toISOString();
    await ok(ledger.operator, 'POST', `${endpoint}/resend`, { body: { since } });
    await ok(ledger.operator, 'POST', `${endpoint}/disable`, { body: {} });
    await ok(ledger.operator, 'GET', endpoint);
    await ok(ledger.operator, 'POST', `${endpoint}/enable`, { body: {} });
    await ok(ledger.operator, 'POST', `${endpoint}/rotate-secret`, { body: {} });
    await ok(ledger.operator, 'GET', `${endpoint}/deliveries?limit=2`);
    await ok(ledger.operator, 'GET', `${app}/webhook-status`);
    await ok(ledger.operator, 'GET', `${app}/webhook-failures?limit=2`);
    await ok(ledger.operator, 'GET', '/manage/webhook-status?limit=2');
    await ok(ledger.operator, 'DELETE', endpoint);
  });

  it('management of the catalog', async () => {
    const catalog = { baseUrl: 'http://127.0.0.1:9', path: '/catalog', apiKeyHeader: 'x-key' };
    await call(ledger.operator, 'POST', `${app}/catalog/test`, { body: TESTED_CATALOG });
    await ok(ledger.operator, 'PATCH', app, { body: { catalog: { ...catalog, apiKey: 'key' } } });
    await ok(ledger.operator, 'GET', app);
    await ok(ledger.operator, 'POST', `${app}/catalog/test`, { body: TESTED_CATALOG });
    await ok(ledger.operator, 'GET', `${app}/catalog/failures?limit=2`);
  });

  it('management of loyalty campaigns', async () => {
    const campaigns = `${app}/loyalty-campaigns`;
    const headers = { 'idempotency-key': 'winter' };
    const made = await ok(ledger.operator, 'POST', campaigns, { body: CAMPAIGN, headers });
    const again = await ok(ledger.operator, 'POST', campaigns, { body: CAMPAIGN, headers });
    expect(again.body).toEqual(made.body);
    const campaign = `${campaigns}/${String(made.body['id'])}`;
    await ok(ledger.operator, 'GET', `${campaigns}?limit=2`);
    const body = { name: 'Winter sale' };
    const revised = await ok(ledger.operator, 'PATCH', campaign, { body });
    expect((await ok(ledger.operator, 'GET', campaign)).body).toEqual(revised.body);
    await call(ledger.operator, 'PATCH', campaign, { body: { until: CAMPAIGN.from } });
    await call(ledger.operator, 'GET', `${campaigns}/loy_none`);
  });

  it('prices', async () => {
    const sheet = { body: PRICE_SHEET, headers: { 'content-type': 'text/csv' } };
    await ok(ledger.operator, 'PUT', `${app}/price-sheet`, sheet);
    for (const shown of ['price-sheet', 'price-sheet/versions', 'price-sheet/versions/1'])
      await ok(ledger.operator, 'GET', `${app}/${shown}`);
    await ok(ledger.operator, 'POST', `${app}/price-sheet/versions/1/activate`, { body: {} });
    const rates = [{ country: 'DE', rate: '0.19', inclusive: true }];
    await ok(ledger.operator, 'PUT', `${app}/tax-rates`, { body: { rates } });
    for (const shown of ['tax-rates', 'tax-rates/versions', 'tax-rates/versions/1'])
      await ok(ledger.operator, 'GET', `${app}/${shown}`);
    await ok(ledger.operator, 'GET', `${app}/price-sheet/explain?priceId=gems&country=DE`);
    const priceIds = ['gems', 'nothing'];
    const body = { sourceCurrency: 'USD', destinationCountry: 'DE', priceIds, rounding: 'hg' };
    await ok(ledger.backend, 'POST', '/sdk/server/prices/convert', { body });
  });

  it('management of read models', () => operateReadModels(ok, ledger.allApps), 60_000);

  it('the finance of an app', () => operateFinance({ ok, call }, ledger, app));

  it('seals of the ledger', () =>
    readSeals({ call: ok, refused: call }, ledger, ledger.standalone));

  it('the test clock', async () => {
    const { body } = await ok(ledger.operator, 'GET', `${app}/test-clock`);
    const to = new Date(Date.parse(String(body['now'])) + 60_000).toISOString();
    await ok(ledger.operator, 'POST', `${app}/test-clock/advance`, { body: { to } });
    await call(ledger.operator, 'POST', `${app}/test-clock/advance`, { body: { to } });
  });

  it('schemas have the names of their classes, which a build may change (decision 0002)', () => {
    expect(document.schemaNames.length).toBeGreaterThan(0);
    for (const name of document.schemaNames)
      expect(name).toMatch(
        /^[A-Z][A-Za-z]+(Body|Dto)$|^Error[A-Z][a-z]+$|^(BadRequest|RetryInfo|RequestInfo)$/,
      );
  });

  it('nothing was left out', () => {
    const left = document.operationIds.filter((operationId) => !seen.has(operationId));
    expect(left).toEqual([OF_STRIPE]);
    expect(goldenNames('examples').sort()).toEqual([...document.operationIds].sort());
  });
});

const CAMPAIGN = {
  name: 'Winter',
  points: [{ currency: 'USD', perMajorUnit: '2.5' }],
  milestones: [
    { id: 'bronze', points: 20, rewards: [{ itemId: 'gems', quantity: 2, type: 'item' }] },
  ],
  ...{ from: '2026-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z', delivery: 'none' },
};
const PRICE_SHEET = 'priceId,country,currency,amount\ngems,US,USD,9.99\ngems,DE,EUR,9.49\n';
