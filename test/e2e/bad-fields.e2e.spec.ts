import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, createPlan, requireOk, tokenIn, issuePlayerToken } from '../support/scenario.js';

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

interface Operation {
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { name: string; in: string; required: boolean }[];
}

describe('a query parameter', () => {
  it('is never empty and never there twice, whatever the operation', async () => {
    const { paths } = (await player.get('/openapi.json')).body as {
      paths: Record<string, { get?: Operation }>;
    };
    let asked = 0;
    for (const [path, { get }] of Object.entries(paths)) {
      const parameters = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const isForOperators = get?.security.some((scheme) => 'operator' in scheme) === true;
      const client = isForOperators ? ledger.operator : ledger.backend;
      const address = path.replace('{appId}', ledger.appId).replaceAll(/\{\w+\}/g, 'none');
      for (const { name } of parameters) {
        const values = name === 'pageToken' ? [`x&${name}=y`] : ['', `1&${name}=1`];
        for (const value of values) {
          const answer = await client.get(`${address}?${name}=${value}`);
          expect([path, ...refusal(answer)]).toEqual([path, 400, 3, 'INVALID_FIELDS']);
          expect(badFields(answer)).toContain(name);
          asked += 1;
        }
      }
    }
    expect(asked).toBeGreaterThan(20);
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      expectRefused(await ledger.backend.get(`/sdk/subscriptions?${name}=1`), name);
    }
  });

  it('can be a player of 255 characters of any script', async () => {
    const id = '😀'.repeat(255);
    await buy(ledger.backend, { plan: 'gold', player: id });
    const query = `externalAccountId=${encodeURIComponent(id)}&status=active&limit=100`;
    const listed = await ledger.backend.get(`/sdk/subscriptions?${query}`);
    expect(listed.body).toMatchObject({ subscriptions: [{ external_account_id: id }] });
  });
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
  it('where it has control characters: in ids, names and addresses', async () => {
    const links = '/sdk/subscriptions/checkout-links';
    for (const odd of ['a\r\nb', 'a\0', 'a\x7f', 'a\u0085', '\u202Ea']) {
      const name = await ledger.operator.post(`${app}/plans`, { ...PLAN, code: 'odd', name: odd });
      expectRefused(name, 'name');
      const link = { ...LINK, user: { id: odd }, referenceId: odd, metadata: { [odd]: '1' } };
      const answer = await ledger.backend.post(links, link);
      expectRefused(answer, 'metadata', 'referenceId', 'user.id');
      const metadata = await ledger.backend.post(links, { ...LINK, metadata: { [odd]: '1' } });
      expectRefused(metadata, 'metadata');
      const url = `https://example.com/${odd}`;
      expectRefused(await ledger.operator.post(`${app}/webhook-endpoints`, { url }), 'url');
      const query = `externalAccountId=${encodeURIComponent(odd)}`;
      expectRefused(await ledger.backend.get(`/sdk/subscriptions?${query}`), 'externalAccountId');
    }
  });

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

  it('where it is none that the operation has, whatever its name', async () => {
    const path = `${app}/price-sheet/versions/1/activate`;
    expectRefused(await ledger.operator.post(path, { version: 2 }), 'version');
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      const body = `{"externalAccountId":"player-1","${name}":1}`;
      expectRefused(await ledger.backend.post('/sdk/server/access-tokens', body), name);
    }
  });

  it('where the body that was signed is no JSON object', async () => {
    const malformed = [400, 3, 'MALFORMED_JSON', ['body']];
    for (const path of [
      '/sdk/server/access-tokens',
      '/sdk/server/prices/convert',
      '/sdk/subscriptions/none/reactivate',
    ]) {
      for (const body of ['hello', '[]', '"a"', '1', 'null', ' ']) {
        const answer = await ledger.backend.post(path, body);
        expect([...refusal(answer), badFields(answer)]).toEqual(malformed);
      }
      const headers = { 'content-type': 'text/plain' };
      const text = await ledger.backend.send('POST', path, { body: 'hello', headers });
      expect(refusal(text)).toEqual([415, 3, 'UNSUPPORTED_CONTENT_TYPE']);
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
