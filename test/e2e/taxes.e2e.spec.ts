import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/fixture.js';
import { knowPrices, putTaxRates } from '../support/prices.js';
import { checkoutLink, later, passTime } from '../support/scenario.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

const ledger = useLedger();

const rates = (newYork: string) => ({
  rates: [
    { country: 'DE', rate: '0.19', inclusive: true },
    { country: 'US', region: 'NY', rate: newYork, inclusive: false },
  ],
});

interface ListedPayment {
  readonly paymentId: string;
  readonly amountCents: string;
  readonly totalTaxAmountCents: string;
  readonly taxInclusive: boolean;
}

async function buyIn(player: string, regionCode: string) {
  const link = await checkoutLink(ledger.backend, { plan: 'gold', player, regionCode });
  const page = await (await fetch(link.url)).text();
  const pay = await ledger.backend.post(`/checkout/${link.id}/complete`, {
    paymentMethod: 'pm_ok',
  });
  return { page, subscriptionId: String(pay.body['subscriptionId']) };
}

async function listPayments(subscriptionId: string, token = ''): Promise<unknown[][]> {
  const headers: Record<string, string> = token === '' ? {} : { 'x-consistency-token': token };
  const path = `/sdk/subscriptions/${subscriptionId}/payments`;
  const { body } = await ledger.backend.get(path, { headers });
  return (body['payments'] as ListedPayment[])
    .map((one) => [one.amountCents, one.totalTaxAmountCents, one.taxInclusive])
    .reverse();
}

/** The lines of the newest payment: the price that was bought, and the rates that came later. */
async function expectLines(subscriptionId: string): Promise<void> {
  const { body } = await ledger.backend.get(`/sdk/subscriptions/${subscriptionId}/payments`);
  const [newest] = body['payments'] as ListedPayment[];
  const found = await ledger.backend.get(`/sdk/server/payments/${newest?.paymentId}`);
  const lines = found.body['lines'] as Record<string, Record<string, unknown>>[];
  expect(lines).toMatchObject([
    { kind: 'recurring', amountCents: '999', price: { amountCents: '999' }, tax: null },
    { kind: 'tax', amountCents: '100', tax: { rate: '0.1', ratesVersion: 2, inclusive: false } },
  ]);
  const { body: subscription } = await ledger.backend.get(`/sdk/subscriptions/${subscriptionId}`);
  for (const { covers, price } of lines) {
    expect(covers?.['end']).toBe(subscription['current_period_end']);
    expect(price?.['lockedAt']).toBe(subscription['created_at']);
  }
}

describe('tax on what a player pays', () => {
  it('follows the region of the checkout link, and the rate in force on each due date', async () => {
    const receiver = await startWebhookReceiver();
    const endpoint = { url: receiver.url, eventTypes: ['payment.*'] };
    await ledger.operator.post(`/manage/apps/${ledger.appId}/webhook-endpoints`, endpoint);
    const untaxed = await buyIn('player-before', 'US-NY');
    const taxed = await putTaxRates(ledger.operator, ledger.appId, rates('0.08875'));
    await knowPrices(ledger.backend, taxed);
    const inclusive = await buyIn('player-de', 'DE');
    const exclusive = await buyIn('player-ny', 'US-NY');
    const elsewhere = await buyIn('player-fr', 'FR');

    expect(inclusive.page).toContain('<dt>Tax included</dt><dd>$1.60</dd>');
    expect(inclusive.page).toContain('Pay $9.99');
    expect(exclusive.page).toContain(
      '<dt>Tax</dt><dd>$0.89</dd><dt class="total">Due today</dt><dd class="total">$10.88</dd>',
    );
    expect(exclusive.page).toContain('Pay $10.88');
    expect(elsewhere.page).not.toContain('Tax');

    const { operator, appId } = ledger;
    const effectiveFrom = await later(operator, appId, 40 * 86_400_000);
    const raised = { ...rates('0.1'), effectiveFrom };
    expect((await putTaxRates(operator, appId, raised)).status).toBe(200);
    const token = await passTime(operator, appId, 65 * 86_400_000);

    const none = ['999', '0', false];
    const before = ['1088', '89', false];
    const after = ['1099', '100', false];
    expect(await listPayments(inclusive.subscriptionId, token)).toEqual(
      Array.from({ length: 3 }, () => ['999', '160', true]),
    );
    expect(await listPayments(exclusive.subscriptionId)).toEqual([before, before, after]);
    await expectLines(exclusive.subscriptionId);
    expect(await listPayments(untaxed.subscriptionId)).toEqual([none, before, after]);
    expect(await listPayments(elsewhere.subscriptionId)).toEqual([none, none, none]);

    await receiver.until((received) => received.length === 12);
    const told = receiver.received
      .map(({ data }) => [data['total'], data['tax'] ?? 'none'].join(' '))
      .sort();
    expect(told).toEqual([
      ...['10.88 0.89', '10.88 0.89', '10.88 0.89', '10.99 1.00', '10.99 1.00'],
      ...['9.99 1.60', '9.99 1.60', '9.99 1.60'],
      ...['9.99 none', '9.99 none', '9.99 none', '9.99 none'],
    ]);
    await receiver.close();
  });
});
