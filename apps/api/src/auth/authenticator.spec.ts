import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { type CreatedApp, evolveApp, noApp } from '#domain/app';
import { evolveOperatorTokens, type OperatorTokenRegister } from '#domain/operator-tokens';
import { createSeal } from '#platform';
import {
  type AppDirectory,
  createAccessTokens,
  createAppSecrets,
  createOperatorTokens,
  newOperatorToken,
} from '#tenancy';
import { Authenticator } from './authenticator.js';
import { MOST_POLLS } from './secret-polls.js';

const NOW = '2026-01-31T10:00:00.000Z';
const seal = createSeal(Buffer.alloc(32, 7));
const secrets = createAppSecrets(seal);
let register: OperatorTokenRegister = { live: [], revoked: [] };
const operators = createOperatorTokens(seal, async () => register);
const clock = { now: () => NOW };

let app: CreatedApp;
let ingressSecret: string;
let apiKey: string;

beforeAll(async () => {
  const { sealed, shown } = await secrets.createFor('app_00000001');
  app = makeApp('app_00000001', sealed);
  ({ ingressSecret, apiKey } = shown);
});

describe('a signature', () => {
  it('speaks for its app', async () => {
    const { authenticator } = knowing(app);
    expect(await authenticator.identify(signed(ingressSecret))).toEqual({
      kind: 'app',
      appId: app.appId,
    });
  });

  it('of an app that is not known, or with a wrong key, gets the same answer', async () => {
    const { authenticator } = knowing(app);
    const wrong = await authenticator.identify(signed('AAAA'));
    const unknown = await authenticator.identify(signed(ingressSecret, 'app_99999999'));
    expect(wrong).toEqual({ refused: 'The signature does not match.' });
    expect(unknown).toEqual(wrong);
  });

  it('of an app that memory does not know is good at once, and each time', async () => {
    const { authenticator, looks } = knowing(app, app, false);
    for (const time of [1, 2]) {
      const found = await authenticator.identify(signed(ingressSecret));
      expect([time, found]).toEqual([time, { kind: 'app', appId: app.appId }]);
    }
    expect(looks()).toBe(0);
    expect(await authenticator.identify(signed('AAAA'))).toHaveProperty('refused');
  });

  it('with a secret that memory does not know yet is looked up, once a second at most', async () => {
    const next = secrets.create(app.appId, 'ingress secret');
    const rotated = evolveApp(app, {
      type: 'app.ingress_secret_rotated.v1',
      data: { sealedIngressSecret: next.sealed, oldExpiresAt: '2026-01-31T11:00:00.000Z' },
    });
    const { authenticator, looks } = knowing(app, rotated as CreatedApp);
    expect(await authenticator.identify(signed(next.shown))).toMatchObject({ kind: 'app' });
    for (let n = 0; n < 20; n += 1) await authenticator.identify(signed('AAAA'));
    expect(looks()).toBe(1);
    expect(await authenticator.identify(signed(ingressSecret))).toMatchObject({ kind: 'app' });
  });

  it('that fails is answered as not known where those of too many apps do', async () => {
    const ids = Array.from({ length: MOST_POLLS + 50 }, (_, n) => `app_${10_000_000 + n}`);
    const others = ids.map(async (id) => makeApp(id, (await secrets.createFor(id)).sealed));
    const { authenticator, looks } = knowingAll([app, ...(await Promise.all(others))]);
    const failing = ids.map(async (id) => authenticator.identify(signed('AAAA', id)));
    const answers = await Promise.allSettled(failing);
    const refused = { code: 'unavailable', retryable: true };
    const unknown = { status: 'rejected', reason: expect.objectContaining(refused) };
    expect(answers.slice(MOST_POLLS)).toEqual(Array(50).fill(unknown));
    expect(looks()).toBe(MOST_POLLS);
    // A caller that memory knows is answered as ever.
    expect(await authenticator.identify(signed(ingressSecret))).toMatchObject({ kind: 'app' });
  });

  it('goes before a bearer token, and is not made good by one', async () => {
    const { token } = await issueOperatorToken();
    const headers = { ...signed('AAAA').headers, authorization: `Bearer ${token}` };
    expect(await knowing(app).authenticator.identify(request(headers))).toHaveProperty('refused');
  });
});

describe('the deprecated API key', () => {
  it('speaks for its app', async () => {
    const found = await knowing(app).authenticator.identify(
      request({ 'x-service-api-key': apiKey }),
    );
    expect(found).toEqual({ kind: 'apiKey', appId: app.appId });
  });

  it.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['another random part', Buffer.from('app_00000001:xxxx').toString('base64')],
    ['an app that is not known', Buffer.from('app_99999999:xxxx').toString('base64')],
    ['three parts', Buffer.from('app_00000001:x:y').toString('base64')],
  ])('that is %s is refused', async (_, key) => {
    const found = await knowing(app).authenticator.identify(request({ 'x-service-api-key': key }));
    expect(found).toHaveProperty('refused');
  });
});

