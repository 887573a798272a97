/** Calls that a client sends again by itself, after the connection of the first one has ended. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiClient } from '../support/api-client.js';
import { badFields, errorReason, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';

const ledger = useLedger();
const NOWHERE = { url: 'http://127.0.0.1:9/' };
let app: string;
let operator: ApiClient;

beforeAll(() => {
  app = `/manage/apps/${ledger.appId}`;
  ({ operator } = ledger);
});

async function newEndpoint(): Promise<string> {
  const { body } = await operator.post(`${app}/webhook-endpoints`, NOWHERE);
  return `${app}/webhook-endpoints/${String(body['id'])}`;
}

/** The id that a refused second use of a key names. */
function idOfFirst({ body }: Answer): unknown {
  const infos = body.details ?? [];
  const info = infos.find(({ reason }) => reason === 'SECRET_SHOWN_ALREADY');
  return (info?.['metadata'] as { readonly id?: string } | undefined)?.id;
}

describe('a secret', () => {
  it('is made by neither of the calls that have no body and no key', async () => {
    const endpoint = await newEndpoint();
    for (const path of [`${endpoint}/rotate-secret`, `${app}/ingress-secrets`]) {
      const refused = await operator.send('POST', path);
      expect([path, ...refusal(refused)]).toEqual([path, 400, 3, 'INVALID_FIELDS']);
      expect(badFields(refused)).toEqual(['Idempotency-Key']);
    }
    // No call made one: after the first secret there is room for three more.
    const rotations = [1, 2, 3].map(() => operator.post(`${endpoint}/rotate-secret`, {}));
    expect((await Promise.all(rotations)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('is shown once for a key: a second use of the key makes nothing and names the first', async () => {
    const endpoint = await newEndpoint();
    const endpointId = endpoint.split('/').at(-1);
    const calls = [
      ['rotate-secret', operator, `${endpoint}/rotate-secret`, {}, endpointId],
      ['ingress-secrets', operator, `${app}/ingress-secrets`, {}, ledger.appId],
      ['endpoint', operator, `${app}/webhook-endpoints`, NOWHERE, undefined],
      ['token', operator, `${app}/operator-tokens`, { roles: ['viewer'] }, undefined],
      ['app', ledger.allApps, '/manage/apps', { name: 'One', environment: 'test' }, undefined],
    ] as const;
    for (const [key, caller, path, body, id] of calls) {
      const headers = { 'idempotency-key': `shown ${key}` };
      const first = await caller.post(path, body, headers);
      expect([key, first.status]).toEqual([key, 200]);
      const again = await caller.post(path, body, headers);
      expect([key, ...refusal(again)]).toEqual([key, 409, 10, 'SECRET_SHOWN_ALREADY']);
      expect(idOfFirst(again)).toBe(id ?? first.body['id'] ?? first.body['appId']);
      const other = await caller.post(path, { ...body, unheardOf: 1 }, headers);
      expect(other.status).toBe(400);
    }
  });

  it('is shown to one of several calls at once with one key', async () => {
    const headers = { 'idempotency-key': 'at once' };
    const post = () => operator.post(`${app}/webhook-endpoints`, NOWHERE, headers);
    const answers = await Promise.all([post(), post(), post(), post()]);
    const shown = answers.filter(({ status }) => status === 200);
    expect(shown).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(errorReason)).toEqual(refused.map(() => 'SECRET_SHOWN_ALREADY'));
    expect(refused.map(idOfFirst)).toEqual(refused.map(() => shown[0]?.body['id']));
  });

  it('is another one under another key, and a key with another body is refused', async () => {
    const endpoint = await newEndpoint();
    const rotate = (key: string, body = {}) =>
      operator.post(`${endpoint}/rotate-secret`, body, { 'idempotency-key': key });
    const [first, second] = [await rotate('one'), await rotate('two')];
    expect(first.body['secret']).not.toEqual(second.body['secret']);
    const other = await rotate('one', { expireOldAfterSeconds: 5 });
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

describe('a deletion', () => {
  it('of what the app has deleted is 204 again, with the If-Match of the first; it stays not found', async () => {
    const endpoint = await newEndpoint();
    const { headers } = await operator.post(`${endpoint}/disable`, {});
    const match = { headers: { 'if-match': String(headers.get('etag')) } };
    const remove = () => operator.send('DELETE', endpoint, match);
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
    expect((await operator.get(endpoint)).status).toBe(404);
    expect((await operator.post(`${endpoint}/enable`, {})).status).toBe(404);
    const changed = await operator.send('PATCH', endpoint, { body: { description: 'x' } });
    expect(changed.status).toBe(404);
  });

  it('of a token that was revoked is 204 again, with the If-Match of the first', async () => {
    const issued = await operator.post(`${app}/operator-tokens`, { roles: ['viewer'] });
    const path = `${app}/operator-tokens/${String(issued.body['id'])}`;
    const match = { headers: { 'if-match': String(issued.headers.get('etag')) } };
    const statuses = [1, 2].map(() => operator.send('DELETE', path, match));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([204, 204]);
    expect((await operator.send('DELETE', path, match)).status).toBe(204);
  });

  it("of what is another app's is not found, before and after", async () => {
    const other = await ledger.allApps.post('/manage/apps', { name: 'Two', environment: 'test' });
    const endpoint = await newEndpoint();
    const foreign = endpoint.replace(ledger.appId, String(other.body['appId']));
    expect((await ledger.allApps.send('DELETE', foreign)).status).toBe(404);
    expect((await operator.send('DELETE', endpoint)).status).toBe(204);
    expect((await ledger.allApps.send('DELETE', foreign)).status).toBe(404);
  });
});

describe('a list of keys', () => {
  it('as retries of a client make it is refused: each retry would be a command of its own', async () => {
    const headers = { 'idempotency-key': 'A, B' };
    const refused = await operator.post(`${app}/segments`, { segmentId: 's', name: 'S' }, headers);
    expect(refusal(refused)).toEqual([400, 3, 'INVALID_FIELDS']);
    expect(badFields(refused)).toEqual(['Idempotency-Key']);
  });
});
