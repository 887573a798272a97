import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type ApiClient, bearer, signature } from '../support/api-client.js';
import { errorReason, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, issuePlayerToken, seeing } from '../support/scenario.js';

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
    const askedAt = performance.now();
    const answer = await anonymous(ledger.standalone.baseUrl).get(
      path,
      seeing(`c1.${'9'.repeat(20)}`),
    );
    expect(refusal(answer)).toEqual([401, 16, 'UNAUTHENTICATED']);
    expect(performance.now() - askedAt).toBeLessThan(CONSISTENCY_LIMIT_MS);
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
});
