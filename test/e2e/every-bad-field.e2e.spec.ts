import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy } from '../support/scenario.js';

const PLAYER = 'player-1';
const ledger = useLedger();
let subscriptionId: string;

beforeAll(async () => {
  ({ subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: PLAYER }));
});

describe('every bad field is named at once', () => {
  const plan = {
    ...{ code: 'x', name: 'X', billingPeriodValue: '1', billingPeriodUnit: 'day' },
    prices: [{ currency: 'USD', amountCents: '1' }],
  };
  const item = { id: 'sword', name: 'Sword', quantity: 1, price: '1' };
  const order = { items: [item], currency: 'USD', user: { id: PLAYER } };
  const link = { plan: { code: 'gold' }, currency: 'USD', user: { id: PLAYER } };
  const campaign = {
    ...{ name: 'X', points: [{ currency: 'USD', perMajorUnit: 1 }], delivery: 'x' },
    milestones: [{ id: 'm', points: 1, rewards: [{ itemId: 'i', quantity: 1, type: 'item' }] }],
    ...{ from: '2030-01-02T00:00:00Z', until: '2030-01-01T00:00:00Z' },
  };
  const window = { availableFrom: campaign.from, availableUntil: campaign.until };
  const app = '/manage/apps/APP';
  const change = '/sdk/subscriptions/SUBSCRIPTION/change-checkout-links';

  it.each<[by: 'operator' | 'backend', operation: string, body: object, fields: string]>([
    [
      ...(['operator', `POST ${app}/plans`] as const),
      { ...plan, ...window, name: '', code: '!', trialPeriodValue: '1', segmentId: 'none' },
      'availableUntil code name segmentId trialPeriodUnit',
    ],
    [
      ...(['operator', `POST ${app}/plans`] as const),
      { ...plan, ...window, trialPeriodValue: '1', segmentId: 'none' },
      'availableUntil segmentId trialPeriodUnit',
    ],
    [
      ...(['operator', `POST ${app}/webhook-endpoints`] as const),
      { url: 'https://10.0.0.1/', eventTypes: ['x'], accept: 'y' },
      'accept eventTypes.0 url',
    ],
    [
      ...(['operator', `PATCH ${app}`] as const),
      {
        name: null,
        catalog: { baseUrl: 'x', path: '/c', apiKeyHeader: 'k', apiKey: 'secret-of-16-chars' },
        dunning: { graceHours: 1, retryAfterHours: [2] },
      },
      'catalog.baseUrl dunning.retryAfterHours name',
    ],
    [
      ...(['operator', `PATCH ${app}`] as const),
      {
        gateway: { kind: 'stripe' },
        catalog: { baseUrl: 'x', path: '/c', apiKeyHeader: 'k', apiKey: 'secret-of-16-chars' },
        dunning: { graceHours: 1, retryAfterHours: [2] },
      },
      'catalog.baseUrl dunning.retryAfterHours gateway.secretKey gateway.webhookSecret',
    ],
    ['operator', `POST ${app}/loyalty-campaigns`, { ...campaign, name: '' }, 'delivery name until'],
    [
      ...(['backend', 'POST /sdk/server/checkout-links'] as const),
      { ...order, items: [item, { ...item, price: '1.001' }], returnUrl: 'x', regionCode: 'XX' },
      'items.1.price regionCode returnUrl',
    ],
    [
      ...(['backend', 'POST /sdk/server/checkout-links'] as const),
      { ...order, currency: 'usd', items: [{ ...item, price: 'x' }] },
      'currency items.0.price',
    ],
    [
      ...(['backend', 'POST /sdk/subscriptions/checkout-links'] as const),
      { ...link, currency: 'JPY', regionCode: 'XX', returnUrl: 'x' },
      'currency regionCode returnUrl',
    ],
    [
      ...(['backend', 'POST /sdk/subscriptions/checkout-links'] as const),
      { ...link, currency: 'JPY', returnUrl: 'x' },
      'currency returnUrl',
    ],
    [
      ...(['backend', `POST ${change}`] as const),
      { returnUrl: 'http://x.example', amountCents: '1', language: '!' },
      'amountCents language returnUrl',
    ],
    [
      ...(['backend', `POST ${change}`] as const),
      { returnUrl: 'http://x.example', amountCents: '1', plan: { code: '!' } },
      'plan.code returnUrl',
    ],
    [
      ...(['backend', `POST ${change}`] as const),
      { unusedCredit: 'refuse', amountCents: '1', plan: { code: '!' } },
      'plan.code unusedCredit',
    ],
    [
      ...(['backend', 'POST /sdk/server/prices/convert?x=1'] as const),
      { sourceCurrency: 'XXQ', priceIds: [], destinationCountry: 1 },
      'destinationCountry priceIds sourceCurrency x',
    ],
    ['operator', `POST ${app}/plans?x=1`, { ...plan, name: '' }, 'name x'],
    ['operator', `POST ${app}/plans?x=1`, { ...plan, ...window }, 'availableUntil x'],
    [
      ...(['backend', 'POST /sdk/server/checkout-links?x=1'] as const),
      { ...order, items: [{ ...item, name: '', price: '1.001' }] },
      'items.0.name items.0.price x',
    ],
  ])('%s: %s %j: %s', async (by, operation, body, fields) => {
    const [method = '', path = ''] = operation.split(' ');
    const named = path.replace('APP', ledger.appId).replace('SUBSCRIPTION', subscriptionId);
    const answer = await ledger[by].send(method, named, { body });
    expect([...refusal(answer), badFields(answer).join(' ')]).toEqual([
      400,
      3,
      'INVALID_FIELDS',
      fields,
    ]);
  });

  it('also in queries, and where a player pays', async () => {
    for (const list of ['/plans', '/webhook-endpoints', '/webhook-failures']) {
      const path = `/manage/apps/${ledger.appId}${list}?limit=0&pageToken=bad`;
      expect(badFields(await ledger.operator.get(path))).toEqual(['limit', 'pageToken']);
    }
    const address = `/manage/apps/${ledger.appId}/webhook-endpoints/we_none/deliveries`;
    expect(badFields(await ledger.operator.get(`${address}?type=x&limit=0`))).toEqual([
      'limit',
      'type',
    ]);
    expect(badFields(await ledger.backend.get('/sdk/plans?status=%ff'))).toEqual(['status']);
    for (const [path, body] of [
      ['/sdk/server/checkout-links', order],
      ['/sdk/subscriptions/checkout-links', link],
    ] as const) {
      const { id } = (await ledger.backend.post(path, body)).body as { id: string };
      const complete = `${ledger.standalone.demo.storefrontUrl}/checkout/${id}/complete`;
      const player = anonymous(ledger.standalone.baseUrl);
      for (const bad of [{ paymentMethod: 'pm_nope', zz: 1 }, { zz: 1 }]) {
        expect(badFields(await player.post(complete, bad))).toEqual(['paymentMethod', 'zz']);
        const twice = await player.post(`${complete}?x=1`, bad);
        expect(badFields(twice)).toEqual(['paymentMethod', 'x', 'zz']);
      }
    }
    const free = { ...order, items: [{ ...item, price: '0' }] };
    const { body } = await ledger.backend.post('/sdk/server/checkout-links', free);
    const claim = await anonymous(ledger.standalone.baseUrl).post(
      `${String(body['url'])}/complete`,
      { zz: 1 },
    );
    expect(badFields(claim)).toEqual(['zz']);
  });

  it('with the bound that is broken, and what is missing as required', async () => {
    const prices = [{ currency: 'USD', amountCents: '9'.repeat(16) }];
    const items = [{ ...item, price: '9999999999999.99' }];
    const dunning = { graceHours: 48, retryAfterHours: [24] };
    const classes = { retriedDeclineClasses: 'soft' };
    for (const [by, method, path, body, said] of [
      ['operator', 'POST', `${app}/plans`, { ...plan, prices }, 'at most 15 digits'],
      ['backend', 'POST', '/sdk/server/checkout-links', { ...order, items }, 'at most 12 digits'],
      ['operator', 'PATCH', app, { dunning: { graceHours: 48 } }, '"is required"'],
      ['operator', 'POST', `${app}/plans`, { ...plan, prices: 'x' }, '"must be a list of objects"'],
      [
        'operator',
        'POST',
        `${app}/plans`,
        { ...plan, benefitsJson: {} },
        'must be a JSON document',
      ],
      ['operator', 'POST', `${app}/operator-tokens`, { roles: 'viewer' }, 'must be a list'],
      ['operator', 'POST', `${app}/webhook-endpoints/x/resend`, { types: 'v1' }, 'must be a list'],
      ['operator', 'PATCH', app, { allowedOrigins: '*' }, 'must be a list'],
      ['operator', 'PATCH', app, { dunning: { ...dunning, retryAfterHours: 1 } }, 'must be a list'],
      ['operator', 'PATCH', app, { dunning: { ...dunning, ...classes } }, 'must be a list'],
    ] as const) {
      const answer = await ledger[by].send(method, path.replace('APP', ledger.appId), { body });
      expect([body, answer.text]).toEqual([body, expect.stringContaining(said)]);
    }
  });
});
