import { expect, it } from 'vitest';
import { subledger } from '../cli/subledger.js';
import { useLedger } from '../support/fixture.js';
import { buy, paymentLink, requireOk, seeing } from '../support/scenario.js';

const ledger = useLedger();
const run = (...args: string[]) => subledger(args, {});

interface Shown {
  readonly events: readonly unknown[];
  readonly player: string;
}

/** The same, as the API answers operators. */
async function showOverHttp(id: string, paymentId: string, shown: Shown): Promise<void> {
  const { operator, appId } = ledger;
  const app = `/manage/apps/${appId}`;
  const { events, player } = shown;
  const payment = requireOk(await operator.get(`${app}/payments/${paymentId}/timeline`)).body;
  expect(payment).toMatchObject({
    ...{ events, player },
    payment: { paymentId, amountCents: '999', lines: [{ kind: 'recurring', amountCents: '999' }] },
  });
  const told = requireOk(await operator.get(`${app}/subscriptions/${id}/timeline`)).body;
  expect(told).toMatchObject({
    ...{ player, next: { why: 'the next period is charged: 9.99 USD' } },
    subscription: { id, status: 'active', external_account_id: 'shown' },
    events: [{ revision: 0, type: 'subscription.created.v2' }, {}],
  });
  const created = await ledger.allApps.post('/manage/apps', { name: 'o', environment: 'test' });
  const other = `/manage/apps/${String(requireOk(created).body['appId'])}`;
  for (const path of [`subscriptions/${id}/timeline`, `payments/${paymentId}/timeline`]) {
    // Another app's object is none, and so is an unknown one.
    for (const at of [`${other}/${path}`, `${app}/${path.replace(/_\w+/, '_none')}`]) {
      expect((await ledger.allApps.get(at)).status).toBe(404);
    }
    expect((await ledger.backend.get(`${app}/${path}`)).status).toBe(403);
  }
  expect((await ledger.allApps.post(`${other}/payments/${paymentId}/refunds`, {})).status).toBe(
    404,
  );
}

it('tells what has happened to a subscription and its payment, and what comes next', async () => {
  const bought = await buy(ledger.backend, { plan: 'gold', player: 'shown' });
  const { subscriptionId: id } = bought;
  const list = await ledger.backend.get(`/sdk/subscriptions/${id}/payments`, seeing(bought.token));
  const [{ paymentId = '' } = {}] = list.body['payments'] as { paymentId?: string }[];
  await ledger.backend.post(`/sdk/server/payments/${paymentId}/refunds`, { amountCents: '100' });
  const there = ['--data-dir', ledger.standalone.dataDir];
  const shown = await run('subscriptions', 'show', id, ...there);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(
    /^sub_\w+: active, plan plan_\w+, 9\.99 USD every 1 month\nNext: \S+Z, the next period is charged: 9\.99 USD\.\n/,
  );
  expect(shown.stdout).toMatch(
    /\n0 +\S+Z +process:\S+ +bought plan \w+ for 9\.99 USD, paid until \S+Z\n/,
  );
  const payment = await run('payments', 'show', paymentId, '--json', ...there);
  expect(JSON.parse(payment.stdout)).toMatchObject({
    ...{ paymentId, status: 'PARTIALLY_REFUNDED' },
    lines: [{ kind: 'recurring', amount: { amountMinor: '999' } }],
    events: [
      { what: expect.stringContaining(`for period 1 of ${id}, attempt 1, by pm_ok`) },
      { what: 'captured' },
      { what: expect.stringMatching(/^refund ref_\w+ of 1\.00 USD is asked for$/), by: 'app' },
      { what: expect.stringMatching(/^1\.00 USD given back as ref_/) },
    ],
  });
  await showOverHttp(id, paymentId, JSON.parse(payment.stdout) as Shown);
  for (const what of ['subscriptions', 'payments', 'orders']) {
    const none = await run(what, 'show', 'no_such', ...there);
    expect(none).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no_such'),
    });
  }
});

it('tells what has happened to an order and to its payment', async () => {
  const items = [{ id: 'gems', name: 'Gems', quantity: 2, price: '4.99' }];
  const { id } = await paymentLink(ledger.backend, { player: 'shown', items });
  const path = `/checkout/${id}/complete`;
  const { body, headers } = await ledger.backend.post(path, { paymentMethod: 'pm_ok' });
  const there = ['--data-dir', ledger.standalone.dataDir];
  const shown = await run('orders', 'show', String(body['orderId']), ...there);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^ord_\w+: PAID, 9\.98 USD\nNext: nothing\.\n/);
  const [paymentId = ''] = /pay_\w+/.exec(shown.stdout) ?? [];
  const payment = await run('payments', 'show', paymentId, ...there);
  expect(payment.stdout).toContain(`for order ${String(body['orderId'])}, attempt 1, by pm_ok`);
  const token = { 'x-consistency-token': headers.get('x-consistency-token') ?? '' };
  const read = await ledger.backend.get(`/sdk/server/payments/${paymentId}`, { headers: token });
  expect(read.body).toMatchObject({
    ...{ amountCents: '998', paymentContext: 'PAYMENT_CONTEXT_UNSPECIFIED', succeeded: true },
    ...{ checkoutLinkId: id, enrichmentFields: { externalAccountId: 'shown' } },
    lines: [{ kind: 'item', amountCents: '998' }],
  });
});
