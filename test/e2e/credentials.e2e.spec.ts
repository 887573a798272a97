import { beforeAll, describe, expect, it } from 'vitest';
import {
  anonymous,
  type ApiClient,
  backendClient,
  bearer,
  signature,
} from '../support/api-client.js';
import { errorReason, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, issuePlayerToken } from '../support/scenario.js';

const PLAYER = 'player-1';
/** How long a read waits for its token's position, before it is refused with 503. */
const CONSISTENCY_LIMIT_MS = 5000;
const ledger = useLedger();
let subscriptionId: string;
let player: ApiClient;

beforeAll(async () => {
  ({ subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: PLAYER }));
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, PLAYER));
});

describe('credentials', () => {
  it('are needed, and the answer says of which kind', async () => {
    const answer = await anonymous(ledger.standalone.baseUrl).get('/sdk/subscriptions');
    expect(refusal(answer)).toEqual([401, 16, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(errorReason(answer)).toBe('UNAUTHENTICATED');
  });

  it.each([
    '/sdk/subscriptions',
    '/sdk/plans',
    '/sdk/server/payments/x',
    '/manage/apps/app_x/plans',
  ])('are asked for before a read waits for what its token names: %s', async (path) => {
    const headers = { 'x-consistency-token': `c1.${'9'.repeat(20)}` };
    const askedAt = performance.now();
    const answer = await anonymous(ledger.standalone.baseUrl).get(path, { headers });
    expect(refusal(answer)).toEqual([401, 16, 'UNAUTHENTICATED']);
    expect(performance.now() - askedAt).toBeLessThan(CONSISTENCY_LIMIT_MS);
  });

  it.each([
    ['a token that is none', { authorization: 'Bearer nonsense' }],
    ['another scheme', { authorization: 'Basic eDp5' }],
    ['an unsigned token', { authorization: `Bearer ${unsigned({ sub: 'x' })}` }],
    ['a malformed signature', { 'x-service-hmac-signature': 'v1;app' }],
    ['an API key of no app', { 'x-service-api-key': 'bm9ib2R5OmtleQ==' }],
  ])('that are wrong are refused: %s', async (_, headers) => {
    const answer = await anonymous(ledger.standalone.baseUrl).get('/sdk/plans', { headers });
    expect(refusal(answer)).toEqual([401, 16, 'UNAUTHENTICATED']);
  });

  it.each([
    ['6 minutes old', () => signature(ledger.standalone.demo, '', Date.now() - 360_000)],
    ['6 minutes ahead', () => signature(ledger.standalone.demo, '', Date.now() + 360_000)],
    ['of another version', () => signature(ledger.standalone.demo, '', Date.now(), 'v2')],
    ['over another body', () => signature(ledger.standalone.demo, '{}')],
    ['with another key', () => signature({ ...ledger.standalone.demo, ingressSecret: 'AAAA' }, '')],
    [
      'of an app that is not there',
      () => signature({ ...ledger.standalone.demo, appId: 'app_00000000' }, ''),
    ],
  ])('by signature are refused when it is %s', async (_, sign) => {
    const headers = { 'x-service-hmac-signature': sign() };
    const answer = await anonymous(ledger.standalone.baseUrl).get('/sdk/subscriptions', {
      headers,
    });
    expect(refusal(answer)).toEqual([401, 16, 'UNAUTHENTICATED']);
  });

  it('by signature may be over the compact form of an indented body', async () => {
    const body = JSON.stringify({ externalAccountId: 'a "quoted  name" \\' });
    const indented = JSON.stringify(JSON.parse(body), null, 4);
    const answer = await anonymous(ledger.standalone.baseUrl).send(
      'POST',
      '/sdk/server/access-tokens',
      {
        body: indented,
        headers: { 'x-service-hmac-signature': signature(ledger.standalone.demo, body) },
      },
    );
    expect(answer.status).toBe(200);
  });

  it('by signature need a body in a POST, at least {}', async () => {
    const headers = { 'x-service-hmac-signature': signature(ledger.standalone.demo, '') };
    const path = `/sdk/subscriptions/${subscriptionId}/cancel`;
    const answer = await anonymous(ledger.standalone.baseUrl).send('POST', path, { headers });
    expect(refusal(answer)).toEqual([400, 3, 'INVALID_FIELDS']);
    const unchanged = await player.get(`/sdk/subscriptions/${subscriptionId}`);
    expect(unchanged.body).toMatchObject({ status: 'active' });
  });

  it('by the deprecated key work for plans, with a Deprecation header, and for nothing else', async () => {
    const headers = { 'x-service-api-key': ledger.standalone.demo.apiKey };
    const stranger = anonymous(ledger.standalone.baseUrl);
    const plans = await stranger.get('/sdk/plans', { headers });
    expect(plans.status).toBe(200);
    expect(plans.headers.get('deprecation')).toMatch(/^@\d+$/);
    const others = await stranger.get('/sdk/subscriptions', { headers });
    expect(refusal(others)).toEqual([403, 7, 'WRONG_CREDENTIALS_FOR_OPERATION']);
  });

  it('of the wrong kind are refused as such', async () => {
    const asPlayer = await player.get('/manage/apps');
    expect(refusal(asPlayer)).toEqual([403, 7, 'WRONG_CREDENTIALS_FOR_OPERATION']);
    const asBackend = await ledger.backend.get('/manage/apps');
    expect(refusal(asBackend)).toEqual([403, 7, 'WRONG_CREDENTIALS_FOR_OPERATION']);
    const asOperator = await ledger.operator.get('/sdk/subscriptions');
    expect(refusal(asOperator)).toEqual([403, 7, 'WRONG_CREDENTIALS_FOR_OPERATION']);
  });
});

describe('what is not yours', () => {
  it('does not exist: another player', async () => {
    const other = bearer(
      ledger.standalone.baseUrl,
      await issuePlayerToken(ledger.backend, 'player-2'),
    );
    const path = `/sdk/subscriptions/${subscriptionId}`;
    for (const answer of [
      await other.get(path),
      await other.get(`${path}/payments`),
      await other.post(`${path}/cancel`),
      await other.post(`${path}/reactivate`),
    ]) {
      expect(refusal(answer)).toEqual([404, 5, 'SUBSCRIPTION_NOT_FOUND']);
      expect(errorReason(answer)).toBe('SUBSCRIPTION_NOT_FOUND');
    }
    expect((await other.get('/sdk/subscriptions')).body).toMatchObject({ subscriptions: [] });
    const asked = await other.get(`/sdk/subscriptions?externalAccountId=${PLAYER}`);
    expect(asked.body).toMatchObject({ subscriptions: [] });
  });

  it('does not exist: another app', async () => {
    const created = await ledger.allApps.post('/manage/apps', {
      name: 'Other',
      environment: 'test',
    });
    const { appId: otherId, ingressSecret } = created.body;
    const other = backendClient({
      ...ledger.standalone.demo,
      appId: String(otherId),
      ingressSecret: String(ingressSecret),
    });
    const path = `/sdk/subscriptions/${subscriptionId}`;
    for (const answer of [
      await other.get(path),
      await other.post(`${path}/cancel`),
      await other.post(`${path}/cancel`, {}, { 'idempotency-key': 'k' }),
    ]) {
      expect(refusal(answer)).toEqual([404, 5, 'SUBSCRIPTION_NOT_FOUND']);
    }
    expect((await other.get('/sdk/plans')).body).toEqual({ plans: [] });
  });
});

function unsigned(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(payload)}.`;
}
