import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, issuePlayerToken, requireOk } from '../support/scenario.js';

const PLAYER = 'player-1';
const ledger = useLedger();
let subscriptionId: string;
let token: string;
let player: ApiClient;

beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) {
    ({ subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player: PLAYER }));
  }
  player = bearer(ledger.standalone.baseUrl, await issuePlayerToken(ledger.backend, PLAYER));
});

describe('the pages of a list', () => {
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

    const badToken = [400, 3, 'INVALID_FIELDS', ['pageToken']];
    const foreign = await player.get(
      `/sdk/subscriptions/${subscriptionId}/payments?pageToken=${next}`,
    );
    expect([...refusal(foreign), badFields(foreign)]).toEqual(badToken);
    const other = next.startsWith('A') ? 'B' : 'A';
    const altered = await player.get(
      `/sdk/subscriptions?limit=2&pageToken=${other}${next.slice(1)}`,
    );
    expect([...refusal(altered), badFields(altered)]).toEqual(badToken);
  });

  /** rules/loyalty 1 */
  it('of loyalty campaigns go through all of them, newest first, while others are made', async () => {
    const path = `/manage/apps/${ledger.appId}/loyalty-campaigns`;
    const rewards = [{ itemId: 'crown', quantity: 1, type: 'item' }];
    const make = async (name: string) =>
      requireOk(
        await ledger.operator.post(path, {
          ...{ name, points: [{ currency: 'USD', perMajorUnit: 3 }] },
          milestones: [{ id: 'first', points: 30, rewards }],
          ...{ from: '2026-01-01T00:00:00+01:00', until: '2026-02-01T00:00:00Z' },
          delivery: 'none',
        }),
      ).body;
    const made = await make('first');
    expect(made).toMatchObject({
      points: [{ currency: 'USD', perMajorUnit: '3' }],
      ...{ from: '2025-12-31T23:00:00.000Z', until: '2026-02-01T00:00:00.000Z' },
    });
    await make('second');
    await make('third');
    const list = async (query: string) => {
      const { body } = requireOk(await ledger.operator.get(`${path}?limit=2${query}`));
      const names = (body['loyaltyCampaigns'] as { name: string }[]).map(({ name }) => name);
      return { names, next: String(body['nextPageToken']) };
    };
    const page = await list('');
    expect(page.names).toEqual(['third', 'second']);
    await make('fourth');
    expect(await list(`&pageToken=${page.next}`)).toEqual({ names: ['first'], next: '' });
  });
});
