import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type Answer, type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, createPlan, requireOk, tokenIn, issuePlayerToken } from '../support/scenario.js';

/** Beside the rules of `test/chaos/edge`, to which every operation is held. */
const ledger = useLedger();
const PLAN = {
  name: 'Silver',
  billingPeriodValue: '1',
  billingPeriodUnit: 'month',
  prices: [{ currency: 'USD', amountCents: '499' }],
};
const LINK = { plan: { code: 'gold' }, currency: 'USD', user: { id: 'player-1' } };
let app: string;
let player: ApiClient;

beforeAll(async () => {
  app = `/manage/apps/${ledger.appId}`;
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, 'player-1'));
});

/** Expects a refusal that names just these fields. */
function expectRefused(answer: Answer | undefined, ...fields: string[]): void {
  if (answer === undefined) throw new Error('nothing was answered');
  expect([...refusal(answer), badFields(answer)]).toEqual([400, 3, 'INVALID_FIELDS', fields]);
}

describe('bad input', () => {
  it('is a misspelt field: it must not cancel in the other way', async () => {
    const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'player-1' });
    const path = `/sdk/subscriptions/${subscriptionId}`;
    const answer = await player.post(`${path}/cancel`, { cancelAtPeriodEnd: false });
    expect(badFields(answer)).toEqual(['cancelAtPeriodEnd']);
    expect((await player.get(path)).body).toMatchObject({ status: 'active' });
  });

  it('is JSON that is none, a body that is too large, another content type', async () => {
    const path = '/sdk/subscriptions/x/cancel';
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
});

