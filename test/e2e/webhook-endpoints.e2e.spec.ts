import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../support/verify-webhook.js';
import { type Answer, bearer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { grantOperatorToken } from '../support/operators.js';
import { buy, requireOk } from '../support/scenario.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const ledger = useLedger();
let path: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

const DEFAULTS = {
  ...{ eventTypes: ['*'], accept: '2xx', description: '', maxPerSecond: null },
  ...{ state: 'enabled', disabledReason: '', disabledAt: '', createdAt: expect.any(String) },
};
/** Nothing listens there: webhooks to it have no effect on a test. */
const NOWHERE = 'http://127.0.0.1:9/webhooks';

async function create(fields: object = {}) {
  const { body } = requireOk(await ledger.operator.post(path, { url: NOWHERE, ...fields }));
  const { secret, ...endpoint } = body;
  return { endpoint, secret: String(secret), at: `${path}/${String(body['id'])}` };
}

const patch = (at: string, body: unknown, headers = {}): Promise<Answer> =>
  ledger.operator.send('PATCH', at, { body, headers });
const post = (at: string, body = {}, headers = {}) => ledger.operator.post(at, body, headers);
const read = async (at: string) => requireOk(await ledger.operator.get(at)).body;
const remove = async (at: string) =>
  expect((await ledger.operator.send('DELETE', at)).status).toBe(204);
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed');

describe('an endpoint', () => {
  it('is created with what it names, and the usual for what it leaves out', async () => {
    const { endpoint, at } = await create();
    expect(endpoint).toEqual({ ...DEFAULTS, id: endpoint['id'], url: NOWHERE });
    const named = {
      ...{ eventTypes: ['payment.*', 'VIEW_ITEM'], accept: '200' },
      ...{ description: 'Grants', maxPerSecond: 20 },
    };
    const full = await create(named);
    expect(full.endpoint).toMatchObject(named);
    expect(await read(full.at)).toEqual(full.endpoint);
    expect(await read(at)).toEqual(endpoint);
    expect((await ledger.operator.get(path)).text).not.toContain(full.secret);
  });

  it('is changed in what is named, and can be sent back as it was shown', async () => {
    const { endpoint, at } = await create({ description: 'Old', maxPerSecond: 5 });
    const changed = requireOk(await patch(at, { description: 'New', eventTypes: ['dispute.*'] }));
    const after = { ...endpoint, description: 'New', eventTypes: ['dispute.*'] };
    expect(changed.body).toEqual(after);
    expect(await read(at)).toEqual(after);
    const { url, eventTypes, accept, description, maxPerSecond } = DEFAULTS as typeof endpoint;
    const cleared = { url: NOWHERE, eventTypes, accept, description, maxPerSecond };
    expect(url).toBeUndefined();
    const again = requireOk(await patch(at, cleared));
    expect(again.body).toMatchObject(cleared);
    const same = requireOk(await patch(at, cleared));
    expect(same.headers.get('etag')).toBe(again.headers.get('etag'));
    const nothing = requireOk(await patch(at, {}));
    expect(nothing.headers.get('etag')).toBe(again.headers.get('etag'));
  });

  it('is disabled and enabled, each once', async () => {
    const { endpoint, at } = await create();
    const disabled = requireOk(await post(`${at}/disable`, {}, { 'idempotency-key': 'off' }));
    const held = { state: 'disabled', disabledReason: 'operator', disabledAt: expect.any(String) };
    expect(disabled.body).toEqual({ ...endpoint, ...held });
    const again = requireOk(await post(`${at}/disable`));
    expect([again.body, again.headers.get('etag')]).toEqual([
      disabled.body,
      disabled.headers.get('etag'),
    ]);
    const { body } = requireOk(await ledger.operator.get(`${path}?limit=100`));
    expect(body['webhookEndpoints']).toContainEqual(disabled.body);
    expect(requireOk(await post(`${at}/enable`)).body).toEqual(endpoint);
    const repeated = await post(`${at}/disable`, {}, { 'idempotency-key': 'off' });
    expect([replayed(repeated), repeated.body]).toEqual(['true', disabled.body]);
    expect(await read(at)).toEqual(endpoint);
  });

  it('that is deleted is not found by anything but another deletion', async () => {
    const { at } = await create();
    await remove(at);
    const refused = allRefused(404, 5, 'WEBHOOK_ENDPOINT_NOT_FOUND').slice(1);
    expect((await tryActs(at)).map(refusal)).toEqual(refused);
    expect((await ledger.operator.send('DELETE', at)).status).toBe(204);
  });

  it('is changed by no viewer', async () => {
    const { at } = await create();
    const { token } = await grantOperatorToken(ledger.standalone, ['viewer'], [ledger.appId]);
    const viewer = bearer(ledger.standalone.baseUrl, token);
    expect((await viewer.get(at)).status).toBe(200);
    const acts = await tryAll(at, viewer, false);
    expect(new Set(acts.map(String))).toEqual(new Set(['403,7,ROLE_NOT_SUFFICIENT']));
  });
});

/** Everything that can be done with an endpoint. */
async function tryAll(at: string, caller = ledger.operator, isRead = true) {
  const acts = await tryActs(at, caller, isRead);
  return [...acts, await caller.send('DELETE', at)].map(refusal);
}

/** The same but for its deletion. */
async function tryActs(at: string, caller = ledger.operator, isRead = true) {
  return [
    ...(isRead ? [await caller.get(at)] : []),
    await caller.send('PATCH', at, { body: { description: 'x' } }),
    await caller.post(`${at}/disable`),
    await caller.post(`${at}/enable`),
    await caller.post(`${at}/rotate-secret`),
    await caller.post(`${at}/test`, { eventType: 'payment.failed' }),
    await caller.post(`${at}/resend`, { failed: true }),
  ];
}

function allRefused(...expected: readonly [number, number, string]) {
  return Array.from({ length: 8 }, () => [...expected]);
}

describe('the secret of an endpoint', () => {
  it('is exchanged while both sign, and signs alone once the former is ended', async () => {
    const { at, secret: first } = await create({ url: receiver.url });
    const rotate = async (body: object) => {
      const answer = requireOk(await post(`${at}/rotate-secret`, body)).body;
      expect(Object.keys(answer)).toEqual(['secret']);
      return String(answer['secret']);
    };
    const second = await rotate({});
    expect(await findSigners('player-1', [first, second])).toEqual([true, true]);
    const third = await rotate({ expireOldAfterSeconds: 0 });
    const all = [first, second, third];
    expect(await findSigners('player-2', all)).toEqual([false, false, true]);
    await remove(at);
  });

  it('signs behind the former one until the time that is given, not after the end of the former', async () => {
    const { at, secret: first } = await create({ url: receiver.url });
    const useFrom = new Date(Date.now() + 3_600_000).toISOString();
    const second = String(requireOk(await post(`${at}/rotate-secret`, { useFrom })).body['secret']);
    expect(await findFirstSigner('player-3', [first, second])).toBe(0);
    const third = String(requireOk(await post(`${at}/rotate-secret`, {})).body['secret']);
    expect(await findFirstSigner('player-4', [first, second, third])).toBe(2);
    const late = new Date(Date.now() + 10_000).toISOString();
    const refused = await post(`${at}/rotate-secret`, { expireOldAfterSeconds: 5, useFrom: late });
    expect(badFields(refused)).toEqual(['useFrom']);
    expect(badFields(await post(`${at}/rotate-secret`, { useFrom: 'soon' }))).toEqual(['useFrom']);
    await remove(at);
  });
});

/** Which of these secrets the next purchase's webhook is signed with. */
async function findSigners(player: string, secrets: readonly string[]): Promise<boolean[]> {
  const { headers, body } = await nextWebhook(player);
  return secrets.map((secret) => verifyWebhook(secret, headers, body));
}

/** The place of the secret that a receiver verifies by which looks at the first signature alone. */
async function findFirstSigner(player: string, secrets: readonly string[]): Promise<number> {
  const { headers, body } = await nextWebhook(player);
  const [first = ''] = String(headers['webhook-signature']).split(' ');
  const alone = { ...headers, 'webhook-signature': first };
  return secrets.findIndex((secret) => verifyWebhook(secret, alone, body));
}

async function nextWebhook(player: string) {
  const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player });
  await receiver.until(() => receiver.sentFor(subscriptionId).length > 0);
  const [webhook] = receiver.sentFor(subscriptionId);
  const { headers = {}, bytes = Buffer.alloc(0) } = webhook ?? {};
  return { headers, body: String(bytes) };
}
