import { beforeAll, describe, expect, it } from 'vitest';
import { badFields, refusal } from '../support/errors.js';
import { eventually } from '../support/eventually.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { buy, createPlan, passTime, requireOk, seeing } from '../support/scenario.js';

const ledger = useLedger();
const receiver = useReceiver(ledger, ['payment.*', 'subscription.*']);

beforeAll(async () => {
  const priced = (code: string, amountCents: string, currency = 'USD') =>
    createPlan(ledger.operator, ledger.appId, { code, prices: [{ currency, amountCents }] });
  await Promise.all([
    priced('platinum', '1999'),
    priced('silver', '499'),
    priced('euro', '1', 'EUR'),
    priced('rich', '14900000'),
    priced('richer', '29900000'),
  ]);
});

async function subscribe(player: string, paymentMethod = 'pm_ok', plan = 'gold') {
  const bought = await buy(ledger.backend, { plan, player, paymentMethod });
  return { ...bought, path: `/sdk/subscriptions/${bought.subscriptionId}` };
}

const change = (path: string, body: object, headers = {}) =>
  ledger.backend.post(`${path}/change-checkout-links`, body, headers);

const complete = (link: string, body: object) =>
  ledger.backend.post(`/checkout/${link}/complete`, body);

/** The webhooks of a subscription, in their order. */
const sent = (subscriptionId: string) =>
  receiver.received
    .filter(({ data }) => [data['id'], data['subscription_id']].includes(subscriptionId))
    .map(({ type }) => type);

describe('a change to a dearer plan', () => {
  it('costs what its preview and its page say, is explained, and is sent', async () => {
    const { path, subscriptionId } = await subscribe('upgrade');
    const key = { 'idempotency-key': 'upgrade-1' };
    const wish = { plan: { code: 'platinum' } };
    const preview = requireOk(await change(path, { ...wish, preview: true }, key));
    // Nothing is made by a preview: its key is free.
    const made = requireOk(await change(path, wish, key));
    expect(made.headers.get('idempotency-replayed')).toBeNull();
    const { id, url } = made.body;
    const page = await (await fetch(String(url))).text();
    expect(page).toContain('Change to Plan platinum');
    expect(page).toContain('Unused time of the present plan');
    const shown = /name="amountCents" value="(\d+)"/.exec(page)?.[1];
    const paid = requireOk(
      await complete(String(id), { paymentMethod: 'pm_ok', amountCents: shown }),
    );
    expect(paid.body).toMatchObject({ subscriptionId, status: 'active' });
    const list = requireOk(await ledger.backend.get(`${path}/payments`, seeing(paid)));
    const [payment] = list.body['payments'] as { paymentId: string; amountCents: string }[];
    expect(payment).toMatchObject({
      paymentContext: 'PAYMENT_CONTEXT_PLAN_CHANGE',
      checkoutLinkId: id,
      status: 'SUBSCRIPTION_PAYMENT_STATUS_SUCCEEDED',
    });
    // It was bought a moment ago: at most a minor unit for the seconds in between.
    const amount = Number(payment?.amountCents);
    expect(Math.abs(amount - Number(preview.body['amountCents']))).toBeLessThanOrEqual(1);
    expect(amount).toBeLessThanOrEqual(Number(shown));
    const one = await ledger.backend.get(`/sdk/server/payments/${payment?.paymentId}`);
    const lines = one.body['lines'] as { kind: string; amountCents: string }[];
    expect(lines.map(({ kind }) => kind)).toEqual(['proration_charge', 'proration_credit']);
    expect(lines.reduce((sum, line) => sum + Number(line.amountCents), 0)).toBe(amount);
    await eventually(() => Promise.resolve(sent(subscriptionId).length === 4));
    expect(sent(subscriptionId).slice(2)).toEqual(['payment.succeeded', 'subscription.updated']);
    // A click that is repeated gets the subscription.
    expect((await complete(String(id), { paymentMethod: 'pm_ok' })).status).toBe(200);
    expect((await (await fetch(String(url))).text()).includes('data-state="completed"')).toBe(true);
  });
});

describe('a change to a cheaper plan', () => {
  it('needs no page, happens when the period is over, and answers a repeated request alike', async () => {
    const { path, subscriptionId } = await subscribe('downgrade');
    const { current_period_end: end } = (await ledger.backend.get(path)).body;
    const body = { plan: { code: 'silver' } };
    expect((await change(path, { ...body, preview: true })).body).toEqual({
      ...{ lines: [], amountCents: '0', effectiveAt: end },
    });
    const key = { 'idempotency-key': 'downgrade-1' };
    expect(requireOk(await change(path, body, key)).body).toEqual({ effectiveAt: end });
    const replayed = requireOk(await change(path, body, key));
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body).toEqual({ effectiveAt: end });
    await passTime(ledger.operator, ledger.appId, 32 * 86_400_000);
    await eventually(() => Promise.resolve(sent(subscriptionId).length === 5));
    expect(sent(subscriptionId).slice(2)).toEqual([
      'subscription.updated',
      'payment.succeeded',
      'subscription.payment_succeeded',
    ]);
  });
});

it('a change that waits is dropped by asking for the present plan', async () => {
  const { path } = await subscribe('dropped');
  requireOk(await change(path, { plan: { code: 'silver' } }));
  const body = { plan: { code: 'gold' } };
  const preview = requireOk(await change(path, { ...body, preview: true }));
  expect(preview.body).toMatchObject({ lines: [], amountCents: '0' });
  const key = { 'idempotency-key': 'drop-1' };
  const dropped = requireOk(await change(path, body, key));
  expect(dropped.body).toEqual({ effectiveAt: expect.any(String) });
  expect(requireOk(await change(path, body, key)).body).toEqual(dropped.body);
  expect(refusal(await change(path, body))).toEqual([400, 9, 'PLAN_UNCHANGED']);
});

it('what cannot be had is refused, each with its reason', async () => {
  const { path } = await subscribe('refused');
  expect(refusal(await change(path, { plan: { code: 'gold' } }))).toEqual([
    400,
    9,
    'PLAN_UNCHANGED',
  ]);
  expect(badFields(await change(path, { plan: { code: 'euro' } }))).toEqual(['plan']);
  expect(badFields(await change(path, { amountCents: '1' }))).toEqual(['amountCents']);
  expect(badFields(await change(path, { plan: { code: 'silver' }, restartPeriod: true }))).toEqual([
    'restartPeriod',
  ]);
  expect((await change('/sdk/subscriptions/sub_none', {})).status).toBe(404);
});
