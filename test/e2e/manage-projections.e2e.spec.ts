import { describe, expect, it } from 'vitest';
import { ALL_APPS } from '#domain/operator-tokens';
import { type Answer, bearer } from '../support/api-client.js';
import { useLedger } from '../support/fixture.js';
import { grantOperatorToken } from '../support/operators.js';

const PATH = '/manage/projections';
const ledger = useLedger();

describe('read models over HTTP', () => {
  it('are shown and acted on by operators for all apps alone, and acted on by admins alone', async () => {
    const { baseUrl } = ledger.standalone;
    const one = { reason: 'SCOPE_NOT_SUFFICIENT', status: 403 };
    expect(await refusal(ledger.operator.get(PATH))).toEqual(one);
    expect(await refusal(ledger.operator.get(`${PATH}/orders`))).toEqual(one);
    const acts = ['rebuild', 'orders/rebuild', 'orders/swap', 'orders/rollback', 'orders/drop'];
    const body = { reason: 'a test', generation: 1 };
    const rest = ['orders/pause', 'orders/resume'];
    const granted = await grantOperatorToken(ledger.standalone, ['viewer'], [ALL_APPS]);
    const viewer = bearer(baseUrl, granted.token);
    for (const act of [...acts, ...rest]) {
      expect([act, await refusal(ledger.operator.post(`${PATH}/${act}`, body))]).toEqual([
        act,
        one,
      ]);
      const role = { reason: 'ROLE_NOT_SUFFICIENT', status: 403 };
      expect([act, await refusal(viewer.post(`${PATH}/${act}`, body))]).toEqual([act, role]);
    }
    expect((await viewer.get(PATH)).status).toBe(200);
    expect((await viewer.get(`${PATH}/orders`)).body).toMatchObject({ projection: 'orders' });
    expect((await viewer.get(`${PATH}/orders/verification?sample=1`)).status).toBe(200);
    expect(await refusal(ledger.operator.get(`${PATH}/orders/verification`))).toEqual(one);
  });

  it('of an unknown name are 404, with the names that there are', async () => {
    const { status, body } = await ledger.allApps.get(`${PATH}/order`);
    expect(status).toBe(404);
    expect(body['message']).toMatch(/no read model "order"\. There are: .*orders, /);
    const act = await ledger.allApps.post(`${PATH}/order/rebuild`, { reason: 'a test' });
    expect(act.body['message']).toBe(body['message']);
  });

  it('are refused each bad field, and nothing is asked for', async () => {
    const before = await ledger.allApps.get(`${PATH}/orders`);
    const bad = { reason: '', hold: 'no', maxPerSecond: 0, more: 1 };
    const { status, body } = await ledger.allApps.post(`${PATH}/orders/rebuild`, bad);
    expect(status).toBe(400);
    expect(body['message']).toMatch(/reason/);
    for (const field of ['hold', 'maxPerSecond']) expect(body['message']).toContain(field);
    const { body: after } = await ledger.allApps.get(`${PATH}/orders`);
    expect(after['generations']).toHaveLength((before.body['generations'] as unknown[]).length);
  });

  it('are rebuilt once for a key, and not while a generation is built', async () => {
    const { allApps } = ledger;
    const asked = { reason: 'a test', hold: true };
    const headers = { 'idempotency-key': `rebuild-${ledger.appId}` };
    const path = `${PATH}/orders/rebuild`;
    const first = await allApps.post(path, asked, headers);
    expect(first.status).toBe(200);
    expect((await allApps.post(path, asked, headers)).status).toBe(200);
    expect(await refusal(allApps.post(path, asked))).toEqual({
      ...{ reason: 'REBUILD_UNDER_WAY', status: 400 },
    });
    const generations = first.body['generations'] as { generation: number; state: string }[];
    const built = Math.max(...generations.map(({ generation }) => generation));
    const drop = { reason: 'a test', generation: built };
    expect((await allApps.post(`${PATH}/orders/drop`, drop)).status).toBe(200);
    expect(await refusal(allApps.post(`${PATH}/orders/drop`, drop))).toEqual({
      ...{ reason: 'GENERATION_NOT_FOUND', status: 404 },
    });
    expect(await refusal(allApps.post(`${PATH}/orders/swap`, { reason: 'a test' }))).toEqual({
      ...{ reason: 'NOTHING_BUILT', status: 400 },
    });
  });

  it('are verified by documents that are drawn by chance', async () => {
    const { status, body } = await ledger.allApps.get(`${PATH}/plans/verification?sample=5`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 0, differences: [] });
    expect(body['checked']).toBeGreaterThan(0);
  });
});

async function refusal(answering: Promise<Answer>) {
  const { status, body } = await answering;
  const [info] = (body['details'] ?? []) as readonly { readonly reason?: string }[];
  return { reason: info?.reason, status };
}
