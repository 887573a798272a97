import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHmac } from 'node:crypto';
import { createStripeGateway, createStripeNotices } from '#gateway/stripe';
import { buildCharge } from '../../contract/gateway/charges.js';
import { SECRET_KEY, startStripeStandIn } from '../../contract/gateway/stripe-stand-in/stand-in.js';

const NOW = Date.parse('2027-01-31T10:00:00.000Z');
const clock = { now: () => new Date(NOW).toISOString() };
const webhookSecret = 'whsec_stand_in';
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;

beforeAll(async () => {
  standIn = await startStripeStandIn(() => NOW);
});
afterAll(() => standIn.stop());

describe("Stripe's signature", () => {
  const body = printEvent('payment_intent.succeeded', buildIntent('succeeded'));

  it('is verified over the bytes as they came', async () => {
    expect(await read(body, sign(body))).toMatchObject({ genuine: true });
    const spaced = Buffer.concat([body, Buffer.from(' ')]);
    expect(await read(spaced, sign(body))).toMatchObject({ genuine: false });
  });

  it.each([
    ['none', undefined],
    ['several', [sign(body), sign(body)]],
    ['malformed', 'v1=00'],
    ['of another secret', sign(body, { secret: 'whsec_other' })],
    ['over 5 minutes old', sign(body, { seconds: NOW / 1000 - 301 })],
    ['over 5 minutes ahead', sign(body, { seconds: NOW / 1000 + 301 })],
  ])('is refused where it is %s', async (_what, header) => {
    expect(await read(body, header)).toEqual({ genuine: false, why: expect.any(String) });
  });

  it('is refused for an app that Stripe does not serve', async () => {
    expect(await read(body, sign(body), 'app_2')).toMatchObject({ genuine: false });
  });
});

describe('The mode of an event', () => {
  it.each([
    ['a test app', false],
    ['a production app', true],
  ])('has to be the one of %s', async (_what, isLive) => {
    for (const livemode of [false, true]) {
      const body = printEvent('payment_intent.succeeded', buildIntent('succeeded'), livemode);
      const { genuine } = await read(body, sign(body), 'app_1', isLive);
      expect([livemode, genuine]).toEqual([livemode, livemode === isLive]);
    }
  });
});

