import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, SignJWT } from 'jose';
import { type Answer, anonymous, type ApiClient, bearer } from '../support/api-client.js';
import { type CatalogServer, startCatalogServer } from '../support/catalog-server.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, issuePlayerToken, requireOk } from '../support/scenario.js';

/** Players with tokens of an issuer that their app is set to (rules/api 11, decision 0016). */
const ISSUER = 'https://id.game.example/';
const AUDIENCE = 'gold-rush';
const PLAYER = 'auth0|player-1';
const ledger = useLedger();
/** Answers with keys, as any address would. */
let issuerServer: CatalogServer;
let keys: GenerateKeyPairResult;
let address: string;
let subscriptionId: string;

beforeAll(async () => {
  issuerServer = await startCatalogServer();
  keys = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'first', use: 'sig', alg: 'RS256' };
  issuerServer.answerWith({ body: { keys: [jwk] } });
  address = `/manage/apps/${ledger.appId}`;
  ({ subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: PLAYER }));
});
afterAll(() => issuerServer.close());

describe('the token issuer of an app', () => {
  it('is none until it is set, is shown, and set again without a change', async () => {
    expect((await ledger.operator.get(address)).body).toMatchObject({ tokenIssuer: null });
    const first = requireOk(await set(settings()));
    expect(first.body['tokenIssuer']).toEqual(settings());
    const again = requireOk(await set(settings()));
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect((await ledger.operator.get(address)).body['tokenIssuer']).toEqual(settings());
    const shared = requireOk(await set({ ...settings(), audience: undefined }));
    expect(shared.body['tokenIssuer']).toEqual({ ...settings(), audience: 'subledger-player' });
    requireOk(await set(settings()));
  });

  it.each<[string, unknown]>([
    ['jwksUrl', 'http://id.game.example/jwks.json'],
    ['jwksUrl', 'https://user:secret@id.game.example/jwks.json'],
    ['jwksUrl', undefined],
    ['issuer', 'subledger'],
    ['issuer', undefined],
    ['audience', ['a', 'b']],
    ['clientId', 'x'],
  ])('is refused with its %s %j, and nothing is changed', async (field, value) => {
    const answer = await set({ ...settings(), [field]: value });
    expect(refusal(answer)).toEqual([400, 3, 'INVALID_FIELDS']);
    expect(badFields(answer)).toEqual([`tokenIssuer.${field}`]);
    expect((await ledger.operator.get(address)).body['tokenIssuer']).toEqual(settings());
  });
});

describe('a token of the issuer', () => {
  it('reaches what is of its player, and nothing else', async () => {
    const player = await as({ sub: PLAYER });
    const list = requireOk(await player.get('/sdk/subscriptions'));
    expect(list.body).toMatchObject({ subscriptions: [{ id: subscriptionId }] });
    const path = `/sdk/subscriptions/${subscriptionId}`;
    expect(requireOk(await player.get(path)).body).toMatchObject({ status: 'active' });
    const other = await as({ sub: 'auth0|player-2' });
    expect(refusal(await other.get(path))).toEqual([404, 5, 'SUBSCRIPTION_NOT_FOUND']);
    expect(refusal(await player.get(address))).toEqual([403, 7, 'WRONG_CREDENTIALS_FOR_OPERATION']);
  });

  it('is good no more once the issuer is taken away, and the own tokens stay', async () => {
    const player = await as({ sub: PLAYER });
    requireOk(await player.get('/sdk/subscriptions'));
    const removed = requireOk(await set(null));
    expect(removed.body).toMatchObject({ tokenIssuer: null });
    expect(refusal(await player.get('/sdk/subscriptions'))).toEqual(UNAUTHENTICATED);
    const own = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, PLAYER));
    requireOk(await own.get('/sdk/subscriptions'));
  });

  it('is not judged while the keys are out of reach, and the own tokens are', async () => {
    issuerServer.answerWith({ status: 503, body: '' });
    requireOk(await set({ ...settings(), jwksUrl: `${issuerServer.baseUrl}/elsewhere.json` }));
    const answer = await (await as({ sub: PLAYER })).get('/sdk/subscriptions');
    expect(refusal(answer)).toEqual([503, 14, 'UNAVAILABLE']);
    expect(answer.headers.get('retry-after')).toBe('10');
    const own = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, PLAYER));
    requireOk(await own.get('/sdk/subscriptions'));
  });
});

const UNAUTHENTICATED = [401, 16, 'UNAUTHENTICATED'];

function settings() {
  const jwksUrl = `${issuerServer.baseUrl}/.well-known/jwks.json`;
  return { issuer: ISSUER, jwksUrl, audience: AUDIENCE };
}

function set(tokenIssuer: unknown, to = address): Promise<Answer> {
  return ledger.allApps.send('PATCH', to, { body: { tokenIssuer } });
}

/** A player's client with a token of the issuer, that names an app in its requests, or none. */
async function as(
  claims: Record<string, unknown>,
  appId = ledger.appId,
  kid = 'first',
): Promise<Pick<ApiClient, 'get'>> {
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(keys.privateKey);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(appId !== '' && { 'x-app-id': appId }),
  };
  const client = anonymous(ledger.standalone.baseUrl);
  return { get: (path) => client.get(path, { headers }) };
}
