import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, issuePlayerToken } from '../support/scenario.js';

const PLAYER = 'player-1';
const ledger = useLedger();
let subscriptionId: string;
let player: ApiClient;

beforeAll(async () => {
  ({ subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: PLAYER }));
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, PLAYER));
});

describe('bad input', () => {
  it('is named field by field, all at once, and changes nothing', async () => {
    const answer = await ledger.operator.post(`/manage/apps/${ledger.appId}/plans`, {
      code: 'no spaces',
      billingPeriodValue: '0',
      billingPeriodUnit: 'fortnight',
      prices: [{ currency: 'XXQ', amountCents: '9.99' }],
      benefitsJson: '{',
      colour: 'blue',
    });
    expect(refusal(answer)).toEqual([400, 3, 'INVALID_FIELDS']);
    expect(badFields(answer)).toEqual([
      'benefitsJson',
      'billingPeriodUnit',
      'billingPeriodValue',
      'code',
      'colour',
      'name',
      'prices.0.amountCents',
      'prices.0.currency',
    ]);
  });

  it('is a misspelt field: it must not cancel in the other way', async () => {
    const path = `/sdk/subscriptions/${subscriptionId}`;
    const answer = await player.post(`${path}/cancel`, { cancelAtPeriodEnd: false });
    expect(badFields(answer)).toEqual(['cancelAtPeriodEnd']);
    expect((await player.get(path)).body).toMatchObject({ status: 'active' });
  });

  it.each(['0', '101', '-1', 'abc', '1e1', ''])('is a limit of %j', async (limit) => {
    const answer = await player.get(`/sdk/subscriptions/${subscriptionId}/payments?limit=${limit}`);
    expect(refusal(answer)).toEqual([400, 3, 'INVALID_FIELDS']);
    expect(badFields(answer)).toEqual(['limit']);
  });

  it('is JSON that is none, a body that is too large, another content type', async () => {
    const path = `/sdk/subscriptions/${subscriptionId}/cancel`;
    const malformed = await player.send('POST', path, { body: '{"a":' });
    expect(refusal(malformed)).toEqual([400, 3, 'MALFORMED_JSON']);
    const large = await player.send('POST', path, { body: `"${'x'.repeat(300_000)}"` });
    expect(refusal(large)).toEqual([413, 8, 'BODY_TOO_LARGE']);
    const text = await player.send('POST', path, {
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    });
    expect(refusal(text)).toEqual([415, 3, 'UNSUPPORTED_CONTENT_TYPE']);
    const latin = { 'content-type': 'application/json; charset=latin1' };
    const inLatin = await player.send('POST', path, { body: '{}', headers: latin });
    expect(refusal(inLatin)).toEqual([415, 3, 'UNSUPPORTED_CONTENT_TYPE']);
    const twice = '{"cancel_at_period_end":true,"cancel_at_period_end":false}';
    const repeated = await player.send('POST', path, { body: twice });
    expect(badFields(repeated)).toEqual(['cancel_at_period_end']);
    const long = await player.get(`/sdk/plans/${'x'.repeat(9000)}`);
    expect(refusal(long)).toEqual([414, 3, 'ADDRESS_TOO_LONG']);
  });

  it('is a path or a method that is not there', async () => {
    const path = await player.get('/sdk/nothing');
    expect(refusal(path)).toEqual([404, 5, 'PATH_NOT_FOUND']);
    const method = await player.send('DELETE', '/sdk/plans');
    expect(refusal(method)).toEqual([405, 12, 'METHOD_NOT_ALLOWED']);
    expect(method.headers.get('allow')).toContain('GET');
  });
});