describe("Stripe's events", () => {
  it.each([
    ['payment_intent.succeeded', 'succeeded', 'captured'],
    ['payment_intent.payment_failed', 'requires_payment_method', 'declined'],
    ['payment_intent.canceled', 'canceled', 'declined'],
  ])('%s settles the charge', async (type, status, outcome) => {
    const amount = { amountMinor: '999', currency: 'USD' };
    const settled = { chargeKey: 'pay_1', outcome: { status: outcome }, amount };
    const notice = { kind: 'charge_settled', ...settled };
    expect(await readNotices(type, buildIntent(status))).toMatchObject([notice]);
  });

  it.each([
    ['charge.dispute.created', 'needs_response', { kind: 'dispute_opened' }],
    ['charge.dispute.updated', 'under_review', { kind: 'dispute_opened' }],
    ['charge.dispute.closed', 'won', { kind: 'dispute_closed', won: true }],
    ['charge.dispute.closed', 'lost', { kind: 'dispute_closed', won: false }],
  ])('%s, %s, is a dispute of the charge behind it', async (type, status, notice) => {
    const { key, intentId } = await charge();
    const dispute = buildDispute(status, intentId);
    const amount = { amountMinor: '400', currency: 'USD' };
    const expected = [{ ...notice, chargeKey: key, disputeId: 'dp_1', amount }];
    expect(await readNotices(type, dispute)).toEqual(expected);
  });

  it.each([
    ['more than was paid', { amount: 1050 }],
    ['another currency', { currency: 'eur' }],
  ])('a dispute about %s is about all that was paid', async (_what, difference) => {
    const { intentId } = await charge();
    const dispute = { ...buildDispute('needs_response', intentId), ...difference };
    const amount = { amountMinor: '999', currency: 'USD' };
    expect(await readNotices('charge.dispute.created', dispute)).toMatchObject([{ amount }]);
  });

  it('a refund that has failed says which', async () => {
    const metadata = { subledger_key: 'pay_1.r', subledger_charge_key: 'pay_1' };
    const notice = { kind: 'refund_failed', chargeKey: 'pay_1', refundKey: 'pay_1.r' };
    expect(await readNotices('refund.failed', { status: 'failed', metadata })).toEqual([notice]);
    expect(await readNotices('refund.updated', { status: 'succeeded', metadata })).toEqual([]);
  });

  it('of what is not ours, an inquiry, or anything else, say nothing', async () => {
    const { intentId } = await charge();
    for (const [type, object] of [
      ['payment_intent.succeeded', { ...buildIntent('succeeded'), metadata: {} }],
      ['charge.dispute.created', buildDispute('warning_needs_response', intentId)],
      ['charge.dispute.closed', buildDispute('warning_closed', intentId)],
      ['refund.failed', { status: 'failed', metadata: {} }],
      ['customer.created', { id: 'cus_1' }],
    ] as const) {
      expect(await readNotices(type, object)).toEqual([]);
    }
  });

  it('of another app in the same account say nothing', async () => {
    const { intentId } = await charge('app_2');
    const requests = standIn.requests.length;
    const metadata = { subledger_key: 'pay_1', subledger_app: 'app_2' };
    const refund = { status: 'failed', metadata: { ...metadata, subledger_charge_key: 'pay_1' } };
    const intent = { ...buildIntent('succeeded'), metadata };
    expect(await readNotices('payment_intent.succeeded', intent)).toEqual([]);
    expect(await readNotices('refund.failed', refund)).toEqual([]);
    expect(standIn.requests).toHaveLength(requests);
    const dispute = buildDispute('lost', intentId);
    expect(await readNotices('charge.dispute.closed', dispute)).toEqual([]);
  });

  it('that cannot be looked up are to be sent again', async () => {
    const dispute = buildDispute('needs_response', 'pi_gone');
    const answer = readNotices('charge.dispute.created', dispute);
    await expect(answer).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});

async function charge(
  appId = 'app_1',
): Promise<{ readonly key: string; readonly intentId: string }> {
  const asked = buildCharge('cus_1/pm_card_visa');
  await createStripeGateway({ appId, secretKey: SECRET_KEY, apiBase: standIn.url }).charge(asked);
  return { key: asked.key, intentId: [...standIn.intents.keys()].at(-1)! };
}

function buildIntent(status: string) {
  const error = { code: 'card_declined', decline_code: 'do_not_honor' };
  return {
    id: 'pi_1',
    object: 'payment_intent',
    ...{ status, amount: 999, currency: 'usd' },
    payment_method_types: ['card'],
    latest_charge: 'ch_1',
    last_payment_error: status === 'requires_payment_method' ? error : null,
    metadata: { subledger_key: 'pay_1', subledger_reference: 'sub_1' },
  };
}

function buildDispute(status: string, intentId: string) {
  return { id: 'dp_1', status, amount: 400, currency: 'usd', payment_intent: intentId };
}

function printEvent(type: string, object: object, livemode = false): Buffer {
  const event = { id: 'evt_1', object: 'event', livemode, type, data: { object } };
  return Buffer.from(JSON.stringify(event));
}

/** As Stripe's documentation says, and not by its SDK, which verifies. */
function sign(body: Buffer, { secret = webhookSecret, seconds = NOW / 1000 } = {}): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${mac},v0=00`;
}

async function readNotices(type: string, object: object) {
  const body = printEvent(type, object);
  const reading = await read(body, sign(body));
  return reading.genuine ? reading.notices : undefined;
}

function read(
  body: Buffer,
  signature: string | string[] | undefined,
  appId = 'app_1',
  isLive = false,
) {
  const account = {
    ...{ appId, isLive, secretKey: SECRET_KEY, webhookSecret },
    apiBase: standIn.url,
  };
  const findAccount = async (id: string) => (id === 'app_1' ? account : undefined);
  const notices = createStripeNotices({ findAccount, clock });
  return notices.read({ appId, headers: { 'stripe-signature': signature }, body });
}
