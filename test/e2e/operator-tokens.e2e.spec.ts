import { describe, expect, it } from 'vitest';
import { bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { grantOperatorToken } from '../support/operators.js';

const ledger = useLedger();

describe("operators' tokens", () => {
  const path = () => `/manage/apps/${ledger.appId}`;
  const as = (token: string) => bearer(ledger.standalone.baseUrl, token);
  const issue = async (body: object, headers = {}) =>
    (await ledger.operator.post(`${path()}/operator-tokens`, body, headers)).body as {
      id: string;
      token: string;
      expiresAt: string;
    };
  const listed = async () => (await ledger.operator.get(`${path()}/operators`)).body['operators'];

  it('are issued for one app, shown once, listed without the token, and revoked at once', async () => {
    const before = Date.now();
    const { id, token, expiresAt } = await issue({ roles: ['viewer'] });
    expect(Math.abs(Date.parse(expiresAt) - before - 86_400_000)).toBeLessThan(60_000);
    expect((await as(token).get(path())).status).toBe(200);
    const shown = { id, name: id, roles: ['viewer'], issuedBy: 'operator:demo', expiresAt };
    expect(await listed()).toContainEqual({
      ...{ ...shown, createdAt: expect.any(String), revokedAt: '' },
    });
    expect((await ledger.operator.get(`${path()}/operators`)).text).not.toContain(token);

    const revoked = await ledger.operator.send('DELETE', `${path()}/operator-tokens/${id}`);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expect(refusal(await as(token).get(path()))).toEqual([401, 16, 'UNAUTHENTICATED']);
    expect(await listed()).toContainEqual({
      ...{ ...shown, createdAt: expect.any(String), revokedAt: expect.stringMatching(/^20/) },
    });
    const again = await ledger.operator.send('DELETE', `${path()}/operator-tokens/${id}`);
    expect(again.status).toBe(204);
    const unknown = await ledger.operator.send('DELETE', `${path()}/operator-tokens/opt_x`);
    expect(refusal(unknown)).toEqual([404, 5, 'OPERATOR_TOKEN_NOT_FOUND']);
  });

  it('are never shown a second time, also not for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'token-1' };
    const first = await issue({ roles: ['viewer'] }, key);
    const second = await issue({ roles: ['viewer'] }, key);
    expect(second.id).not.toBe(first.id);
  });

  it('may do what any of their roles says, in their app alone', async () => {
    const viewer = as((await issue({ roles: ['viewer'] })).token);
    const manager = as((await issue({ roles: ['viewer', 'manager'] })).token);
    const admin = as((await issue({ roles: ['admin'] })).token);
    const finance = as((await issue({ roles: ['finance'] })).token);
    expect(refusal(await finance.get(path()))).toEqual([403, 7, 'ROLE_NOT_SUFFICIENT']);
    const segment = (segmentId: string) => ({ segmentId, name: segmentId });
    expect(refusal(await viewer.post(`${path()}/segments`, segment('a')))).toEqual([
      403,
      7,
      'ROLE_NOT_SUFFICIENT',
    ]);
    expect((await manager.post(`${path()}/segments`, segment('b'))).status).toBe(200);
    const rights = { roles: ['viewer'] };
    for (const weaker of [viewer, manager]) {
      expect(refusal(await weaker.post(`${path()}/operator-tokens`, rights))).toEqual([
        403,
        7,
        'ROLE_NOT_SUFFICIENT',
      ]);
      const path_ = `${path()}/operator-tokens/opt_x`;
      expect(refusal(await weaker.send('DELETE', path_))).toEqual([403, 7, 'ROLE_NOT_SUFFICIENT']);
    }
    expect((await admin.post(`${path()}/operator-tokens`, rights)).status).toBe(200);
    const app = { name: 'x', environment: 'test' };
    for (const ofOneApp of [ledger.operator, admin]) {
      const refused = await ofOneApp.post('/manage/apps', app);
      expect(refusal(refused)).toEqual([403, 7, 'SCOPE_NOT_SUFFICIENT']);
    }
    const created = await ledger.allApps.post('/manage/apps', app);
    const other = `/manage/apps/${String(created.body['appId'])}`;
    for (const what of [other, `${other}/operators`]) {
      expect(refusal(await admin.get(what))).toEqual([404, 5, 'APP_NOT_FOUND']);
    }
    expect(refusal(await admin.post(`${other}/operator-tokens`, rights))).toEqual([
      404,
      5,
      'APP_NOT_FOUND',
    ]);
    const { id } = await grantOperatorToken(ledger.standalone, ['viewer'], ['*']);
    const wider = await admin.send('DELETE', `${path()}/operator-tokens/${id}`);
    expect(refusal(wider)).toEqual([404, 5, 'OPERATOR_TOKEN_NOT_FOUND']);
  });

  it.each([
    [{}, ['roles']],
    [{ roles: ['king'] }, ['roles']],
    [{ roles: ['viewer'], expiresInSeconds: 0 }, ['expiresInSeconds']],
    [{ roles: ['viewer'], expiresInSeconds: 30 * 86_400 + 1 }, ['expiresInSeconds']],
    [{ roles: ['viewer'], apps: ['*'] }, ['apps']],
  ])('are refused for %j', async (body, fields) => {
    const before = await listed();
    const answer = await ledger.operator.post(`${path()}/operator-tokens`, body);
    expect([...refusal(answer), badFields(answer)]).toEqual([400, 3, 'INVALID_FIELDS', fields]);
    expect(await listed()).toEqual(before);
  });
});
