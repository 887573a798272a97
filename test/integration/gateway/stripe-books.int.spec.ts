import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deriveId } from '#domain/ids';
import { createStripeBooks, createStripeGateway } from '#gateway/stripe';
import { buildCharge, buildRefund } from '../../contract/gateway/charges.js';
import { SECRET_KEY, startStripeStandIn } from '../../contract/gateway/stripe-stand-in/stand-in.js';

type BooksQuery = Parameters<ReturnType<typeof createStripeBooks>['list']>[0];
type BookedCharge = NonNullable<Awaited<ReturnType<ReturnType<typeof createStripeBooks>['find']>>>;

const appId = 'app_1';
const JANUARY = '2027-01-10T10:00:00.000Z';
const FEBRUARY = '2027-02-10T10:00:00.000Z';
const amount = { amountMinor: '999', currency: 'USD' };
let now = JANUARY;
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;

beforeAll(async () => {
  standIn = await startStripeStandIn(() => Date.parse(now));
});
beforeEach(() => {
  for (const kept of [standIn.intents, standIn.refunds, standIn.disputes]) kept.clear();
  now = JANUARY;
});
afterAll(() => standIn.stop());

/** Stripe's books as reconciliation reads them (rules/stripe 7). */
describe("Stripe's books", () => {
  it('have a charge with its refunds and disputes, and none that is not ours', async () => {
    const charge = await pay('cus_1/pm_card_visa');
    await gateway().refund(buildRefund(charge, 'part', '400'));
    await gateway().refund(buildRefund(charge, 'failed', '100'));
    [...standIn.refunds.values()].at(-1)!.status = 'failed';
    dispute('dp_1', 'lost');
    dispute('dp_2', 'warning_closed');
    dispute('dp_3', 'needs_response');
    await pay('cus_1/pm_card_visa');
    delete [...standIn.intents.values()].at(-1)!.metadata['subledger_key'];
    await pay('cus_1/pm_card_visa');
    [...standIn.intents.values()].at(-1)!.metadata['subledger_app'] = 'app_2';
    const booked = {
      ...{ key: charge.key, reference: charge.reference, amount, status: 'captured' },
      changedAt: JANUARY,
      refunds: [{ key: `${charge.key}.part`, amount: { ...amount, amountMinor: '400' } }],
      disputes: [
        { disputeId: 'dp_3', amount: { ...amount, amountMinor: '500' }, won: null },
        { disputeId: 'dp_1', amount: { ...amount, amountMinor: '500' }, won: false },
      ],
    };
    expect(await list(JANUARY)).toEqual([booked]);
    expect(await books().find(charge)).toEqual(booked);
  });

  it('have the charges since an instant, and those that were refunded or disputed since', async () => {
    const [, refunded, disputed] = [await pay(), await pay(), await pay()];
    const disputedId = [...standIn.intents.keys()].at(-1)!;
    now = FEBRUARY;
    await gateway().refund(buildRefund(refunded, 'whole', '999'));
    dispute('dp_1', 'needs_response', disputedId);
    const made = await pay('cus_1/pm_card_visa_chargeDeclined');
    const keys = (await list(FEBRUARY)).map(({ key }) => key);
    expect(keys).toEqual([made.key, refunded.key, disputed.key]);
  });

  it('are read in pages', async () => {
    for (let charges = 0; charges < 101; charges += 1) await pay();
    expect(new Set((await list(JANUARY)).map(({ key }) => key)).size).toBe(101);
  });

  it('are read for some buckets alone where that is asked for', async () => {
    const ids = ['0f', '10', '1f', '20'].map((bucket) => deriveId('pay', JANUARY, bucket, bucket));
    for (const key of ids) await gateway().charge({ ...buildCharge('cus_1/pm_card_visa'), key });
    const keys = (await list(JANUARY, [{ first: 0x10, last: 0x1f }])).map(({ key }) => key);
    expect(keys).toEqual([ids[2], ids[1]]);
  });

  it('have no charge that never was, and are out of reach where Stripe is', async () => {
    expect(await books().find(buildCharge('cus_1/pm_card_visa'))).toBeUndefined();
    const other = createStripeBooks({ appId, secretKey: 'sk_test_other', apiBase: standIn.url });
    const answer = other.find(buildCharge('cus_1/pm_card_visa'));
    await expect(answer).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});

async function pay(paymentMethod = 'cus_1/pm_card_visa') {
  const charge = buildCharge(paymentMethod);
  await gateway().charge(charge);
  return charge;
}

function dispute(id: string, status: string, intentId = [...standIn.intents.keys()].at(-1)!) {
  const created = Date.parse(now) / 1000;
  const disputed = { amount: 500, currency: 'usd', payment_intent: intentId };
  standIn.disputes.set(id, { id, created, ...disputed, status });
  standIn.intents.get(intentId)!.latest_charge!.disputed = true;
}

async function list(since: string, buckets?: BooksQuery['buckets']) {
  const { signal } = new AbortController();
  const shares: number[] = [];
  const onProgress = (share: number) => void shares.push(share);
  const found: BookedCharge[] = [];
  for await (const page of books().list({ since, buckets, onProgress, signal }))
    found.push(...page);
  expect(shares).toEqual([1 / 3, 2 / 3, 1]);
  return found;
}

const gateway = () => createStripeGateway({ appId, secretKey: SECRET_KEY, apiBase: standIn.url });
const books = () => createStripeBooks({ appId, secretKey: SECRET_KEY, apiBase: standIn.url });
