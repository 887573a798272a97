import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, anonymous } from '../support/api-client.js';
import { errorReason } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { passTime, requireOk, seeing } from '../support/scenario.js';
import { openShop } from '../support/shop-client.js';

const ledger = useLedger();
const receiver = useReceiver(ledger);

const LINKS = '/sdk/server/checkout-links';
const ITEMS = [{ id: 'gems', name: 'Gems', quantity: 2, price: '4.99', metadata: { pack: 'big' } }];
const body = (transactionId: string, more: object = {}) => ({
  ...{ transactionId, items: ITEMS, currency: 'USD', user: { id: 'player-1' }, ...more },
});
const link = async (transactionId: string, more: object = {}) =>
  String(requireOk(await ledger.backend.post(LINKS, body(transactionId, more))).body['id']);
/** All that players were answered: pages, data, and where they were led. */
const answers: string[] = [];
const note = <A extends Pick<Answer, 'text' | 'headers'>>(answer: A): A => {
  answers.push(answer.text, JSON.stringify([...answer.headers]));
  return answer;
};
const page = () => {
  const client = anonymous(ledger.standalone.baseUrl);
  return {
    get: async (path: string) => note(await client.get(path)),
    post: async (path: string, sent: object) => note(await client.post(path, sent)),
  };
};
const complete = (linkId: string, sent: object): Promise<Answer> =>
  page().post(`/checkout/${linkId}/complete`, sent);

const having = (text: string) =>
  receiver.received.filter(({ bytes }) => bytes.includes(text)).map(({ type }) => type);
const sent = (transactionId: string) => having(`"transactionId":"${transactionId}"`);

describe('an order of a payment link', () => {
  it('is declined, paid and told', async () => {
    const linkId = await link('txn-paid');
    const shown = await page().get(`/checkout/${linkId}`);
    expect(shown.text).toContain('$9.98');
    const declined = await complete(linkId, { paymentMethod: 'pm_decline_fraud' });
    expect(errorReason(declined)).toBe('PAYMENT_DECLINED');
    expect(declined.text).toContain('card_declined');
    expect(declined.text).not.toContain('fraud');
    const paid = requireOk(await complete(linkId, { paymentMethod: 'pm_ok' }));
    expect(paid.body).toMatchObject({ status: 'PAID' });
    const purchase = 'CREATE_PAYMENT_INTENT,PURCHASE_FAILED,PURCHASE_SUCCEEDED';
    await eventually(() => Promise.resolve(sent('txn-paid').join() === purchase));
    const order = `/sdk/server/orders/${String(paid.body['orderId'])}`;
    const found = await ledger.backend.get(order, seeing(paid));
    expect(requireOk(found).body).toMatchObject({
      ...{ transactionId: 'txn-paid', status: 'PAID', total: '9.98', tax: '0.00' },
      ...{ userId: 'player-1', source: 'ServicePay', checkoutLinkId: linkId },
    });
  });

  it('is one for a transaction, whatever the key, and refused with another body', async () => {
    const linkId = await link('txn-once');
    expect(await link('txn-once')).toBe(linkId);
    const other = await ledger.backend.post(LINKS, body('txn-once', { language: 'de' }));
    expect(errorReason(other)).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is canceled by its player', async () => {
    const linkId = await link('txn-canceled');
    await page().post(`/checkout/${linkId}/cancel`, {});
    const refused = await complete(linkId, { paymentMethod: 'pm_ok' });
    expect(errorReason(refused)).toBe('ORDER_CANCELED');
    await eventually(() => Promise.resolve(sent('txn-canceled').includes('PURCHASE_FAILED')));
  });

  it.each(['pm_pending', 'pm_timeout'])('is paid by %s, whose outcome is late', async (method) => {
    const linkId = await link(`txn-${method}`);
    // It is answered once the bank has, or after ten seconds without.
    await eventually(
      async () => (await complete(linkId, { paymentMethod: method })).body['status'] === 'PAID',
    );
    await eventually(() => Promise.resolve(sent(`txn-${method}`).includes('PURCHASE_SUCCEEDED')));
  });

  it('that costs nothing is claimed', async () => {
    const items = [{ ...ITEMS[0], price: '0' }];
    const linkId = await link('txn-free', { items });
    expect(requireOk(await complete(linkId, {})).body).toMatchObject({ status: 'PAID' });
  });
});

