import { beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/errors.js';
import { useLedger, useReceiver } from '../support/fixture.js';
import { buy, createPlan, passTime, requireOk, seeing } from '../support/scenario.js';

/** Paid time that a change does not use up goes back to the card that paid for it (rules/payments 20). */
const ledger = useLedger();
const receiver = useReceiver(ledger, ['v2']);

beforeAll(async () => {
  await createPlan(ledger.operator, ledger.appId, {
    ...{ code: 'weekly', billingPeriodUnit: 'week' },
    prices: [{ currency: 'USD', amountCents: '499' }],
  });
});

const wish = { plan: { code: 'weekly' }, restartPeriod: true, unusedCredit: 'refund' };
const NOT_REFUNDABLE = [400, 9, 'UNUSED_CREDIT_NOT_REFUNDABLE'];

/** Buys a month for 9.99. */
async function subscribe(player: string) {
  const { subscriptionId, token } = await buy(ledger.backend, { plan: 'gold', player });
  const path = `/sdk/subscriptions/${subscriptionId}`;
  const list = requireOk(await ledger.backend.get(`${path}/payments`, seeing(token)));
  const [payment] = list.body['payments'] as { paymentId: string }[];
  return { subscriptionId, path, paymentId: payment?.paymentId ?? '' };
}

const change = (path: string, more: object = {}) =>
  ledger.backend.post(`${path}/change-checkout-links`, { ...wish, ...more });

const complete = (link: unknown, body: object = {}) =>
  ledger.backend.post(`/checkout/${String(link)}/complete`, { paymentMethod: 'pm_ok', ...body });

const dispute = (paymentId: string) =>
  ledger.operator.post(`/manage/apps/${ledger.appId}/sandbox/disputes`, { paymentId });

async function readPage(url: unknown) {
  const page = await (await fetch(String(url))).text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`, 'u').exec(page)?.[1];
  return { page, shown: { amountCents: field('amountCents'), quotedAt: field('quotedAt') } };
}

const toMajor = (cents: number) => (cents / 100).toFixed(2);

/** The payment and the subscription are as they were. */
async function expectUnchanged(
  { path, paymentId }: Awaited<ReturnType<typeof subscribe>>,
  status: string,
) {
  const { body } = await ledger.backend.get(`/sdk/server/payments/${paymentId}`);
  expect(body['status']).toBe(`SUBSCRIPTION_PAYMENT_STATUS_${status}`);
  expect((await ledger.backend.get(path)).body).toMatchObject({ period: { unit: 'month' } });
}

describe('a change that gives unused time back', () => {
  it('shows what goes back before the click, and gives it back once', async () => {
    const { path, subscriptionId, paymentId } = await subscribe('given-back');
    const preview = requireOk(await change(path, { preview: true })).body;
    const lines = preview['lines'] as { kind: string; amountCents: string }[];
    const last = lines.at(-1);
    expect(preview).toMatchObject({ amountCents: '0', refundAmountCents: last?.amountCents });
    expect(last?.kind).toBe('credit_refunded');
    const { id, url } = requireOk(await change(path)).body;
    const { page, shown } = await readPage(url);
    const [, cents] = /Refunded to the card that paid<[^$]*\$(\d+\.\d\d)/u.exec(page) ?? [];
    // Some seconds have passed: at most a minor unit.
    expect(Math.abs(Number(cents) * 100 - Number(last?.amountCents))).toBeLessThanOrEqual(1);
    const changed = requireOk(await complete(id, shown));
    // A click that is repeated gives nothing more.
    expect((await complete(id, shown)).status).toBe(200);
    await receiver.until(() => receiver.typesSentFor(paymentId).includes('payment.refunded'));
    const [, refunded] = receiver.sentFor(paymentId);
    expect(refunded?.data).toMatchObject({
      ...{ subscription_id: subscriptionId, total_refunded: cents },
      refund_reason: 'unused_credit',
    });
    expect((await ledger.backend.get(path, seeing(changed))).body).toMatchObject({
      ...{ status: 'active', period: { unit: 'week' } },
    });
    const { refunds } = (await ledger.backend.get(`/sdk/server/payments/${paymentId}`)).body;
    const amountCents = String(cents).replace('.', '');
    expect(refunds).toMatchObject([{ status: 'SUCCEEDED', amountCents, reason: 'unused_credit' }]);
    // The rest by the gateway's own books.
    requireOk(await dispute(paymentId));
    await receiver.until(() => receiver.typesSentFor(paymentId).includes('dispute.opened'));
    const disputed = receiver.sentFor(paymentId).at(-1)?.data;
    expect(disputed?.['total_disputed']).toBe(toMajor(999 - Number(cents) * 100));
    expect(receiver.typesSentFor(subscriptionId).slice(2)).toEqual([
      ...['subscription.updated', 'payment.refunded', 'dispute.opened'],
    ]);
  });

  it('is not had by a page that no longer holds: less would go back', async () => {
    const { path } = await subscribe('old-page');
    const { id, url } = requireOk(await change(path)).body;
    const { shown } = await readPage(url);
    await passTime(ledger.operator, ledger.appId, 960_000);
    expect(refusal(await complete(id, shown))).toEqual([400, 9, 'AMOUNT_CHANGED']);
    requireOk(await complete(id, (await readPage(url)).shown));
  });
});

describe('a payment that cannot give it back', () => {
  it.each([
    [
      'was given back',
      'PARTIALLY_REFUNDED',
      async (id: string) =>
        ledger.backend.post(`/sdk/server/payments/${id}/refunds`, { amountCents: '600' }),
    ],
    ['is disputed', 'DISPUTED', dispute],
  ])('refuses the change before anything happens, where it %s', async (name, status, spoil) => {
    const bought = await subscribe(`cannot-${name}`);
    const { path, paymentId } = bought;
    const { id, url } = requireOk(await change(path)).body;
    const { shown } = await readPage(url);
    requireOk(await spoil(paymentId));
    for (const answer of [
      await change(path, { preview: true }),
      await change(path),
      await complete(id, shown),
    ]) {
      expect(refusal(answer)).toEqual(NOT_REFUNDABLE);
      const [{ metadata }] = answer.body['details'] as [{ metadata: Record<string, string> }];
      expect(metadata['currency']).toBe('USD');
      expect(Math.abs(Number(metadata['amountCents']) - 500)).toBeLessThanOrEqual(1);
    }
    expect((await readPage(url)).page).not.toContain('<form');
    await expectUnchanged(bought, status);
    requireOk(await change(path, { unusedCredit: 'forfeit' }));
  });

  it('and that is disputed at the very moment of the click loses nothing without a word', async () => {
    const players = Array.from({ length: 6 }, (_, n) => `race-${n}`);
    await Promise.all(
      players.map(async (player) => {
        const bought = await subscribe(player);
        const { subscriptionId, paymentId, path } = bought;
        const { id } = requireOk(await change(path)).body;
        const [click] = await Promise.all([complete(id), dispute(paymentId)]);
        await receiver.until(() => receiver.typesSentFor(paymentId).includes('dispute.opened'));
        if (click.status !== 200) {
          expect(refusal(click)).toEqual(NOT_REFUNDABLE);
          await expectUnchanged(bought, 'DISPUTED');
          return;
        }
        const listTold = () =>
          receiver
            .sentFor(subscriptionId)
            .filter(({ type, data }) => type === 'payment.refunded' || 'refund_failed' in data);
        await receiver.until(() => listTold().length > 0);
        const status = listTold()[0]?.type === 'payment.refunded' ? 'SUCCEEDED' : 'FAILED';
        const { refunds } = (await ledger.backend.get(`/sdk/server/payments/${paymentId}`)).body;
        expect(refunds).toMatchObject([{ status, reason: 'unused_credit' }]);
        const { body } = await ledger.backend.get(path);
        expect(body).toMatchObject({ status: 'active', period: { unit: 'week' } });
      }),
    );
  });
});
