import { describe, expect, it } from 'vitest';
import { type Answer } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { buy, requireOk, seeing, tokenIn } from '../support/scenario.js';

const ledger = useLedger();
const receiver = useReceiver(ledger, ['payment.refunded']);

/** Buys the plan for 9.99 USD. @returns the path of its payment, as the list of the subscription has it. */
async function pay(player: string): Promise<string> {
  const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player });
  const list = await ledger.backend.get(
    `/sdk/subscriptions/${subscriptionId}/payments`,
    seeing(token),
  );
  const [payment] = requireOk(list).body['payments'] as { paymentId: string }[];
  return `/sdk/server/payments/${payment?.paymentId}`;
}

const refund = (path: string, body: object = {}, headers = {}) =>
  ledger.backend.post(`${path}/refunds`, body, headers);

/** Asks again while others change the payment at the same time. */
async function untilDecided(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  return answer.status === 409 ? untilDecided(ask) : answer;
}

/** The refunded amounts in a payment's webhooks so far, in their order. */
const totals = (path: string) =>
  receiver.received
    .filter(({ data }) => path.endsWith(String(data['id'])))
    .map(({ data }) => data['total_refunded']);

describe('a refund', () => {
  it('in parts adds up, is answered as the payment then is, and is sent', async () => {
    const path = await pay('in-parts');
    const part = requireOk(await refund(path, { amountCents: '400' }));
    expect(part.body).toMatchObject({
      status: 'SUBSCRIPTION_PAYMENT_STATUS_PARTIALLY_REFUNDED',
      succeeded: true,
      amountCents: '999',
    });
    const rest = requireOk(await refund(path));
    expect(rest.body).toMatchObject({ status: 'SUBSCRIPTION_PAYMENT_STATUS_REFUNDED' });
    expect((await ledger.backend.get(path, seeing(rest))).body).toMatchObject(rest.body);
    await eventually(() => Promise.resolve(totals(path).length === 2));
    expect(totals(path)).toEqual(['4.00', '9.99']);
  });

  it('under one key is made once, and answered as it was also after another one', async () => {
    const path = await pay('one-key');
    const key = { 'idempotency-key': 'refund-1' };
    const first = requireOk(await refund(path, { amountCents: '100' }, key));
    const other = requireOk(await refund(path, { amountCents: '200' }));
    const again = requireOk(await refund(path, { amountCents: '100' }, key));
    expect([again.body, tokenIn(again)]).toEqual([first.body, tokenIn(first)]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const { headers } = await ledger.backend.get(path, seeing(other));
    expect(headers.get('etag')).toBe(other.headers.get('etag'));
    expect(refusal(await refund(path, { amountCents: '101' }, key))).toEqual([
      409,
      10,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  });

  it('by an operator is the same, and its event says who it was', async () => {
    const path = await pay('by-operator');
    const managed = path.replace('/sdk/server', `/manage/apps/${ledger.appId}`);
    const key = { 'idempotency-key': 'refund-by-operator' };
    const ask = (amountCents: string) =>
      ledger.operator.post(`${managed}/refunds`, { amountCents }, key);
    const first = requireOk(await ask('400'));
    expect(first.body).toMatchObject({ status: 'SUBSCRIPTION_PAYMENT_STATUS_PARTIALLY_REFUNDED' });
    expect((await ask('400')).headers.get('idempotency-replayed')).toBe('true');
    expect(refusal(await ask('401'))).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
    const other = await ledger.operator.post(`${managed}/refunds`, { amountCents: '600' });
    expect(refusal(other)).toEqual([400, 9, 'REFUND_EXCEEDS_REMAINING']);
    const { body } = requireOk(await ledger.operator.get(`${managed}/timeline`));
    const asked = (body['events'] as { by: string; type: string }[]).filter(
      ({ type }) => type === 'payment.refund_requested.v1',
    );
    expect(asked).toEqual([expect.objectContaining({ by: expect.stringMatching(/^operator/) })]);
  });

  it('above what is left is refused, also of many at once', async () => {
    const path = await pay('at-once');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => untilDecided(() => refund(path, { amountCents: '300' }))),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe(3);
    for (const answer of refused) {
      expect(refusal(answer)).toEqual([400, 9, 'REFUND_EXCEEDS_REMAINING']);
    }
    await refund(path);
    expect(refusal(await refund(path))).toEqual([400, 9, 'PAYMENT_NOT_REFUNDABLE']);
    await eventually(() => Promise.resolve(totals(path).length === 4));
    expect(totals(path).at(-1)).toBe('9.99');
  });
});
