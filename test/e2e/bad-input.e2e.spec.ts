import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, bearer } from '../support/api-client.js';
import { statusOf, violationsOf } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, tokenOf } from '../support/scenario.js';

const PLAYER = 'player-1';
const ledger = useLedger();
let subscriptionId: string;
let token: string;
let player: ApiClient;

beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) {
    ({ subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player: PLAYER }));
  }
  player = bearer(ledger.standalone.baseUrl, await tokenOf(ledger.backend, PLAYER));
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
    expect(statusOf(answer)).toEqual([400, 3]);
    expect(violationsOf(answer)).toEqual([
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
    expect(violationsOf(answer)).toEqual(['cancelAtPeriodEnd']);
    expect((await player.get(path)).body).toMatchObject({ status: 'active' });
  });

  it.each(['0', '101', '-1', 'abc', '1e1', ''])('is a limit of %j', async (limit) => {
    const answer = await player.get(`/sdk/subscriptions/${subscriptionId}/payments?limit=${limit}`);
    expect(statusOf(answer)).toEqual([400, 3]);
    expect(violationsOf(answer)).toEqual(['limit']);
  });

  it('is JSON that is none, a body that is too large, another content type', async () => {
    const path = `/sdk/subscriptions/${subscriptionId}/cancel`;
    const malformed = await player.send('POST', path, { body: '{"a":' });
    expect(statusOf(malformed)).toEqual([400, 3]);
    const large = await player.send('POST', path, { body: `"${'x'.repeat(300_000)}"` });
    expect(statusOf(large)).toEqual([413, 8]);
    const text = await player.send('POST', path, {
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    });
    expect(statusOf(text)).toEqual([415, 3]);
    const long = await player.get(`/sdk/plans/${'x'.repeat(3000)}`);
    expect(statusOf(long)).toEqual([414, 3]);
  });

  it('is a path or a method that is not there', async () => {
    const path = await player.get('/sdk/nothing');
    expect(statusOf(path)).toEqual([404, 5]);
    const method = await player.send('DELETE', '/sdk/plans');
    expect(statusOf(method)).toEqual([405, 12]);
    expect(method.headers.get('allow')).toContain('GET');
  });
});

describe('pages', () => {
  it('go through everything once, newest first, and a token fits its own list alone', async () => {
    const headers = { 'x-consistency-token': token };
    const first = await player.get('/sdk/subscriptions?limit=2', { headers });
    const next = String(first.body['nextPageToken']);
    expect(first.body['subscriptions']).toHaveLength(2);
    await buy(ledger.backend, { plan: 'gold', player: PLAYER });
    const second = await player.get(`/sdk/subscriptions?limit=2&pageToken=${next}`);
    expect(second.body['subscriptions']).toHaveLength(1);
    expect(second.body['nextPageToken']).toBe('');
    const all = [first, second].flatMap(
      ({ body }) => body['subscriptions'] as { id: string; created_at: string }[],
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );

    const foreign = await player.get(
      `/sdk/subscriptions/${subscriptionId}/payments?pageToken=${next}`,
    );
    expect([foreign.status, violationsOf(foreign)]).toEqual([400, ['pageToken']]);
    const other = next.startsWith('A') ? 'B' : 'A';
    const altered = await player.get(
      `/sdk/subscriptions?limit=2&pageToken=${other}${next.slice(1)}`,
    );
    expect([altered.status, violationsOf(altered)]).toEqual([400, ['pageToken']]);
  });
});
