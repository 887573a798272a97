import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api-client.js';
import { badFields, refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk } from '../support/scenario.js';
import { subledger } from '../support/cli.js';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.js';

const ledger = useLedger();
const HOUR_MS = 3_600_000;
let receiver: WebhookReceiver;
let at: string;
let endpointId: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
  const { body } = requireOk(await ledger.operator.post(path, { url: receiver.url }));
  endpointId = String(body['id']);
  at = `${path}/${endpointId}`;
});
afterAll(() => receiver.close());

const post = (act: string, body = {}, headers = {}): Promise<Answer> =>
  ledger.operator.post(`${at}/${act}`, body, headers);
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** The attempt at a message, when a worker has logged it. */
async function untilLogged(messageId: string): Promise<unknown> {
  const query = `${at}/deliveries?messageId=${messageId}`;
  const read = async () => requireOk(await ledger.operator.get(query)).body['deliveries'];
  // The log is written a moment after the attempt.
  await eventually(async () => ((await read()) as unknown[]).length === 1, { what: 'the attempt' });
  return ((await read()) as unknown[])[0];
}

async function showLog(messageId: string): Promise<string> {
  const { baseUrl, demo } = ledger.standalone;
  const env = { SUBLEDGER_URL: baseUrl, SUBLEDGER_TOKEN: demo.operatorToken };
  const args = ['webhooks', 'log', endpointId, '--message', messageId];
  return (await subledger(args, { ...env, SUBLEDGER_APP: ledger.appId })).stdout;
}

describe('a test message', () => {
  it.each(['subscription.created', 'PURCHASE_SUCCEEDED', 'VIEW_ITEM'])(
    'of %s is asked for once for a key',
    async (eventType) => {
      const key = { 'idempotency-key': `test ${eventType}` };
      const first = requireOk(await post('test', { eventType }, key));
      expect(first.body).toEqual({ testId: expect.stringMatching(/^tst_/), eventType });
      const again = await post('test', { eventType }, key);
      expect([isReplayed(again), again.body]).toEqual([true, first.body]);
      const other = requireOk(await post('test', { eventType }));
      expect(other.body['testId']).not.toBe(first.body['testId']);
      const sent = () => receiver.received.filter(({ type }) => type === eventType);
      await receiver.until(() => sent().length === 2);
      expect(new Set(sent().map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    },
  );

  it.each([{}, { eventType: '*' }, { eventType: 'payment.*' }, { eventType: 'payment.paid' }])(
    'is refused for %j',
    async (body) => {
      const answer = await post('test', body);
      expect([...refusal(answer), badFields(answer)]).toEqual([
        ...[400, 3, 'INVALID_FIELDS', ['eventType']],
      ]);
    },
  );
});

describe('a resend', () => {
  it('is of a time, which ends now at the latest', async () => {
    const from = ago(HOUR_MS);
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    const asked = requireOk(await post('resend', { from, until, types: ['payment.*'] }));
    expect(asked.body).toEqual({ messages: 0, from, until: expect.any(String) });
    expect(String(asked.body['until']) < until).toBe(true);
  });

  it.each([
    [{}, ['messageId']],
    [{ messageId: 'msg_1', failed: true }, ['messageId']],
    [{ failed: false }, ['failed']],
    [{ from: 'yesterday', until: 7, types: '*' }, ['from', 'types', 'until']],
    [{ from: '2099-01-01T00:00:00Z', types: ['payment.paid'] }, ['from', 'types.0']],
    [{ from: '2020-01-01T00:00:00Z' }, ['until']],
  ])('is refused for %j', async (body, fields) => {
    const answer = await post('resend', body);
    expect([...refusal(answer), badFields(answer).sort()]).toEqual([
      ...[400, 3, 'INVALID_FIELDS', fields],
    ]);
  });

  it('is of what failed, and of nothing that is not there', async () => {
    const unknown = await post('resend', { messageId: 'msg_none' });
    expect(refusal(unknown)).toEqual([404, 5, 'WEBHOOK_MESSAGE_NOT_FOUND']);
    expect(unknown.text).toContain('from and until');
    expect(requireOk(await post('resend', { failed: true })).body).toMatchObject({ messages: 0 });
  });

  it('is of any message of the last days by its id, and the same once for a key', async () => {
    receiver.answerWith(({ type, headers }) =>
      type === 'payment.succeeded' && headers['service-retry-count'] === '0' ? 500 : 204,
    );
    const { subscriptionId } = await buy(ledger.backend, { plan: 'gold', player: 'player-1' });
    const isPayment = ({ type, data }: ReceivedWebhook) =>
      type === 'payment.succeeded' && data['subscription_id'] === subscriptionId;
    await receiver.until((all) => all.some(isPayment));
    const [first] = receiver.received.filter(isPayment);
    const messageId = String(first?.headers['webhook-id']);
    const seen = { messageId, type: 'payment.succeeded', retryCount: 0, outcome: 'failed' };
    const failed = { ...seen, status: 500, error: { code: 'status', text: expect.any(String) } };
    expect(await untilLogged(messageId)).toEqual(expect.objectContaining(failed));
    expect(await showLog(messageId)).toMatch(/payment\.succeeded +0 +failed +500 +\d+ +status: /);

    const key = { 'idempotency-key': 'one' };
    const asked = requireOk(await post('resend', { messageId }, key));
    expect(asked.body).toEqual({ messages: 1, from: '', until: '' });
    const again = await post('resend', { messageId }, key);
    expect([isReplayed(again), again.body]).toEqual([true, asked.body]);
    const other = await post('resend', { messageId: 'msg_other' }, key);
    expect(refusal(other)).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('and a test are refused while the endpoint is disabled', async () => {
    requireOk(await post('disable'));
    for (const answer of [
      await post('test', { eventType: 'payment.failed' }),
      await post('resend', { from: ago(HOUR_MS) }),
    ]) {
      expect(refusal(answer)).toEqual([400, 9, 'WEBHOOK_ENDPOINT_DISABLED']);
    }
  });
});