describe('a bearer token', () => {
  it('of an operator speaks for the operator', async () => {
    const { token, tokenId } = await issueOperatorToken();
    const found = await knowing(app).authenticator.identify(bearer(token));
    const operator = { tokenId, name: 'ops', roles: ['manager'], apps: ['app_00000001'] };
    expect(found).toEqual({ kind: 'operator', operator });
  });

  it('of a player speaks for the player', async () => {
    const tokens = createAccessTokens(
      knowsApp(async () => app),
      secrets,
      NO_KEYS,
    );
    const { accessToken } = await tokens.issue(app, 'player-1', 60);
    const { authenticator } = knowing(app);
    // The second time, it is remembered.
    for (const time of [1, 2]) {
      expect([time, await authenticator.identify(bearer(accessToken))]).toEqual([
        time,
        {
          kind: 'player',
          appId: app.appId,
          externalAccountId: 'player-1',
          player: secrets.pseudonym(app, 'player-1'),
        },
      ]);
    }
  });

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Basic eDp5', 'bearer\tx', 'x'])(
    'of the form %j is malformed',
    async (authorization) => {
      const found = await knowing(app).authenticator.identify(request({ authorization }));
      expect(found).toEqual({ refused: 'The Authorization header is malformed.' });
    },
  );
});

describe('no credentials', () => {
  it('are named as missing', async () => {
    const found = await knowing(app).authenticator.identify(request({}));
    expect(found).toEqual({ refused: 'Credentials are missing.' });
  });
});

async function issueOperatorToken(): Promise<{ token: string; tokenId: string }> {
  const wanted = {
    name: 'ops',
    roles: ['manager'],
    apps: ['app_00000001'],
    issuedBy: 'x',
  } as const;
  const data = newOperatorToken(wanted, 60);
  register = evolveOperatorTokens(register, { type: 'operator_token.issued.v1', data });
  return { token: await operators.sign(data), tokenId: data.tokenId };
}

/** An authenticator whose memory knows one app, and whose store may know it better. */
/** A directory of all of these apps. */
function knowingAll(apps: readonly CreatedApp[]) {
  let looks = 0;
  const recall = (appId: string) => apps.find((each) => each.appId === appId);
  const findFresh = async (appId: string) => {
    looks += 1;
    return recall(appId);
  };
  const directory = { recall, findFresh } as unknown as AppDirectory;
  const tokens = createAccessTokens(
    knowsApp(async (appId) => recall(appId)),
    secrets,
    NO_KEYS,
  );
  const authenticator = new Authenticator(directory, secrets, tokens, operators, clock);
  return { authenticator, looks: () => looks };
}

/** No app of these has another issuer than itself. */
const NO_KEYS = async () => {
  throw new Error('an issuer that no app is set to');
};

function knowsApp(find: AppDirectory['find']): Pick<AppDirectory, 'find' | 'recall'> {
  return { find, recall: () => undefined };
}

function knowing(known: CreatedApp, inStore = known, isInMemory = true) {
  let looks = 0;
  const find = async (appId: string) => (appId === known.appId ? known : undefined);
  const findFresh = async (appId: string) => {
    looks += 1;
    return appId === inStore.appId ? inStore : undefined;
  };
  const recall = (appId: string) => (isInMemory && appId === known.appId ? known : undefined);
  // Of the directory, the authenticator asks no more than this.
  const directory = { find, recall, findFresh } as unknown as AppDirectory;
  const tokens = createAccessTokens(knowsApp(find), secrets, NO_KEYS);
  const authenticator = new Authenticator(directory, secrets, tokens, operators, clock);
  return { authenticator, looks: () => looks };
}

function makeApp(
  appId: string,
  sealed: Awaited<ReturnType<typeof secrets.createFor>>['sealed'],
): CreatedApp {
  const data = { appId, name: 'x', environment: 'test' as const, createdAt: NOW, ...sealed };
  const created = evolveApp(noApp, { type: 'app.created.v1', data });
  if (created.status === 'none') throw new Error('an app that was just created');
  return created;
}

function signed(secret: string, appId = app.appId): FastifyRequest {
  const millis = Date.parse(NOW);
  const key = Buffer.from(secret, 'base64');
  const mac = createHmac('sha256', key).update(`${millis}.{}`).digest('base64');
  return request({ 'x-service-hmac-signature': `v1;${appId};${millis};${mac}` });
}

function bearer(token: string): FastifyRequest {
  return request({ authorization: `Bearer ${token}` });
}

function request(headers: Readonly<Record<string, unknown>>): FastifyRequest {
  // Of a request, the authenticator reads no more than this.
  return { headers, rawBody: Buffer.from('{}') } as unknown as FastifyRequest;
}
