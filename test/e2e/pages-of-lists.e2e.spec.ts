import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { buy, issuePlayerToken } from '../support/scenario.js';

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
});