/** rules/orders 3 */
describe('the money of an order', () => {
  const buy = async (transactionId: string) => {
    const { body, headers } = requireOk(
      await complete(await link(transactionId), { paymentMethod: 'pm_ok' }),
    );
    const orderId = String(body['orderId']);
    const order = await orderAs(orderId, headers.get('x-consistency-token') ?? '');
    return { orderId, paymentId: String(order['paymentId']) };
  };
  const orderAs = async (orderId: string, token: string) => {
    const headers = token === '' ? {} : { 'x-consistency-token': token };
    return requireOk(await ledger.backend.get(`/sdk/server/orders/${orderId}`, { headers })).body;
  };
  const untilStatus = (orderId: string, status: string) =>
    eventually(async () => (await orderAs(orderId, ''))['status'] === status, { what: status });
  const refund = (paymentId: string, body = {}) =>
    ledger.backend.post(`/sdk/server/payments/${paymentId}/refunds`, body);
  const refunded = (transactionId: string) =>
    receiver.received
      .map(({ bytes }) => JSON.parse(bytes.toString()) as { type: string; eventData: object })
      .filter(({ type }) => type === 'PURCHASE_REFUNDED')
      .map(({ eventData }) => eventData as Record<string, unknown>)
      .filter((data) => data['transactionId'] === transactionId)
      .map((data) => [data['refundedAmount'], data['totalRefunded'], data['isFullRefund']]);

  it('is given back in part, then wholly, and never more', async () => {
    const { orderId, paymentId } = await buy('txn-refund');
    requireOk(await refund(paymentId, { amountCents: '400' }));
    await untilStatus(orderId, 'PARTIALLY_REFUNDED');
    requireOk(await refund(paymentId));
    await untilStatus(orderId, 'REFUNDED');
    expect(errorReason(await refund(paymentId))).toBe('PAYMENT_NOT_REFUNDABLE');
    await eventually(() => Promise.resolve(refunded('txn-refund').length === 2));
    expect(refunded('txn-refund')).toEqual([
      ['4.00', '4.00', false],
      ['5.98', '9.98', true],
    ]);
  });
});

/** rules/orders 5 and lifecycle 9; its app's clock is ahead from here on. */
describe('an order that is not paid', () => {
  const passHours = (hours: number) => passTime(ledger.operator, ledger.appId, hours * 3_600_000);
  const failed = (transactionId: string) =>
    receiver.received
      .filter(({ bytes }) => bytes.includes(`"transactionId":"${transactionId}"`))
      .map(({ bytes }) => JSON.parse(bytes.toString()) as { eventData?: { reason?: string } })
      .flatMap(({ eventData }) => eventData?.reason ?? []);

  const untilAttempted = (linkId: string) =>
    eventually(async () => !(await page().get(`/checkout/${linkId}`)).text.includes('"open"'));

  it('ends by itself, though its page is only previewed, and not before', async () => {
    await link('txn-expired');
    const unseen = await link('txn-unseen', { user: { id: 'unseen' } });
    const url = `${ledger.standalone.baseUrl}/checkout/${unseen}`;
    for (const method of ['HEAD', 'GET']) await fetch(url, { method });
    await passHours(23);
    expect(failed('txn-expired')).toEqual([]);
    await passHours(2);
    await eventually(async () => failed('txn-expired').length + sent('txn-unseen').length === 2);
    expect(having('"userId":"unseen"')).toEqual(['PURCHASE_FAILED']);
    expect(failed('txn-expired')).toEqual(['expired']);
  });

  it('waits for a charge without an outcome, which is given up first', async () => {
    const linkId = await link('txn-given-up');
    const paying = complete(linkId, { paymentMethod: 'pm_unavailable' });
    await untilAttempted(linkId);
    await passHours(25);
    await eventually(() => Promise.resolve(failed('txn-given-up').length === 2));
    expect(failed('txn-given-up')).toEqual(['issuer_unavailable', 'expired']);
    expect(errorReason(await paying)).toBe('PAYMENT_DECLINED');
  });

  it('has taken the outcome of its charge once the clock has moved', async () => {
    const linkId = await link('txn-clock');
    const paying = complete(linkId, { paymentMethod: 'pm_timeout' });
    await untilAttempted(linkId);
    await passHours(1);
    const shown = (await page().get(`/checkout/${linkId}`)).text;
    expect(shown).toContain('data-state="completed"');
    requireOk(await paying);
  });
});