it('every operation answers a caller without credentials before the body is sent', async () => {
  const { hostname, port } = new URL(ledger.standalone.baseUrl);
  for (const operation of await guardedOperations()) {
    const socket = connect(Number(port), hostname);
    const lines = [`${operation} HTTP/1.1`, 'host: x', 'content-length: 1000'];
    socket.write(`${lines.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(`${operation} ${answer.toString()}`).toMatch(/ HTTP\/1\.1 401 /);
    socket.destroy();
  }
});

/** One call of every operation with a body that asks for credentials, made from the document. */
async function guardedOperations(): Promise<string[]> {
  const { body } = await anonymous(ledger.standalone.baseUrl).get('/openapi.json');
  const paths = body['paths'] as Record<string, Record<string, { security: object[] }>>;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { security }]) => method !== 'get' && security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
  );
}

it('a query parameter can be a player of 255 characters of any script', async () => {
  const id = '😀'.repeat(255);
  await buy(ledger.backend, { plan: 'gold', player: id });
  const query = `externalAccountId=${encodeURIComponent(id)}&status=active&limit=100`;
  const listed = await ledger.backend.get(`/sdk/subscriptions?${query}`);
  expect(listed.body).toMatchObject({ subscriptions: [{ external_account_id: id }] });
});

describe('a plan', () => {
  it.each([
    { code: 'bare' },
    {
      code: 'full',
      description: 'Two\nlines',
      trialPeriodValue: '7',
      trialPeriodUnit: 'day',
      benefitsJson: '{"gems": 5}',
      availableFrom: '2026-01-01T00:00:00.000Z',
      availableUntil: '9999-12-31T23:59:59.999Z',
    },
  ])('can be sent back as it was answered, and nothing changes: $code', async (fields) => {
    const created = requireOk(await ledger.operator.post(`${app}/plans`, { ...PLAN, ...fields }));
    const { id, code, segmentId, status, createdAt, updatedAt, ...terms } = created.body;
    expect(status).toBe('active');
    const path = `${app}/plans/${String(id)}`;
    const same = await ledger.operator.send('PATCH', path, { body: terms });
    expect(requireOk(same).headers.get('etag')).toBe(created.headers.get('etag'));
    expect(same.body).toEqual(created.body);
    const twin = { ...terms, segmentId, code: `${String(code)}-2` };
    const copied = requireOk(await ledger.operator.post(`${app}/plans`, twin));
    expect({ ...copied.body, id, code, createdAt, updatedAt }).toEqual(created.body);
    const cleared = { trialPeriodValue: '', trialPeriodUnit: '', availableUntil: '' };
    const changed = await ledger.operator.send('PATCH', path, { body: cleared });
    expect(requireOk(changed).body).toMatchObject(cleared);
  });

  it('ends with the year 9999, whatever it is computed from', async () => {
    const plans = `${app}/plans`;
    for (const [fields, field] of [
      [{ billingPeriodValue: '9000', billingPeriodUnit: 'year' }, 'billingPeriodValue'],
      [{ trialPeriodValue: '9000', trialPeriodUnit: 'year' }, 'trialPeriodValue'],
      [{ availableUntil: '9999-12-31T23:59:59-01:00' }, 'availableUntil'],
      [{ availableFrom: '2026-01-31T24:00:00Z' }, 'availableFrom'],
    ] as const) {
      expectRefused(await ledger.operator.post(plans, { ...PLAN, code: 'late', ...fields }), field);
    }
    const id = await createPlan(ledger.operator, ledger.appId, { code: 'late' });
    const body = { billingPeriodValue: '9000', billingPeriodUnit: 'year' };
    const revised = await ledger.operator.send('PATCH', `${plans}/${id}`, { body });
    expectRefused(revised, 'billingPeriodValue');
    for (const to of ['9999-06-01T00:00:00Z', '9999-12-31T23:59:59-01:00']) {
      expectRefused(await ledger.operator.post(`${app}/test-clock/advance`, { to }), 'to');
    }
    const to = '2127-01-31T10:00:00Z';
    const far = await ledger.operator.post(`${app}/test-clock/advance`, { to });
    expect([...refusal(far), badFields(far)]).toEqual([400, 3, 'TEST_CLOCK_TOO_FAR', ['to']]);
  });

  it('that is not there is named by what it was looked for by', async () => {
    const message = 'There is no plan with the code "none".';
    expect((await player.get('/sdk/plans/code/none')).body).toMatchObject({ message });
    const link = await ledger.backend.post('/sdk/subscriptions/checkout-links', {
      ...LINK,
      plan: { code: 'none' },
    });
    expect(link.body).toMatchObject({ message });
    const byId = await player.get('/sdk/plans/none');
    expect(byId.body).toMatchObject({ message: 'There is no plan with the id "none".' });
  });
});

describe('a field is refused', () => {
  it('where a text of metadata is longer than 500 characters, or its name than 100', async () => {
    const item = { id: 'gems', name: 'Gems', quantity: 1, price: '4.99' };
    const send = async (metadata: object) => [
      await ledger.backend.post('/sdk/subscriptions/checkout-links', { ...LINK, metadata }),
      await ledger.backend.post('/sdk/server/checkout-links', {
        ...{ items: [{ ...item, metadata }], currency: 'USD', user: LINK.user },
      }),
    ];
    for (const character of ['x', '😀']) {
      const longest = { [character.repeat(100)]: character.repeat(500) };
      for (const answer of await send(longest)) requireOk(answer);
      for (const bad of [
        { note: character.repeat(501) },
        { [character.repeat(101)]: 'x' },
        { '': 'x' },
      ]) {
        const [link, order] = await send(bad);
        expectRefused(link, 'metadata');
        expectRefused(order, 'items.0.metadata');
      }
    }
  });

  /** rules/loyalty 1 */
  it('of a loyalty campaign: all that is wrong is named at once', async () => {
    const campaigns = `${app}/loyalty-campaigns`;
    const reward = { itemId: 'crown', quantity: 1, type: 'item' };
    const good = {
      ...{ name: 'Winter', points: [{ currency: 'USD', perMajorUnit: '0.5' }] },
      milestones: [{ id: 'first', points: 30, rewards: [reward] }],
      ...{ from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z', delivery: 'none' },
    };
    const wrong = {
      ...{ name: '', from: 'now', until: null, delivery: 'post', colour: 'red' },
      points: [
        { currency: 'XXX', perMajorUnit: 1.5 },
        { currency: 'EUR', perMajorUnit: '-1' },
      ],
      milestones: [{ id: 'a/b', points: 0.5, rewards: [{ ...reward, quantity: 0, type: '' }] }],
    };
    const answer = await ledger.operator.post(campaigns, wrong);
    expect(badFields(answer).sort()).toEqual([
      ...['colour', 'delivery', 'from', 'milestones.0.id', 'milestones.0.points'],
      ...['milestones.0.rewards.0.quantity', 'milestones.0.rewards.0.type', 'name'],
      ...['points.0.currency', 'points.0.perMajorUnit', 'points.1.perMajorUnit', 'until'],
    ]);
    expectRefused(await ledger.operator.post(campaigns, { ...good, milestones: [] }), 'milestones');
    const descending = [...good.milestones, { id: 'first', points: 20, rewards: [reward] }];
    expectRefused(
      await ledger.operator.post(campaigns, { ...good, milestones: descending }),
      ...['milestones.1.id', 'milestones.1.points'],
    );
    const { id } = requireOk(await ledger.operator.post(campaigns, good)).body;
    const until = { until: good.from };
    const revised = await ledger.operator.send('PATCH', `${campaigns}/${String(id)}`, {
      body: until,
    });
    expectRefused(revised, 'until');
  });

  it('where it names no country, no event type, or a retry after the grace', async () => {
    const links = '/sdk/subscriptions/checkout-links';
    for (const regionCode of ['XX', 'ZZ', 'XX-1']) {
      expectRefused(await ledger.backend.post(links, { ...LINK, regionCode }), 'regionCode');
    }
    const region = await ledger.backend.post(links, { ...LINK, regionCode: 'US-CA' });
    expect(tokenIn(requireOk(region))).not.toBe('');

    const endpoint = { url: 'https://example.com/', eventTypes: ['*', 'payment.paid'] };
    const endpoints = await ledger.operator.post(`${app}/webhook-endpoints`, endpoint);
    expectRefused(endpoints, 'eventTypes.1');
    expect(endpoints.text).toMatch(/\*, v1, v2, subscription\.\*.*payment\.succeeded/);

    const dunning = { graceHours: 24, retryAfterHours: [12, 25] };
    const settings = await ledger.operator.send('PATCH', app, { body: { dunning } });
    expectRefused(settings, 'dunning.retryAfterHours');
  });
});
