import { beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSandboxNotices, type GatewayNotice, type SandboxNotices } from '#gateway';
import { createSeal } from '#platform';
import { type Answer, anonymous } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { buy, requireOk, seeing } from '../support/scenario.js';

/** Gateways' own notices, over HTTP (rules/payments 15). */
const ledger = useLedger();
let keys: readonly Buffer[];

beforeAll(async () => {
  const key = await readFile(path.join(ledger.standalone.dataDir, 'master.key'), 'utf8');
  keys = createSeal(Buffer.from(key.trim(), 'base64')).deriveKeys('sandbox notices');
});

const sandbox = (at = new Date()): SandboxNotices =>
  createSandboxNotices({ keys: () => keys, clock: { now: () => at.toISOString() } });

/** Sends a notice as the sandbox signs it for this app, or for another one. */
function send(notice: GatewayNotice, from = sandbox(), signedFor = ledger.appId): Promise<Answer> {
  const { headers, body } = from.sign(signedFor, notice);
  return post(ledger.appId, body.toString(), headers as Record<string, string>);
}

function post(appId: string, body: string, headers: Record<string, string>, kind = 'sandbox') {
  const client = anonymous(ledger.standalone.baseUrl);
  return client.send('POST', `/gateways/${kind}/${appId}/notices`, { body, headers });
}

async function pay(player: string): Promise<string> {
  const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player });
  return findPayment(subscriptionId, token);
}

async function findPayment(subscriptionId: string, token: string): Promise<string> {
  const list = `/sdk/subscriptions/${subscriptionId}/payments`;
  const { body } = requireOk(await ledger.backend.get(list, seeing(token)));
  const [payment] = body['payments'] as { paymentId: string }[];
  return payment?.paymentId ?? '';
}

const amount = { amountMinor: '400', currency: 'USD' };
const opened = (chargeKey: string, disputeId = 'gw_1'): GatewayNotice => ({
  kind: 'dispute_opened',
  ...{ chargeKey, disputeId, amount },
});
const closed = (chargeKey: string, won: boolean, disputeId = 'gw_1'): GatewayNotice => ({
  kind: 'dispute_closed',
  ...{ chargeKey, disputeId, amount, won },
});

/** The payment's status, and the revision of its stream, by its ETag. */
async function look(paymentId: string): Promise<[string, string | null]> {
  const { body, headers } = await ledger.backend.get(`/sdk/server/payments/${paymentId}`);
  const status = String(body['status']).replace('SUBSCRIPTION_PAYMENT_STATUS_', '');
  return [status, headers.get('etag')];
}

async function untilStatus(paymentId: string, wanted: string): Promise<[string, string | null]> {
  await eventually(async () => (await look(paymentId))[0] === wanted, { what: wanted });
  return look(paymentId);
}

describe('a notice', () => {
  it('is taken in any order, and repeated, with the same end', async () => {
    const paymentId = await pay('any-order');
    requireOk(await send(closed(paymentId, false)));
    const end = await untilStatus(paymentId, 'PARTIALLY_REFUNDED');
    for (const again of [opened(paymentId), closed(paymentId, false), closed(paymentId, true)]) {
      requireOk(await send(again));
    }
    requireOk(await send(opened(paymentId, 'gw_2')));
    const [, etag] = await untilStatus(paymentId, 'DISPUTED');
    // One event more than the two of the first dispute: none was made of the repeated notice.
    expect([end[1], etag]).toEqual(['"3"', '"4"']);
  });

  it('that the gateway did not sign, or not for this app, or long ago, is believed by none', async () => {
    const paymentId = await pay('forged');
    const before = await look(paymentId);
    const notice = opened(paymentId);
    const others = createSandboxNotices({
      keys: () => [Buffer.alloc(32, 1)],
      clock: { now: () => new Date().toISOString() },
    });
    const late = sandbox(new Date(Date.now() - 301_000));
    const body = JSON.stringify(notice);
    const answers = [
      await send(notice, others),
      await send(notice, sandbox(), 'app_00000000000000000000000000'),
      await send(notice, late),
      await post(ledger.appId, body, {}),
      await post(ledger.appId, body, { 'sandbox-signature': 't=1,v1=00' }),
    ];
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([401, 16, 'NOTICE_NOT_VERIFIED']);
    }
    expect(await look(paymentId)).toEqual(before);
  });
});
