import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk } from '../support/scenario.js';
import { subledger } from '../cli/subledger.js';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.js';

const ledger = useLedger();
const HOUR_MS = 3_600_000;
let receiver: WebhookReceiver;
let path: string;
let at: string;
let endpoint: Record<string, unknown>;
let endpointId: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
  const { secret: _, ...created } = requireOk(
    await ledger.operator.post(path, { url: receiver.url }),
  ).body;
  endpoint = created;
  endpointId = String(created['id']);
  at = `${path}/${endpointId}`;
});
afterAll(() => receiver.close());

const post = (act: string, body = {}, headers = {}): Promise<Answer> =>
  ledger.operator.post(`${at}/${act}`, body, headers);
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const idOf = ({ headers }: ReceivedWebhook) => String(headers['webhook-id']);

interface Delivery {
  readonly streamName: string;
  readonly revision: number;
  readonly state: string;
  readonly attempts: readonly Record<string, unknown>[];
}

/** The deliveries of a message, when a worker has logged so many attempts. */
async function untilLogged(webhookId: string, attempts = 1): Promise<Delivery> {
  const query = `${at}/deliveries?webhookId=${webhookId}`;
  const read = async () => {
    const { body } = requireOk(await ledger.operator.get(query));
    // The API's own answer; its fields are expected below.
    return (body['deliveries'] as Delivery[])[0];
  };
  let found = await read();
  // The log is written a moment after the attempt.
  await eventually(
    async () => {
      found = await read();
      return found?.attempts.length === attempts;
    },
    { what: 'the attempts' },
  );
  return found!;
}

/** A purchase, and its two messages as received. */
async function buyOnce(player: string): Promise<readonly ReceivedWebhook[]> {
  const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player });
  // Samples of v1 have no data.
  const isOfIt = ({ type, data }: ReceivedWebhook) =>
    type.includes('.') && [data['id'], data['subscription_id']].includes(subscriptionId);
  await receiver.until((all) => all.filter(isOfIt).length === 2);
  return receiver.received.filter(isOfIt);
}

const receivedAs = (webhookId: string) =>
  receiver.received.filter((webhook) => idOf(webhook) === webhookId);

async function showLog(webhookId: string): Promise<string> {
  const { baseUrl, demo } = ledger.standalone;
  const env = { SUBLEDGER_URL: baseUrl, SUBLEDGER_TOKEN: demo.operatorToken };
  const args = ['webhooks', 'log', endpointId, '--webhook-id', webhookId];
  return (await subledger(args, { ...env, SUBLEDGER_APP: ledger.appId })).stdout;
}

describe('a test message', () => {
  it.each(['subscription.created', 'PURCHASE_SUCCEEDED', 'VIEW_ITEM'])(
    'of %s is asked for once for a key',
    async (eventType) => {
      const key = { 'idempotency-key': `test ${eventType}` };
      const first = requireOk(await post('test', { eventType }, key));
      expect(first.body).toEqual(endpoint);
      const again = await post('test', { eventType }, key);
      expect([isReplayed(again), again.body]).toEqual([true, first.body]);
      requireOk(await post('test', { eventType }));
      const sent = () => receiver.received.filter(({ type }) => type === eventType);
      await receiver.until(() => sent().length === 2);
      expect(new Set(sent().map(idOf)).size).toBe(2);
    },
  );

  it('is of a payment that succeeded, unless said otherwise', async () => {
    requireOk(await post('test'));
    await receiver.until((all) => all.some(({ type }) => type === 'payment.succeeded'));
  });
});

