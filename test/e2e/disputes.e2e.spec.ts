import { beforeAll, describe, expect, it } from 'vitest';
import { badFields, refusal } from '../support/errors.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { buy, requireOk, seeing, tokenIn } from '../support/scenario.js';

/** Disputes of payments of the sandbox, opened and closed as a card network would (rules/payments 14). */
const ledger = useLedger();
const receiver = useReceiver(ledger, ['dispute.*', 'payment.refunded', 'subscription.expired']);
let disputes: string;

beforeAll(async () => {
  disputes = `/manage/apps/${ledger.appId}/sandbox/disputes`;
});

type Bought = Awaited<ReturnType<typeof buy>>;

/** Buys the plan for 9.99 USD. @returns the payment's id, as the list of the subscription has it. */
async function pay(player: string): Promise<string> {
  return findPayment(await buy(ledger.backend, { plan: 'gold', player }));
}

async function findPayment({ subscriptionId, token }: Bought): Promise<string> {
  const path = `/sdk/subscriptions/${subscriptionId}/payments`;
  const [payment] = requireOk(await ledger.backend.get(path, seeing(token))).body['payments'] as {
    paymentId: string;
  }[];
  return payment?.paymentId ?? '';
}

const open = (body: object, headers = {}) => ledger.operator.post(disputes, body, headers);
const close = (id: unknown, won: unknown, headers = {}) =>
  ledger.operator.post(`${disputes}/${String(id)}/close`, { won }, headers);

/** The payment's status once a read shows the write of an answer. */
async function statusAfter(paymentId: string, token: string): Promise<string> {
  const path = `/sdk/server/payments/${paymentId}`;
  const { body } = requireOk(await ledger.backend.get(path, seeing(token)));
  expect(body['succeeded']).toBe(true);
  return String(body['status']).replace('SUBSCRIPTION_PAYMENT_STATUS_', '');
}

const sent = (paymentId: string) =>
  receiver.received
    .filter(({ data }) => data['id'] === paymentId)
    .map(({ type, data }) => [type, data['total_disputed'] ?? data['total_refunded'], data['won']]);

describe('a dispute', () => {
  it('holds refunds off, and leaves the payment as it was when it is won', async () => {
    const paymentId = await pay('won');
    requireOk(
      await ledger.backend.post(`/sdk/server/payments/${paymentId}/refunds`, {
        amountCents: '400',
      }),
    );
    const opened = requireOk(await open({ paymentId }));
    expect(await statusAfter(paymentId, tokenIn(opened))).toBe('DISPUTED');
    const refund = await ledger.backend.post(`/sdk/server/payments/${paymentId}/refunds`);
    expect(refusal(refund)).toEqual([400, 9, 'PAYMENT_NOT_REFUNDABLE']);
    const closed = requireOk(await close(opened.body['disputeId'], true));
    expect(closed.body).toEqual({ disputeId: opened.body['disputeId'], won: true });
    expect(await statusAfter(paymentId, tokenIn(closed))).toBe('PARTIALLY_REFUNDED');
    await receiver.until(() => sent(paymentId).length === 3);
    expect(sent(paymentId)).toEqual([
      ['payment.refunded', '4.00', undefined],
      ['dispute.opened', '5.99', undefined],
      ['dispute.closed', '5.99', true],
    ]);
  });
});

describe('a lost dispute in an app that ends subscriptions with it', () => {
  const configure = (body: object) =>
    ledger.operator.send('PATCH', `/manage/apps/${ledger.appId}`, { body });

  it('ends the subscription at once, and its message tells why', async () => {
    const bad = await configure({ onLostDispute: 'cancel' });
    expect(badFields(bad)).toEqual(['onLostDispute']);
    const configured = requireOk(await configure({ onLostDispute: 'end' }));
    expect(configured.body['onLostDispute']).toBe('end');
    const bought = await buy(ledger.backend, { plan: 'gold', player: 'ends' });
    const opened = requireOk(await open({ paymentId: await findPayment(bought) }));
    requireOk(await close(opened.body['disputeId'], false));
    const messages = () =>
      receiver.received.filter(({ data }) => data['id'] === bought.subscriptionId);
    await receiver.until(() => messages().length === 1);
    expect(messages()).toMatchObject([
      { type: 'subscription.expired', data: { status: 'expired', reason: 'dispute_lost' } },
    ]);
    const again = await ledger.backend.post(`/sdk/subscriptions/${bought.subscriptionId}/cancel`);
    expect(refusal(again)).toEqual([400, 9, 'SUBSCRIPTION_EXPIRED']);
  });

  it('is answered when the subscription has ended, so that its token shows that, also of many', async () => {
    const players = Array.from({ length: 8 }, (_, index) => `ends-${String(index)}`);
    const statuses = players.map(async (player) => {
      const bought = await buy(ledger.backend, { plan: 'gold', player });
      const opened = requireOk(await open({ paymentId: await findPayment(bought) }));
      const lost = requireOk(await close(opened.body['disputeId'], false));
      const path = `/sdk/subscriptions/${bought.subscriptionId}`;
      return requireOk(await ledger.backend.get(path, seeing(lost))).body['status'];
    });
    expect(await Promise.all(statuses)).toEqual(players.map(() => 'expired'));
  });
});
