import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { SignJWT } from 'jose';
import { type CreatedApp, evolveApp, noApp } from '#domain/app';
import { createSeal } from '#platform';
import { type AccessTokens, createAccessTokens, createAppSecrets } from '#tenancy';

/** The rules for a token that speaks for a player (rules/api 11), each broken alone. */
const secrets = createAppSecrets(createSeal(Buffer.alloc(32, 7)));
const GOOD = { iss: 'subledger', aud: 'subledger-player', sub: 'player-1', app: 'app_00000001' };
const DAY = 86_400;

let tokens: AccessTokens;
let ownKey: KeyObject;
let otherKey: KeyObject;
let publicKey: string;
let app: CreatedApp;

beforeAll(async () => {
  app = await newApp('app_00000001');
  const other = await newApp('app_00000002');
  const apps = new Map([app, other].map((each) => [each.appId, each]));
  tokens = createAccessTokens(
    { find: async (appId) => apps.get(appId), recall: (appId) => apps.get(appId) },
    secrets,
    async () => ({ keys: [] }),
  );
  ownKey = readPrivateKey(app);
  otherKey = readPrivateKey(other);
  publicKey = app.tokenPublicKey['x'] ?? '';
});

/** Signs claims that are good but for these. */
async function sign(
  claims: Readonly<Record<string, unknown>>,
  { key = ownKey, alg = 'EdDSA' }: { key?: KeyObject | Uint8Array; alg?: string } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload: Record<string, unknown> = { ...GOOD, iat: now, exp: now + 60, ...claims };
  const present = Object.entries(payload).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(present)).setProtectedHeader({ alg }).sign(key);
}

const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

describe("a player's token", () => {
  it("signed by its app's key speaks for the player", async () => {
    const player = secrets.pseudonym(app, 'player-1');
    const identity = { appId: 'app_00000001', externalAccountId: 'player-1', player };
    const token = await sign({});
    expect(await tokens.verify(token)).toEqual(identity);
    expect(await tokens.verify(token)).toEqual(identity);
  });

  it.each([
    ['has expired', () => sign({ iat: seconds(-120), exp: seconds(-60) })],
    ['is of another issuer', () => sign({ iss: 'stranger' })],
    ['is for another audience', () => sign({ aud: 'subledger-operator' })],
    ['is for no audience', () => sign({ aud: undefined })],
    ['names no player', () => sign({ sub: undefined })],
    ['names an empty player', () => sign({ sub: '' })],
    ['names no app', () => sign({ app: undefined })],
    ['names an app that is not known', () => sign({ app: 'app_99999999' })],
    ['has no end', () => sign({ exp: undefined })],
    ['has no beginning', () => sign({ iat: undefined })],
    ['lives longer than a day', () => sign({ exp: seconds(2 * DAY) })],
    ['is older than a day', () => sign({ iat: seconds(-DAY - 10), exp: seconds(60) })],
    ['begins in the future', () => sign({ iat: seconds(3600), exp: seconds(7200) })],
    ["is signed by another app's key", () => sign({}, { key: otherKey })],
    ["names another app than its key's", () => sign({ app: 'app_00000002' })],
    ['is signed by an unknown key', () => sign({}, { key: strangersKey() })],
    [
      'takes the public key for a shared secret',
      () => sign({}, { key: Buffer.from(publicKey, 'base64url'), alg: 'HS256' }),
    ],
    ['is not signed at all', async () => unsigned('none')],
    ['says that it need not be signed', async () => unsigned('None')],
    ['was altered', async () => (await sign({})).replace(/\.[^.]{4}/, '.AAAA')],
    ['is no token', async () => 'a.b.c'],
  ])('that %s is refused', async (_, make) => {
    expect(await tokens.verify(await make())).toBeUndefined();
  });
});

function unsigned(alg: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg })}.${part({ ...GOOD, iat: seconds(0), exp: seconds(60) })}.`;
}

function strangersKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

async function newApp(appId: string): Promise<CreatedApp> {
  const { sealed } = await secrets.createFor(appId);
  const createdAt = new Date().toISOString();
  const data = { appId, name: 'x', environment: 'test' as const, createdAt, ...sealed };
  const created = evolveApp(noApp, { type: 'app.created.v1', data });
  if (created.status === 'none') throw new Error('an app that was just created');
  return created;
}

function readPrivateKey(app: CreatedApp): KeyObject {
  // Sealed when the app was made, as a JWK.
  const key = JSON.parse(secrets.open(app.appId, 'token key', app.sealedTokenKey)) as Record<
    string,
    string
  >;
  return createPrivateKey({ key, format: 'jwk' });
}
