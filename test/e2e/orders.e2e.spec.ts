import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, anonymous } from '../support/api-client.js';
import { badFields, errorReason } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import { requireOk } from '../support/scenario.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const ledger = useLedger();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const endpoint = { url: receiver.url, eventTypes: ['*'], accept: '2xx' };
  const path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
  requireOk(await ledger.operator.post(path, endpoint));
});
afterAll(async () => receiver.close());

const LINKS = '/sdk/server/checkout-links';
const ITEMS = [{ id: 'gems', name: 'Gems', quantity: 2, price: '4.99', metadata: { pack: 'big' } }];
const body = (transactionId: string, more: object = {}) => ({
  ...{ transactionId, items: ITEMS, currency: 'USD', user: { id: 'player-1' }, ...more },
});
const link = async (transactionId: string, more: object = {}) =>
  String(requireOk(await ledger.backend.post(LINKS, body(transactionId, more))).body['id']);
const page = () => anonymous(ledger.standalone.baseUrl);
const complete = (linkId: string, sent: object): Promise<Answer> =>
  page().post(`/checkout/${linkId}/complete`, sent);

/** The types that were sent of a transaction, in their order. */
const sent = (transactionId: string) =>
  receiver.received
    .filter(({ bytes }) => bytes.toString().includes(`"transactionId":"${transactionId}"`))
    .map(({ type }) => type);

describe('an order of a payment link', () => {
  it('is declined, paid and told', async () => {
    const linkId = await link('txn-paid');
    const shown = await page().get(`/checkout/${linkId}`);
    expect(shown.text).toContain('$9.98');
    const declined = await complete(linkId, { paymentMethod: 'pm_decline_fraud' });
    expect(errorReason(declined)).toBe('PAYMENT_DECLINED');
    expect(declined.text).toContain('card_declined');
    const paid = requireOk(await complete(linkId, { paymentMethod: 'pm_ok' }));
    expect(paid.body).toMatchObject({ status: 'PAID' });
    await eventually(() => Promise.resolve(sent('txn-paid').length === 2));
    expect(sent('txn-paid')).toEqual(['PURCHASE_FAILED', 'PURCHASE_SUCCEEDED']);
    const headers = { 'x-consistency-token': paid.headers.get('x-consistency-token') ?? '' };
    const found = await ledger.backend.get(`/sdk/server/orders/${String(paid.body['orderId'])}`, {
      headers,
    });
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

  it('names every bad field', async () => {
    const items = [{ ...ITEMS[0], price: '4.999', quantity: 0 }];
    const refused = await ledger.backend.post(LINKS, body('txn-bad', { items }));
    expect(badFields(refused)).toContain('items.0.quantity');
  });

  it('is canceled by its player', async () => {
    const linkId = await link('txn-canceled');
    await page().post(`/checkout/${linkId}/cancel`, {});
    const refused = await complete(linkId, { paymentMethod: 'pm_ok' });
    expect(errorReason(refused)).toBe('ORDER_CANCELED');
    await eventually(() => Promise.resolve(sent('txn-canceled').includes('PURCHASE_FAILED')));
  });

  it('that costs nothing is claimed', async () => {
    const items = [{ ...ITEMS[0], price: '0' }];
    const linkId = await link('txn-free', { items });
    expect(requireOk(await complete(linkId, {})).body).toMatchObject({ status: 'PAID' });
  });
});