describe('a resend', () => {
  it('is of nothing that is not there, and of no endpoint of another app', async () => {
    const unknown = await post('resend', { webhookId: 'msg_none' });
    expect(refusal(unknown)).toEqual([404, 5, 'WEBHOOK_MESSAGE_NOT_FOUND']);
    expect(unknown.text).toContain('since and until');
    expect(requireOk(await post('resend', { failed: true })).body).toEqual({ queued: 0 });
    const other = requireOk(
      await ledger.allApps.post('/manage/apps', { name: 'Other', environment: 'test' }),
    ).body;
    const elsewhere = `/manage/apps/${String(other['appId'])}/webhook-endpoints/${endpointId}`;
    const foreign = await ledger.allApps.post(`${elsewhere}/resend`, { failed: true });
    expect(refusal(foreign)).toEqual([404, 5, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
  });

  it('is of a message that was delivered already, with the same bytes, and once for a key', async () => {
    const [payment] = await buyOnce('player-1');
    const webhookId = idOf(payment!);
    expect((await untilLogged(webhookId)).state).toBe('delivered');
    const key = { 'idempotency-key': 'one' };
    const asked = requireOk(await post('resend', { webhookId }, key));
    expect(asked.body).toEqual({ queued: 1 });
    const again = await post('resend', { webhookId }, key);
    expect([isReplayed(again), again.body]).toEqual([true, asked.body]);
    const other = await post('resend', { webhookId: 'msg_other' }, key);
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);

    await receiver.until(() => receivedAs(webhookId).length === 2);
    const shown = ({ headers, bytes }: ReceivedWebhook) => [
      ...[headers['service-event-sequence'], headers['service-retry-count'], String(bytes)],
    ];
    const [first, second] = receivedAs(webhookId).map(shown);
    expect(second).toEqual(first);
    const logged = await untilLogged(webhookId, 2);
    expect(logged).toMatchObject({
      ...{ webhookId, type: 'payment.succeeded', state: 'delivered', sequence: 1 },
      body: String(payment!.bytes),
      attempts: [{ attempt: 1 }, { attempt: 1 }],
    });
    expect(JSON.stringify(logged)).not.toContain('signature');
  });

  it('is of a message that fails: what came back is shown', async () => {
    receiver.answerWith(({ type, headers }) =>
      type === 'payment.succeeded' && headers['service-retry-count'] === '0' ? 500 : 204,
    );
    const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'player-2' });
    const isPayment = ({ type, data }: ReceivedWebhook) =>
      type === 'payment.succeeded' && data['subscription_id'] === subscriptionId;
    await receiver.until((all) => all.some(isPayment));
    const webhookId = idOf(receiver.received.find(isPayment)!);
    const { attempts } = await untilLogged(webhookId);
    const error = { code: 'status', text: expect.any(String) };
    expect(attempts).toMatchObject([{ attempt: 1, answer: { status: 500 }, error }]);
    expect(await showLog(webhookId)).toMatch(
      /payment\.succeeded +failing +1 +500 +\d+ +status: .*\n\n\{"type"/s,
    );
    receiver.answerWith(() => 204);
    requireOk(await post('resend', { webhookId }));
    await receiver.until(() => receivedAs(webhookId).length > 1);
  });

  it('is of a time, which ends now at the latest, and of what the endpoint takes', async () => {
    const since = new Date().toISOString();
    const all = [...(await buyOnce('player-3')), ...(await buyOnce('player-4'))].map(idOf);
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    const asked = requireOk(await post('resend', { since, until, types: ['payment.*'] }));
    expect(asked.body).toEqual({ queued: 2 });
    await receiver.until(() => all.filter((id) => receivedAs(id).length === 2).length === 2);
    expect(requireOk(await post('resend', { since })).body).toEqual({ queued: 4 });
    const counts = () => all.map((id) => receivedAs(id).length);
    await receiver.until(() => counts().every((count) => count >= 2) && counts().includes(3));
    await receiver.until(() => counts().reduce((sum, count) => sum + count) === 10);
    expect(counts()).toEqual([3, 2, 3, 2]);
    const nothing = await post('resend', { since: ago(HOUR_MS), until: ago(HOUR_MS / 2) });
    expect(requireOk(nothing).body).toEqual({ queued: 0 });
  });

  it('and a test are refused while the endpoint is disabled', async () => {
    requireOk(await post('disable'));
    for (const answer of [
      await post('test', { eventType: 'payment.failed' }),
      await post('resend', { since: ago(HOUR_MS) }),
    ]) {
      expect(refusal(answer)).toEqual([400, 9, 'WEBHOOK_ENDPOINT_DISABLED']);
    }
  });
});
