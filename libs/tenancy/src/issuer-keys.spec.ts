import { describe, expect, it } from 'vitest';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { type CreatedApp, evolveApp, noApp, type TokenIssuer } from '#domain/app';
import { IssuerKeys, KEYS_COOLDOWN_MS, KEYS_FRESH_MS, KEYS_KEPT_MS } from './issuer-keys.js';

/** How the keys of apps' token issuers are kept, without an address behind them (decision 0016). */
const ISSUER: TokenIssuer = {
  issuer: 'https://id.example/',
  ...{ jwksUrl: 'https://id.example/jwks.json', audience: 'gold-rush' },
};
const SET = makeSet('first');

describe('the keys of a token issuer', () => {
  it('are asked for once, however many wait for them, and are fresh for ten minutes', async () => {
    const { keys, answer, asked, pass } = startIssuer();
    const found = [1, 2, 3].map(() => find(keys, 'first'));
    answer(SET);
    await Promise.all(found);
    pass(KEYS_FRESH_MS);
    await find(keys, 'first');
    expect(asked()).toBe(1);
    pass(1);
    answer(SET);
    await find(keys, 'first');
    expect(asked()).toBe(2);
  });

  it('are asked for again where a token names one that is not there, and not too often', async () => {
    const { keys, answer, asked, pass } = startIssuer();
    answer(SET);
    await find(keys, 'first');
    for (let n = 0; n < 100; n += 1) expect(await refused(find(keys, `made-up-${n}`))).toBe(NO_KEY);
    expect(asked()).toBe(1);
    pass(KEYS_COOLDOWN_MS);
    answer(makeSet('first', 'second'));
    await find(keys, 'second');
    expect(await refused(find(keys, 'third'))).toBe(NO_KEY);
    expect(asked()).toBe(2);
  });

  it('stay good for a day while their address fails, and no request waits for it', async () => {
    const { keys, answer, fail, asked, pass } = startIssuer();
    answer(SET);
    await find(keys, 'first');
    pass(KEYS_FRESH_MS + 1);
    fail();
    await find(keys, 'first');
    pass(KEYS_COOLDOWN_MS);
    // This one is under way, and is never answered.
    await find(keys, 'first');
    expect(asked()).toBe(3);
    fail();
    await settle();
    pass(KEYS_KEPT_MS);
    fail();
    expect(await refused(find(keys, 'first'))).toBe('unavailable');
    pass(KEYS_COOLDOWN_MS);
    answer(SET);
    await find(keys, 'first');
  });

  it('are not known where the address never answered, and a token may be good then', async () => {
    const { keys, answer, fail, asked, pass } = startIssuer();
    fail();
    expect(await refused(find(keys, 'first'))).toBe('unavailable');
    expect(await refused(find(keys, 'first'))).toBe('unavailable');
    expect(asked()).toBe(1);
    pass(KEYS_COOLDOWN_MS);
    answer(SET);
    await find(keys, 'first');
    pass(KEYS_COOLDOWN_MS);
    fail();
    // It may be a key that is newer than the known ones.
    expect(await refused(find(keys, 'second'))).toBe('unavailable');
    await find(keys, 'first');
  });

  it('are those of one app, and of the address that it has now', async () => {
    const { keys, answer, asked } = startIssuer();
    answer(SET);
    await find(keys, 'first');
    answer(makeSet('second'));
    const moved = { ...ISSUER, jwksUrl: 'https://id.example/moved.json' };
    expect(await refused(find(keys, 'first', app('app_00000001'), moved))).toBe(NO_KEY);
    answer(makeSet('third'));
    expect(await refused(find(keys, 'first', app('app_00000002')))).toBe(NO_KEY);
    expect(asked()).toBe(3);
  });

  it('leave those of other apps alone where their address does not answer', async () => {
    const never = new Promise<JSONWebKeySet>(() => undefined);
    const keys = new IssuerKeys(async ({ appId }) => (appId === 'app_00000002' ? never : SET));
    void find(keys, 'first', app('app_00000002'));
    await find(keys, 'first');
  });
});

const NO_KEY = 'ERR_JWKS_NO_MATCHING_KEY';

function startIssuer() {
  let now = 0;
  let count = 0;
  const waiting: { resolve: (set: JSONWebKeySet) => void; reject: (error: Error) => void }[] = [];
  const given: (JSONWebKeySet | undefined)[] = [];
  const serve = () => {
    while (waiting.length > 0 && given.length > 0) {
      const next = given.shift();
      const call = waiting.shift();
      if (next === undefined) call?.reject(new Error('out of reach'));
      else call?.resolve(next);
    }
  };
  const fetch = () => {
    count += 1;
    return new Promise<JSONWebKeySet>((resolve, reject) => {
      waiting.push({ resolve, reject });
      serve();
    });
  };
  const give = (set?: JSONWebKeySet) => {
    given.push(set);
    serve();
  };
  return {
    keys: new IssuerKeys(fetch, () => now),
    answer: (set: JSONWebKeySet) => give(set),
    fail: () => give(),
    asked: () => count,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

async function find(
  keys: IssuerKeys,
  kid: string,
  of = app('app_00000001'),
  issuer = ISSUER,
): Promise<void> {
  const get: JWTVerifyGetKey = keys.of(of, issuer);
  await get({ alg: 'EdDSA', kid }, { payload: '', signature: '' });
}

async function refused(found: Promise<void>): Promise<unknown> {
  const error: unknown = await found.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return (error as { code?: unknown } | undefined)?.code;
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function makeSet(...kids: readonly string[]): JSONWebKeySet {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  return { keys: kids.map((kid) => ({ ...jwk, kty: 'OKP', kid })) };
}

function app(appId: string): CreatedApp {
  const sealed = { sealedIngressSecret: '', sealedApiKey: '', sealedTokenKey: '' };
  const created = evolveApp(noApp, {
    type: 'app.created.v1',
    data: {
      ...{ appId, name: 'x', environment: 'test', createdAt: '2026-01-31T10:00:00.000Z' },
      ...{ ...sealed, sealedPseudonymKey: '', tokenPublicKey: {} },
    },
  });
  if (created.status === 'none') throw new Error('an app that was just created');
  return created;
}
