import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSeal, fixedMasterKeys, parseMasterKeys } from '#platform';
import { apps, payments, plans, subscriptions } from '#projections';
import { createPageTokens, identifyDocumentList } from '../../apps/api/src/http/page-token.js';
import { type ApiClient, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { grantOperatorToken } from '../support/operators.js';
import { buy, issuePlayerToken, requireOk, seeing } from '../support/scenario.js';

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
    const first = await player.get('/sdk/subscriptions?limit=2', seeing(token));
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

  it('of apps go through them oldest first, and to an operator of some only those', async () => {
    const created: string[] = [];
    let token = '';
    for (const name of ['first', 'second', 'third']) {
      const answer = await ledger.allApps.post('/manage/apps', { name, environment: 'test' });
      created.push(String(answer.body['appId']));
      token = answer.headers.get('x-consistency-token') ?? '';
    }
    const headers = { 'x-consistency-token': token };
    const { ids } = await pages(ledger.allApps, 100, headers);
    // Others make apps in this ledger meanwhile.
    const ours = [ledger.appId, ...created];
    const onlyOurs = (all: readonly string[]) => all.filter((id) => ours.includes(id));
    expect(onlyOurs(ids)).toEqual(ours);

    const some = [created[2], ledger.appId, created[0]].map(String);
    const { token: granted } = await grantOperatorToken(ledger.standalone, ['viewer'], some);
    const operator = bearer(ledger.standalone.baseUrl, granted);
    const [shown, foreign] = [await pages(operator), await pages(ledger.allApps)];
    expect(shown.ids).toEqual([ledger.appId, created[0], created[2]]);
    expect(onlyOurs(foreign.ids)).toEqual(ours);
    const misused = await operator.get(`/manage/apps?limit=1&pageToken=${foreign.firstToken}`);
    expect(refusal(misused)).toEqual([400, 3, 'INVALID_FIELDS']);
  });
});

/** rules/api 16: as after a deploy, or a rollback, to a version with another order. */
describe('a page token of another order of the list', () => {
  it('is refused with 409 by each list of documents, and the sentence says to begin again', async () => {
    const key = await readFile(path.join(ledger.standalone.dataDir, 'master.key'), 'utf8');
    const seal = createSeal(fixedMasterKeys(parseMasterKeys(key)));
    const tokens = createPageTokens(() => seal.deriveKeys('page tokens'));
    const { appId, backend, operator } = ledger;
    const app = `/manage/apps/${appId}`;
    const lists = [
      [backend, '/sdk/subscriptions', subscriptions, [appId, undefined, undefined]],
      [backend, `/sdk/subscriptions/${subscriptionId}/payments`, payments, [appId, subscriptionId]],
      [operator, `${app}/plans`, plans, [appId, undefined]],
      [operator, `${app}/currency-changes`, subscriptions, [appId, 'renewed']],
      [ledger.allApps, '/manage/apps', apps, ['*']],
      [ledger.allApps, '/manage/webhook-status', apps, ['webhook-status', '*']],
    ] as const;
    for (const [client, address, projection, filters] of lists) {
      const list = identifyDocumentList(projection, ...filters);
      const currencies = address.endsWith('currency-changes') ? { from: 'BGN', to: 'EUR' } : {};
      const ask = (order: number) => {
        const pageToken = tokens.next({ ...list, order }, '00');
        const query = new URLSearchParams({ ...currencies, pageToken });
        return client.get(`${address}?${query.toString()}`);
      };
      expect([address, (await ask(list.order)).status]).toEqual([address, 200]);
      const other = await ask(list.order + 1);
      expect([address, ...refusal(other)]).toEqual([address, 409, 10, 'LIST_ORDER_CHANGED']);
      expect(other.body['message']).toContain('Read it again from its first page');
    }
    const pageToken = tokens.next(
      { ...identifyDocumentList(subscriptions, appId, 'renewed'), order: 99 },
      '00',
    );
    const moved = await operator.post(`${app}/currency-changes`, {
      ...{ from: 'BGN', to: 'EUR', pageToken },
    });
    expect(refusal(moved)).toEqual([409, 10, 'LIST_ORDER_CHANGED']);
  });
});

/** All pages of so many apps each. */
async function pages(operator: ReturnType<typeof bearer>, limit = 1, headers = {}) {
  const ids: string[] = [];
  const tokens: string[] = [];
  do {
    const page = await operator.get(
      `/manage/apps?limit=${limit}&pageToken=${tokens.at(-1) ?? ''}`,
      { headers },
    );
    ids.push(...(page.body['apps'] as { appId: string }[]).map(({ appId }) => appId));
    tokens.push(String(page.body['nextPageToken']));
  } while (tokens.at(-1) !== '');
  return { ids, firstToken: tokens[0] ?? '' };
}