/** The requests of browsers without a script, and their answers. */
async function sendForm(linkId: string, what: string, fields: Record<string, string>) {
  const url = `${ledger.standalone.demo.storefrontUrl}/checkout/${linkId}/${what}`;
  const form = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' } as const;
  const answer = await fetch(url, form);
  const { status, headers } = answer;
  return note({ status, headers, text: await answer.text() });
}

/** The list of a player's orders, as a page and as data. */
async function lookAtOrders(player: string): Promise<string> {
  const visit = await openShop(ledger.backend, player);
  const { text } = note(await visit.orders());
  const headers = { accept: 'text/html', cookie: visit.cookie };
  const shown = await fetch(`${ledger.standalone.demo.storefrontUrl}/shop/orders`, { headers });
  note({ headers: shown.headers, text: await shown.text() });
  return text;
}

/** rules/orders 2: it is for the studio alone. The answers to players in the tests above are looked through, too. */
describe('why an order was not paid', () => {
  const REASONS = [
    ...['fraud_suspected', 'insufficient_funds', 'canceled_by_player'],
    ...['issuer_unavailable', 'expired'],
  ];
  /** Names of cards to try and of a page's state are none; "expired" is a word that texts have, and a value of no field. */
  const listReasons = (text: string) => {
    const told = text.replaceAll(/pm_decline_\w+|data-state="expired"/g, '');
    return REASONS.filter((reason) =>
      told.includes(reason === 'expired' ? JSON.stringify(reason) : reason),
    );
  };

  it('stands in the webhooks, and in no page, answer or log that its player could see', async () => {
    const user = { id: 'declined-player' };
    const linkId = await link('txn-reason', { user });
    const readState = async (id: string) => {
      const { text } = await page().get(`/checkout/${id}`);
      return /data-state="(\w+)"/.exec(text)?.[1];
    };
    const form = { paymentMethod: 'pm_decline_fraud', attemptKey: 'form-1' };
    expect(await readState(linkId)).toBe('open');
    expect((await sendForm(linkId, 'pay', form)).status).toBe(303);
    expect(await readState(linkId)).toBe('declined');
    const again = await complete(linkId, { paymentMethod: 'pm_decline_insufficient_funds' });
    expect(errorReason(again)).toBe('PAYMENT_DECLINED');
    expect(await readState(linkId)).toBe('declined');
    expect((await sendForm(linkId, 'cancel', {})).status).toBe(303);
    for (const id of [linkId, await link('txn-expired'), await link('txn-given-up')]) {
      expect(await readState(id)).toBe('expired');
      await complete(id, { paymentMethod: 'pm_ok' });
    }
    expect(await lookAtOrders(user.id)).toContain('CANCELED');
    expect(await lookAtOrders('player-1')).toContain('FAILED');
    const bodies = () => receiver.received.map(({ bytes }) => bytes.toString()).join();
    await eventually(() => listReasons(bodies()).length === REASONS.length);
    expect(answers.filter((text) => listReasons(text).length > 0)).toEqual([]);
    const logs = path.join(ledger.standalone.dataDir, 'logs');
    for (const file of await readdir(logs)) {
      const lines = (await readFile(path.join(logs, file), 'utf8')).split('\n');
      expect(lines.filter((line) => listReasons(line).length > 0)).toEqual([]);
    }
  });
});
