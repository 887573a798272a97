import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveId } from '#domain/ids';
import type { Difference, Reconciliation } from '#gateway';
import { SECRET_KEY, startStripeStandIn } from '../contract/gateway/stripe-stand-in/stand-in.js';
import { openDocument } from '../contract/http/openapi-document.js';
import { recordExample } from '../contract/http/recorded-examples.js';
import { anonymous } from '../support/api-client.js';
import { subledger } from '../cli/subledger.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/fixture.js';
import {
  advanceTo,
  checkoutLink,
  createPlan,
  paymentLink,
  requireOk,
  seeing,
} from '../support/scenario.js';

/** The whole product with an app that is set to Stripe, for which a stand-in answers (rules/stripe). */
const ledger = useLedger();
const webhookSecret = `whsec_${'4712'.repeat(5)}`;
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;

beforeAll(async () => {
  standIn = await startStripeStandIn(Date.now, ledger.standalone.stripePort);
  const prices = [{ currency: 'USD', amountCents: '0' }];
  await createPlan(operator(), appId(), { code: 'free', prices });
  requireOk(await set({ kind: 'stripe', secretKey: SECRET_KEY, webhookSecret }));
});
afterAll(() => standIn.stop());

const appId = () => ledger.appId;
const operator = () => ledger.operator;
const backend = () => ledger.backend;
const set = (gateway: object) =>
  operator().send('PATCH', `/manage/apps/${appId()}`, { body: { gateway } });
const makeLink = (player: string, plan = 'gold') => checkoutLink(backend(), { plan, player });

async function go(address: string, fields?: Readonly<Record<string, string>>) {
  const form = fields && { method: 'POST', body: new URLSearchParams(fields) };
  const answer = await fetch(address, { ...form, redirect: 'manual' });
  return { status: answer.status, to: answer.headers.get('location') ?? '', answer };
}

/** The player goes to the gateway's page. @returns its address. */
async function beginCard(url: string, attemptKey: string = crypto.randomUUID()): Promise<string> {
  const { status, to } = await go(`${url}/card`, { attemptKey });
  expect(status).toBe(303);
  return to;
}

/** ... enters a card there, and is led back. @returns the address of the way back. */
async function enterCard(url: string, card = 'pm_card_visa'): Promise<string> {
  const { status, to } = await go(await beginCard(url), { payment_method: card });
  expect(status).toBe(303);
  return to;
}

async function readPage(url: string): Promise<string> {
  return (await fetch(url)).text();
}

const captured = () =>
  [...standIn.intents.values()].reduce((sum, { amount_received }) => sum + amount_received, 0);

/** Buys the plan, and finds its payment at Stripe. */
async function pay(player: string) {
  const link = await makeLink(player);
  const back = await enterCard(link.url);
  expect(await go(back)).toMatchObject({ status: 303, to: `/checkout/${link.id}` });
  expect(await readPage(link.url)).toContain('data-state="completed"');
  const intent = [...standIn.intents.values()].at(-1);
  if (intent === undefined) throw new Error('nothing was charged');
  return { back, link, intent, paymentId: intent.metadata['subledger_key'] ?? '' };
}

/** Waits until the payment is shown so: the read model may be behind. */
async function expectStatus(paymentId: string, status: string): Promise<void> {
  const wanted = `SUBSCRIPTION_PAYMENT_STATUS_${status}`;
  const isShown = async () =>
    (await backend().get(`/sdk/server/payments/${paymentId}`)).body['status'] === wanted;
  await eventually(isShown, { what: wanted });
}

