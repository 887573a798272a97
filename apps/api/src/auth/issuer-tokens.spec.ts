import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as cryptoSign,
} from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type JWK, SignJWT } from 'jose';
import { type CreatedApp, evolveApp, noApp, type TokenIssuer } from '#domain/app';
import { createSeal } from '#platform';
import { type AccessTokens, createAccessTokens, createAppSecrets, parseIssuerKeys } from '#tenancy';

/** The rules for a token of an app's own issuer (rules/api 11, decision 0016), each broken alone. */
const secrets = createAppSecrets(createSeal(Buffer.alloc(32, 7)));
const DAY = 86_400;
const [APP, OTHER, SHARING] = ['app_00000001', 'app_00000002', 'app_00000003'] as const;
/** No request has it. */
const NOT_NAMED = '';
const GOOD = { iss: 'https://id.example/', aud: 'gold-rush', sub: 'player-1' };
const KEYS = {
  EdDSA: generateKeyPairSync('ed25519'),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  short: generateKeyPairSync('rsa', { modulusLength: 1024 }),
};

const apps = new Map<string, CreatedApp>();
let tokens: AccessTokens;

beforeAll(async () => {
  await set(APP, issuer());
  await set(OTHER, issuer({ issuer: 'https://other.example/' }));
  await set(SHARING, issuer({ audience: 'subledger-player' }));
  const recall = (appId: string) => apps.get(appId);
  const find = async (appId: string) => recall(appId);
  tokens = createAccessTokens({ find, recall }, secrets, async () => parseIssuerKeys(SET));
});

describe("a token of an app's issuer", () => {
  it.each(['EdDSA', 'ES256', 'RS256', 'PS256'])(
    'speaks for the player, signed by %s',
    async (alg) => {
      const token = await sign({}, { alg });
      for (const _ of [1, 2]) expect(await verify(token)).toBe(`${APP} player-1`);
    },
  );

  it('names its app by a claim, or the request does, and never another one', async () => {
    const named = await sign({ app: APP });
    expect(await verify(named, NOT_NAMED)).toBe(`${APP} player-1`);
    expect(await verify(named, APP)).toBe(`${APP} player-1`);
    expect(await verify(named, OTHER)).toBe('refused');
    const unnamed = await sign({});
    expect(await verify(unnamed, APP)).toBe(`${APP} player-1`);
    // It was verified just now, for requests that name the app.
    expect(await verify(unnamed, NOT_NAMED)).toBe('refused');
    expect(await verify(unnamed, OTHER)).toBe('refused');
    expect(await verify(await sign({ app: 7 }), APP)).toBe('refused');
  });

  it('names its app by a claim where its audience is that of all apps', async () => {
    const claims = { aud: 'subledger-player' };
    expect(await verify(await sign(claims), SHARING)).toBe('refused');
    expect(await verify(await sign({ ...claims, app: SHARING }), NOT_NAMED)).toBe(
      `${SHARING} player-1`,
    );
    expect(await verify(await sign({ ...claims, app: APP }), NOT_NAMED)).toBe('refused');
  });

  it('ends at once when the issuer is taken away, or is set to be another one', async () => {
    const token = await sign({});
    expect(await verify(token)).toBe(`${APP} player-1`);
    await set(APP, null);
    expect(await verify(token)).toBe('refused');
    await set(APP, issuer({ audience: 'another' }));
    expect(await verify(token)).toBe('refused');
    await set(APP, issuer());
    expect(await verify(token)).toBe(`${APP} player-1`);
  });

  it('leaves the own tokens of the app as they are', async () => {
    const app = apps.get(APP);
    if (app === undefined) throw new Error('an app that was set');
    const { accessToken } = await tokens.issue(app, 'player-2', 60);
    expect(await verify(accessToken, NOT_NAMED)).toBe(`${APP} player-2`);
    expect(await verify(accessToken, OTHER)).toBe('refused');
    await set(APP, null);
    expect(await verify(accessToken, NOT_NAMED)).toBe(`${APP} player-2`);
    await set(APP, issuer());
  });

  it.each<[string, Record<string, unknown>]>([
    ['is of another issuer', { iss: 'https://id.example' }],
    ['is of no issuer', { iss: undefined }],
    ['says that it is of ours', { iss: 'subledger' }],
    ['is for another audience', { aud: 'silver-rush' }],
    ['is for all apps, where one has its own audience', { aud: 'subledger-player' }],
    ['is for no audience', { aud: undefined }],
    ['names no player', { sub: undefined }],
    ['names an empty player', { sub: '' }],
    ['names a player at length', { sub: 'x'.repeat(256) }],
    ['names a player in two lines', { sub: 'a\nb' }],
    ['names a player by half a character', { sub: 'a\uD800' }],
    ['names a player by a number', { sub: 7 }],
    ['has no end', { exp: undefined }],
    ['has no beginning', { iat: undefined }],
    ['has expired', { iat: seconds(-120), exp: seconds(-60) }],
    ['begins later', { nbf: seconds(60) }],
    ['was issued in the future', { iat: seconds(60) }],
    ['lives longer than a day', { exp: seconds(2 * DAY) }],
    ['is older than a day', { iat: seconds(-DAY - 60), exp: seconds(-50) }],
  ])('that %s is refused', async (_, claims) => {
    expect(await verify(await sign(claims))).toBe('refused');
  });

  it('may come from a machine whose clock is some seconds off', async () => {
    const ahead = await sign({ iat: seconds(20), nbf: seconds(20), exp: seconds(600) });
    expect(await verify(ahead)).toBe(`${APP} player-1`);
    const behind = await sign({ iat: seconds(-600), exp: seconds(-20) });
    expect(await verify(behind)).toBe(`${APP} player-1`);
  });

  it.each<[string, () => Promise<string>]>([
    ['is signed by an unknown key', () => sign({}, { kid: 'made-up' })],
    ['is signed by a stranger', () => sign({}, { key: generateKeyPairSync('ed25519').privateKey })],
    ['is signed by another key than it says', () => sign({}, { kid: 'ES256' })],
    ['is signed by a key that is too short', () => sign({}, { alg: 'RS256', kid: 'short' })],
    [
      'takes the public key for a shared secret',
      () => sign({}, { alg: 'HS256', kid: 'RS256', key: asSecret(KEYS.RS256.publicKey) }),
    ],
    [
      'takes a shared secret that the set names',
      () => sign({}, { alg: 'HS256', kid: 'shared', key: Buffer.from('k'.repeat(32)) }),
    ],
    ['is not signed', async () => unsigned()],
    ['is signed by nothing that the set makes sense of', () => sign({}, { kid: 'broken' })],
  ])('that %s is refused', async (_, make) => {
    expect(await verify(await make())).toBe('refused');
  });
});

