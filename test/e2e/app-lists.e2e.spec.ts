import { describe, expect, it } from 'vitest';
import { bearer } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { grantOperatorToken } from '../support/operators.js';

const ledger = useLedger();

describe('the list of apps', () => {
  it('shows what was written, oldest first, in pages, and to an operator of some only those', async () => {
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

/** All pages of so many apps each. */
async function pages(operator: ReturnType<typeof bearer>, limit = 1, headers = {}) {
  const ids: string[] = [];
  const tokens: string[] = [];
  do {
    const page = await operator.get(
      `/manage/apps?limit=${limit}&pageToken=${tokens.at(-1) ?? ''}`,
      { headers },
    );
    ids.push(...readIds(page.body['apps']));
    tokens.push(String(page.body['nextPageToken']));
  } while (tokens.at(-1) !== '');
  return { ids, firstToken: tokens[0] ?? '' };
}

function readIds(apps: unknown): string[] {
  return (apps as { appId: string }[]).map(({ appId }) => appId);
}