describe('JSON that is none of this contract', () => {
  it('is null where a field may be left out: it would mean the opposite of that', async () => {
    const app = `/manage/apps/${ledger.appId}`;
    const [plan] = (await ledger.operator.get(`${app}/plans`)).body['plans'] as { id: string }[];
    for (const [client, method, path, body] of [
      [
        player,
        'POST',
        `/sdk/subscriptions/${subscriptionId}/cancel`,
        { cancel_at_period_end: null },
      ],
      [ledger.operator, 'PATCH', app, { name: null, dunning: null }],
      [ledger.operator, 'PATCH', `${app}/plans/${plan?.id}`, { name: null, prices: null }],
      [ledger.operator, 'POST', `${app}/ingress-secrets`, { expireOldAfterSeconds: null }],
    ] as const) {
      const answer = await client.send(method, path, { body });
      expect([...refusal(answer), badFields(answer)]).toEqual([
        400,
        3,
        'INVALID_FIELDS',
        Object.keys(body).sort(),
      ]);
    }
    const untouched = await player.get(`/sdk/subscriptions/${subscriptionId}`);
    expect(untouched.body).toMatchObject({ status: 'active', cancel_at_period_end: false });
    expect((await ledger.operator.get(app)).body).toMatchObject({ name: 'demo' });
  });

  it('is a list in the place of an object, or the reverse', async () => {
    const link = { plan: { code: 'gold' }, currency: 'USD', user: { id: PLAYER } };
    const plans = `/manage/apps/${ledger.appId}/plans`;
    const plan = { code: 'x', name: 'X', billingPeriodValue: '1', billingPeriodUnit: 'day' };
    for (const [client, method, path, body, field] of [
      [ledger.backend, 'POST', '/sdk/subscriptions/checkout-links', { ...link, user: [] }, 'user'],
      [ledger.backend, 'POST', '/sdk/subscriptions/checkout-links', { ...link, plan: [] }, 'plan'],
      [ledger.operator, 'PATCH', `/manage/apps/${ledger.appId}`, { dunning: [] }, 'dunning'],
      [ledger.operator, 'POST', plans, { ...plan, prices: [[]] }, 'prices'],
      [ledger.operator, 'POST', plans, { ...plan, prices: {} }, 'prices'],
    ] as const) {
      const answer = await client.send(method, path, { body });
      expect([...refusal(answer), badFields(answer)]).toEqual([400, 3, 'INVALID_FIELDS', [field]]);
    }
  });

  it('is text that is not well-formed: it would make one player of two', async () => {
    const link = { plan: { code: 'gold' }, currency: 'USD', user: { id: 'HALF' } };
    const half = JSON.stringify(link).replace('HALF', 'a\\ud800');
    const paired = await ledger.backend.post('/sdk/subscriptions/checkout-links', half);
    expect([...refusal(paired), badFields(paired)]).toEqual([
      400,
      3,
      'INVALID_FIELDS',
      ['user.id'],
    ]);
    const bytes = await fetch(`${ledger.standalone.demo.storefrontUrl}/checkout/cl_x/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"paymentMethod":"Zo\u00eb"}', 'latin1'),
    });
    expect([bytes.status, await bytes.text()]).toEqual([400, expect.stringContaining('UTF-8')]);
    for (const id of ['%ff', 'Zo%EB', '%ED%A0%80']) {
      const query = await ledger.backend.get(`/sdk/subscriptions?externalAccountId=${id}`);
      expect(refusal(query)).toEqual([400, 3, 'MALFORMED_ADDRESS']);
    }
  });

  it('is a body made to cost much: it is refused for little, with little', async () => {
    const stranger = anonymous(ledger.standalone.baseUrl);
    const complete = '/checkout/cl_x/complete';
    const rates = `/manage/apps/${ledger.appId}/tax-rates`;
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
    const nested = `{"paymentMethod":${'['.repeat(3000)}${']'.repeat(3000)}}`;
    const bare = `{"rates":[${Array<string>(349_000).fill('{}').join()}]}`;
    const bad = { country: 'QQ', rate: '7', inclusive: true };
    for (const [client, method, path, body] of [
      [stranger, 'POST', complete, JSON.stringify(keys)],
      [stranger, 'POST', complete, nested],
      [ledger.operator, 'PUT', rates, bare],
    ] as const) {
      const answer = await client.send(method, path, { body });
      expect([...refusal(answer), answer.text.length < 1000]).toEqual([
        400,
        3,
        'INVALID_FIELDS',
        true,
      ]);
    }
    const body = { rates: Array<object>(5000).fill(bad) };
    const answer = await ledger.operator.send('PUT', rates, { body });
    expect([...refusal(answer), badFields(answer).length]).toEqual([400, 3, 'INVALID_FIELDS', 100]);
    expect(answer.body.details?.[0]).toMatchObject({ metadata: { moreFieldViolations: '14899' } });
    expect(answer.text.length).toBeLessThan(20_000);
  });
});

/** One call of every operation that asks for credentials, made from the document. */
async function guardedOperations(): Promise<{ method: string; path: string; kinds: string[] }[]> {
  const { body } = await anonymous(ledger.standalone.baseUrl).get('/openapi.json');
  const paths = body['paths'] as Record<string, Record<string, { security: object[] }>>;
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, 'x'),
      kinds: security.flatMap((scheme) => Object.keys(scheme)),
    })),
  );
  return all.filter(({ kinds }) => kinds.length > 0);
}

/** `{"alg":"none"}` and `{"sub":"x"}`. */
const UNSIGNED = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.';

describe('every operation asks for credentials before it looks at the body:', () => {
  const MAC = Buffer.alloc(32).toString('base64');
  const unknownApp = 'app_01nowhere0000000000000000';
  const strangers = (): [string, Readonly<Record<string, string>>][] => [
    ['a stranger', {}],
    ['a token that is none', { authorization: 'Bearer nonsense' }],
    ['an unsigned token', { authorization: `Bearer ${UNSIGNED}` }],
    ['an API key that is none', { 'x-service-api-key': 'nonsense' }],
    ['a signature that is none', { 'x-service-hmac-signature': 'v1;nonsense' }],
    ['an old signature', { 'x-service-hmac-signature': `v1;${unknownApp};1;${MAC}` }],
  ];

  it.each(strangers())('%s is refused with 401', async (_, headers) => {
    const stranger = anonymous(ledger.standalone.baseUrl);
    const operations = await guardedOperations();
    expect(operations.length).toBeGreaterThan(30);
    for (const { method, path } of operations) {
      const text = { body: 'hello', headers: { ...headers, 'content-type': 'text/plain' } };
      const large = { body: `{"${'x'.repeat(300_000)}`, headers };
      const asked = method === 'GET' ? [{ headers }] : [text, { body: '{', headers }, large];
      for (const options of asked) {
        const answer = await stranger.send(method, path, options);
        expect([method, path, ...refusal(answer)]).toEqual([
          method,
          path,
          401,
          16,
          'UNAUTHENTICATED',
        ]);
        expect(answer.headers.get('www-authenticate')).not.toBeNull();
      }
    }
  });

  it('a signature that does not fit is refused with 401 before anything is parsed', async () => {
    const stranger = anonymous(ledger.standalone.baseUrl);
    for (const { method, path } of await guardedOperations()) {
      if (method === 'GET') continue;
      const appId = method === 'POST' ? ledger.appId : unknownApp;
      const headers = { 'x-service-hmac-signature': `v1;${appId};${Date.now()};${MAC}` };
      const answer = await stranger.send(method, path, { body: '{', headers });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });

  it('credentials of the wrong kind are refused with 403', async () => {
    for (const { method, path, kinds } of await guardedOperations()) {
      const client = kinds.includes('operator') ? player : ledger.operator;
      const text = { body: 'hello', headers: { 'content-type': 'text/plain' } };
      const answer = await client.send(method, path, method === 'GET' ? {} : text);
      if (kinds.includes('player')) {
        expect([method, path, ...refusal(answer)]).toEqual([
          method,
          path,
          403,
          7,
          'WRONG_CREDENTIALS_FOR_OPERATION',
        ]);
      } else expect([403, 404]).toContain(answer.status);
    }
  });

  it('a caller without credentials is answered before the body is sent', async () => {
    const { hostname, port } = new URL(ledger.standalone.baseUrl);
    for (const { method, path } of await guardedOperations()) {
      if (method === 'GET') continue;
      const socket = connect(Number(port), hostname);
      const lines = [`${method} ${path} HTTP/1.1`, 'host: x', 'content-length: 1000'];
      socket.write(`${lines.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(`${method} ${path} ${answer.toString()}`).toMatch(/ HTTP\/1\.1 401 /);
      socket.destroy();
    }
  });
});
