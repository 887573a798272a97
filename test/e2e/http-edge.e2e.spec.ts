import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import {
  buy,
  checkoutLink,
  createPlan,
  issuePlayerToken,
  seeing,
  tokenIn,
} from '../support/scenario.js';

const ledger = useLedger();
let stranger: ApiClient;
let player: ApiClient;
let subscription: string;

beforeAll(async () => {
  stranger = anonymous(ledger.standalone.baseUrl);
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, 'player-1'));
  const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'player-1' });
  subscription = `/sdk/subscriptions/${subscriptionId}`;
});

describe('every answer', () => {
  it('has a request id, and no cache on the way keeps it', async () => {
    const answers = await Promise.all([
      stranger.get('/healthz'),
      stranger.get('/nothing'),
      stranger.get('/sdk/plans'),
      stranger.send('PUT', '/sdk/plans'),
      stranger.get('/%ff'),
      stranger.get(`/sdk/plans/${'x'.repeat(9000)}`),
      player.send('POST', `${subscription}/cancel`, { body: `"${'x'.repeat(300_000)}"` }),
      stranger.send('POST', `${subscription}/cancel`, { body: `"${'x'.repeat(300_000)}"` }),
      player.get('/sdk/plans'),
      ledger.allApps.post('/manage/apps', { name: 'x', environment: 'test' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      200, 404, 401, 405, 400, 414, 413, 401, 200, 200,
    ]);
    for (const { headers } of answers) {
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      expect(headers.get('cache-control')).toBe('no-store, no-transform');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it("has the caller's own request id where that is harmless", async () => {
    const own = await stranger.get('/healthz', { headers: { 'x-request-id': 'trace-1' } });
    expect(own.headers.get('x-request-id')).toBe('trace-1');
    const odd = await stranger.get('/healthz', { headers: { 'x-request-id': '<script>' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  it('is an error body also where Node cannot read the request', async () => {
    const garbage = await sendRaw('GARBAGE\r\n\r\n');
    expect(garbage).toMatch(/^HTTP\/1\.1 400 .*x-request-id: .*"code":3.*"MALFORMED_REQUEST"/s);
    const large = await sendRaw(`GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 .*"code":3/s);
  });
});

describe('the documentation', () => {
  const get = (path: string) =>
    sendRaw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);

  it('is where the root leads', async () => {
    const root = await stranger.get('/');
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs']);
  });

  it.each(['/docs', '/docs/', '/%64ocs', '/%64%6f%63%73/', '/docs/index.html', '/doc%73?x'])(
    'runs what is its own alone, however its address is spelt: %s',
    async (path) => {
      const answer = await get(path);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toMatch(/\r\ncontent-security-policy: default-src 'self';/);
      expect(answer).toMatch(/\r\nreferrer-policy: no-referrer\r\n/);
    },
  );

  it.each(['/docs/../package.json', '/docs/..%2f..%2fpackage.json', '/%64ocs/nothing'])(
    'has nothing at %s',
    async (path) => {
      expect(await get(path)).toMatch(/^HTTP\/1\.1 404 .*"code":5.*"PATH_NOT_FOUND"/s);
    },
  );
});

describe('paths and methods', () => {
  it('may end with a slash', async () => {
    expect((await player.get('/sdk/plans/')).body).toEqual((await player.get('/sdk/plans')).body);
    expect((await player.get(`${subscription}/`)).status).toBe(200);
  });

  it('have HEAD where they have GET, without a body', async () => {
    const head = await player.send('HEAD', subscription);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('etag')).not.toBeNull();
    const command = await player.send('HEAD', `${subscription}/cancel`);
    expect([command.status, command.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each([
    ['/sdk/plans/code/no%20such', 'PLAN_NOT_FOUND'],
    ['/sdk/plans/code/%2E%2E%2Fgold', 'PLAN_NOT_FOUND'],
    ['/sdk/plans/code/%00', 'PLAN_NOT_FOUND'],
    ['/sdk/plans/code/gold%3Fx', 'PLAN_NOT_FOUND'],
    ['/sdk/plans/code/%E2%98%83', 'PLAN_NOT_FOUND'],
    ['/sdk/plans/__proto__', 'PLAN_NOT_FOUND'],
    ['/sdk/subscriptions/%24all/payments', 'SUBSCRIPTION_NOT_FOUND'],
    ['/docs/nothing', 'PATH_NOT_FOUND'],
  ])('that are odd lead nowhere: %s', async (path, reason) => {
    const answer = await player.get(path);
    expect(refusal(answer)).toEqual([404, 5, reason]);
  });

  it('lead to a plan whose code has dots and dashes', async () => {
    await createPlan(ledger.operator, ledger.appId, { code: 'v1.2_Gold-x' });
    const token = await ledger.operator.post(`/manage/apps/${ledger.appId}/segments`, {
      segmentId: 'eu',
      name: 'EU',
    });
    const answer = await player.get('/sdk/plans/code/v1.2_Gold-x', seeing(token));
    expect(answer.body).toMatchObject({ code: 'v1.2_Gold-x' });
  });
});

it('pages for people take any query: links get decorated on their way', async () => {
  const page = await stranger.get('/checkout/nothing?utm_source=mail');
  expect(page.headers.get('content-type')).toContain('text/html');
});

describe('a read that must show a write', () => {
  it('shows all that there is, where the store that it was made in was another one', async () => {
    const startedAt = performance.now();
    const paths = [subscription, '/sdk/plans', '/sdk/subscriptions'];
    const answers = await Promise.all(
      paths.map((path) => player.get(path, seeing(`c1.${'9'.repeat(20)}`))),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    // It waits for no write that will never come.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

/** Says something to the API that no HTTP client would. @returns all that it answers. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(ledger.standalone.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('a consistency token', () => {
  it('of any write is taken by what is answered from memory, and shows what was written', async () => {
    const path = `/manage/apps/${ledger.appId}`;
    const added = await ledger.operator.post(`${path}/segments`, { segmentId: 'vip', name: 'VIP' });
    const bought = await buy(ledger.backend, { plan: 'gold', player: 'player-2' });
    for (const token of [tokenIn(added), bought.token]) {
      const read = (what: string) => ledger.operator.get(what, seeing(token));
      const answers = await Promise.all([
        read('/manage/apps'),
        read(path),
        read(`${path}/segments`),
        read(`${path}/webhook-endpoints`),
        read(`${path}/test-clock`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(answers[2].text).toContain('"vip"');
      expect(refusal(await read(`${path}/webhook-endpoints/whe_x`))).toEqual([
        404,
        5,
        'WEBHOOK_ENDPOINT_NOT_FOUND',
      ]);
    }
    const headers = { 'x-consistency-token': 'nonsense' };
    const refused = await ledger.operator.get('/manage/apps', { headers });
    expect(badFields(refused)).toEqual(['x-consistency-token']);
  });
});

it('the id of a checkout link, which is a credential, is sent to no other site', async () => {
  const { id } = await checkoutLink(ledger.backend, { plan: 'gold', player: 'player-5' });
  for (const link of [id, 'nothing']) {
    const page = await stranger.get(`/checkout/${link}`);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  }
});