describe('an app that is set to Stripe', () => {
  it('is paid by a card that is entered on the page at Stripe, once', async () => {
    const { url } = await makeLink('player-1');
    const { answer } = await go(url);
    const html = await answer.text();
    expect(html).toContain('/card"');
    expect(html).not.toMatch(/pm_ok|type="radio"/);
    expect(answer.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${standIn.url.origin}`,
    );
    const before = captured();
    const { back, intent } = await pay('player-2');
    expect(intent).toMatchObject({ amount: 999, payment_method: 'pm_card_visa' });
    // A browser that goes back in its history comes back once more.
    expect((await go(back)).status).toBe(303);
    expect(captured() - before).toBe(999);
  });

  it('leads the same form to the same page, and is declined as any card is', async () => {
    const { url } = await makeLink('player-3');
    const page = await beginCard(url, 'key-1');
    expect(await beginCard(url, 'key-1')).toBe(page);
    await go(await enterCard(url, 'pm_card_visa_chargeDeclined'));
    expect(await readPage(url)).toContain('data-state="declined"');
    await go(await enterCard(url));
    expect(await readPage(url)).toContain('data-state="completed"');
  });

  it('takes the card of an order there, with what its page has shown and asked', async () => {
    const items = [{ id: 'gems', name: 'Gems', quantity: 2, price: '4.99' }];
    const order = { player: 'player-6', items, transactionId: 'txn-stripe' };
    const { url } = await paymentLink(backend(), order);
    expect(await readPage(url)).toMatch(/action="[^"]+\/card"/);
    const form = { attemptKey: 'order-1', amountCents: '998', emailMarketingOptIn: 'true' };
    const before = captured();
    const { to: page } = await go(`${url}/card`, form);
    const { to: back } = await go(page, { payment_method: 'pm_card_visa' });
    expect(await go(back)).toMatchObject({ status: 303, to: new URL(url).pathname });
    expect(await readPage(url)).toContain('data-state="completed"');
    expect((await go(back)).status).toBe(303);
    expect(captured() - before).toBe(998);
  });

  it('hears what Stripe tells at the address of the app, signed by its secret alone', async () => {
    const { intent, paymentId } = await pay('player-6');
    const dispute = {
      ...{ id: 'dp_1', object: 'dispute', payment_intent: intent.id, status: 'lost' },
      ...{ amount: 999, currency: 'usd', created: Math.floor(Date.now() / 1000) },
    };
    const body = JSON.stringify({
      ...{ id: 'evt_1', object: 'event', livemode: false, type: 'charge.dispute.closed' },
      data: { object: dispute },
    });
    const send = (secret: string, to = appId()) => {
      const seconds = Math.floor(Date.now() / 1000);
      const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      const headers = { 'stripe-signature': `t=${seconds},v1=${mac}` };
      const path = `/gateways/stripe/${to}/notices`;
      return anonymous(ledger.standalone.baseUrl).send('POST', path, { body, headers });
    };
    expect((await send(`${webhookSecret}x`)).status).toBe(401);
    expect((await send(webhookSecret, 'app_0000000000000000')).status).toBe(401);
    await expectStatus(paymentId, 'SUCCEEDED');
    requireOk(await send(webhookSecret));
    await expectStatus(paymentId, 'REFUNDED');
  });

  it('has its books compared with the payments that it took', async () => {
    const { intent, paymentId } = await pay('player-9');
    const created = Math.floor(Date.now() / 1000) - 10;
    const since = new Date(created * 1000).toISOString();
    const unknown = deriveId('pay', since, '3f', 'unknown');
    const made = standIn.intents.get(intent.id)!;
    const metadata = { ...made.metadata, subledger_key: unknown };
    const latest_charge = { ...made.latest_charge!, created };
    standIn.intents.set('pi_0', { ...made, id: 'pi_0', created, metadata, latest_charge });
    const args = ['payments', 'reconcile', '--data-dir', ledger.standalone.dataDir, '--json'];
    const about = ['--since', since, '--settled-for', '1'];
    const { stdout } = await subledger([...args, ...about], {
      STRIPE_STAND_IN: standIn.url.origin,
    });
    const { differences, unread } = JSON.parse(stdout) as Reconciliation & {
      readonly differences: readonly Difference[];
    };
    const named = [unknown, paymentId];
    const found = differences.filter((each) => named.includes(each.paymentId));
    expect(found.map((each) => [each.paymentId, each.kind])).toEqual([
      [unknown, 'charge_not_in_ledger'],
    ]);
    expect(unread.filter((each) => JSON.stringify(each).includes(appId()))).toEqual([]);
    standIn.intents.delete('pi_0');
    const nothing = [...args, '--since', '9998-01-01T00:00:00Z'];
    const { code, stderr } = await subledger(nothing, { STRIPE_STAND_IN: 'http://127.0.0.1:1' });
    const details = [expect.stringContaining(`stripe of ${appId()}: Stripe`)];
    const error = { kind: 'unreachable', reason: 'BOOKS_UNREAD', details };
    expect([code, JSON.parse(stderr)]).toEqual([3, { error: expect.objectContaining(error) }]);
  });

  it('is not asked for 0, which it does not take: a free plan is bought, and one changed to renews', async () => {
    const { url } = await makeLink('player-10', 'free');
    await go(await enterCard(url));
    expect(await readPage(url)).toContain('data-state="completed"');
    const { link } = await pay('player-11');
    const paid = requireOk(await backend().post(`/checkout/${link.id}/complete`, {}));
    const path = `/sdk/subscriptions/${String(paid.body['subscriptionId'])}`;
    const { body } = requireOk(await backend().get(path, seeing(paid)));
    const change = { plan: { code: 'free' } };
    requireOk(await backend().post(`${path}/change-checkout-links`, change));
    const token = await advanceTo(operator(), appId(), String(body['current_period_end']));
    const after = { headers: { 'x-consistency-token': token } };
    expect(requireOk(await backend().get(path, after)).body).toMatchObject({ status: 'active' });
    const { payments } = requireOk(await backend().get(`${path}/payments`, after)).body;
    expect(payments).toMatchObject([
      { amountCents: '0', status: 'SUBSCRIPTION_PAYMENT_STATUS_SUCCEEDED' },
      { amountCents: '999' },
    ]);
  });

  it('pays out, and its rows are imported by its API once, by the command or over HTTP', async () => {
    const { paymentId } = await pay('player-12');
    standIn.payOut('po_1');
    const there = ['--data-dir', ledger.standalone.dataDir, '--app', appId(), '--json'];
    const run = async (...args: string[]) => {
      const at = { STRIPE_STAND_IN: standIn.url.origin };
      const { code, stdout } = await subledger(['finance', ...args, ...there], at);
      return { code, answer: JSON.parse(stdout || '{}') as Record<string, unknown> };
    };
    const first = await run('import', 'stripe', '--payout', 'po_1');
    const rows = standIn.transactions.size + 1;
    expect(first).toMatchObject({ code: 0, answer: { rows, imported: rows, differing: [] } });
    const path = `/manage/apps/${appId()}/finance/import/stripe`;
    const again = requireOk(await operator().post(`${path}/po_1`, {}));
    expect(again.body).toMatchObject({ rows, imported: 0, noted: 0, known: rows, differing: [] });
    const document = await openDocument(ledger.standalone.baseUrl);
    recordExample(document.check('POST', `${path}/po_1`, again), { body: {} }, again);
    const { answer } = await run('reconcile', '--payout', 'po_1');
    const compared = answer['rows'] as Readonly<Record<string, string>>[];
    expect(compared).toContainEqual(
      expect.objectContaining({ paymentId, category: 'charge', state: 'agrees' }),
    );
    expect(compared.at(-1)).toMatchObject({ category: 'payout', state: 'agrees' });
    expect((await run('import', 'stripe', '--payout', 'po_none')).code).toBe(1);
    expect((await run('import', 'stripe')).code).toBe(2);
    expect((await run('import', 'stripe', 'file.csv', '--payout', 'po_1')).code).toBe(2);
  });

  it('is called by a new key as soon as it has one, and keeps Stripe for what that took', async () => {
    const { paymentId, intent } = await pay('player-7');
    standIn.secretKey = `${SECRET_KEY}Newer`;
    requireOk(await set({ kind: 'stripe', secretKey: standIn.secretKey, webhookSecret }));
    const { url } = await makeLink('player-8');
    const isCalled = async () => (await beginCard(url)).startsWith(standIn.url.origin);
    await eventually(isCalled, { what: 'the new key' });
    await pay('player-8');
    requireOk(await set({ kind: 'sandbox' }));
    requireOk(await backend().post(`/sdk/server/payments/${paymentId}/refunds`, {}));
    const isRefunded = async () => {
      const refunds = [...standIn.refunds.values()];
      return refunds.some(({ payment_intent }) => payment_intent === intent.id);
    };
    await eventually(isRefunded, { what: 'the refund at Stripe' });
  });
});