const SET = JSON.stringify({
  keys: [
    ...Object.entries(KEYS).map(([kid, { publicKey }]) => ({ ...exported(publicKey), kid })),
    { kty: 'oct', kid: 'shared', k: Buffer.from('k'.repeat(32)).toString('base64url') },
    { kty: 'OKP', crv: 'Ed25519', x: '!', kid: 'broken' },
    { kty: 'RSA', n: 'A'.repeat(2000), e: 'AQAB', kid: 'slow' },
    ...[null, 7, 'key', {}],
  ],
});

function exported(key: KeyObject): JWK {
  return createPublicKey(key.export({ type: 'spki', format: 'pem' })).export({ format: 'jwk' });
}

function asSecret(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ type: 'spki', format: 'pem' }));
}

interface Signing {
  readonly alg?: string;
  /** That of its key, unless it says so. */
  readonly kid?: string;
  readonly key?: KeyObject | Uint8Array;
}

async function sign(
  claims: Readonly<Record<string, unknown>>,
  { alg = 'EdDSA', kid = keyNameFor(alg), key = findPrivateKey(kid, alg) }: Signing = {},
): Promise<string> {
  const payload = claimsWith(claims);
  if (kid === 'short') return signAnyway(payload, KEYS.short.privateKey);
  return new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(key);
}

/** RSA has two algorithms and one key. */
function keyNameFor(alg: string): string {
  return alg === 'PS256' ? 'RS256' : alg;
}

/** Of a kid that is of no key, or of another one: that which can sign by the algorithm. */
function findPrivateKey(kid: string, alg: string): KeyObject {
  const name = alg === 'EdDSA' ? alg : kid;
  return ((KEYS[name as keyof typeof KEYS] as (typeof KEYS)['RS256'] | undefined) ?? KEYS.RS256)
    .privateKey;
}

/** jose itself signs by no key that is too short. */
function signAnyway(payload: object, key: KeyObject): string {
  const head = `${part({ alg: 'RS256', kid: 'short' })}.${part(payload)}`;
  return `${head}.${cryptoSign('sha256', Buffer.from(head), key).toString('base64url')}`;
}

function unsigned(): string {
  return `${part({ alg: 'none' })}.${part(claimsWith({}))}.`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function claimsWith(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const payload: Record<string, unknown> = {
    ...{ ...GOOD, iat: seconds(0), exp: seconds(60) },
    ...claims,
  };
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}

function seconds(offset: number): number {
  return Math.floor(Date.now() / 1000) + offset;
}

/** As which player of which app a token is taken, named by the request. */
async function verify(token: string, named: string = APP): Promise<string> {
  const appId = named === NOT_NAMED ? undefined : named;
  const found = tokens.recall(token, appId) ?? (await tokens.verify(token, appId));
  return found === undefined ? 'refused' : `${found.appId} ${found.externalAccountId}`;
}

function issuer(other: Partial<TokenIssuer> = {}): TokenIssuer {
  const jwksUrl = 'https://id.example/jwks.json';
  return { issuer: GOOD.iss, jwksUrl, audience: GOOD.aud, ...other };
}

async function set(appId: string, tokenIssuer: TokenIssuer | null): Promise<void> {
  const app = apps.get(appId) ?? (await newApp(appId));
  const data = { tokenIssuer };
  const changed = evolveApp(app, { type: 'app.token_issuer_configured.v1', data });
  if (changed.status === 'created') apps.set(appId, changed);
}

async function newApp(appId: string): Promise<CreatedApp> {
  const { sealed } = await secrets.createFor(appId);
  const createdAt = new Date().toISOString();
  const data = { appId, name: 'x', environment: 'test' as const, createdAt, ...sealed };
  const created = evolveApp(noApp, { type: 'app.created.v1', data });
  if (created.status === 'none') throw new Error('an app that was just created');
  return created;
}
