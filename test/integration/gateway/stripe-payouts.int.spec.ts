import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseStripeRow } from '#domain/settlement';
import { createStripeGateway, readStripePayout } from '#gateway/stripe';
import { buildCharge, buildRefund } from '../../contract/gateway/charges.js';
import { SECRET_KEY, startStripeStandIn } from '../../contract/gateway/stripe-stand-in/stand-in.js';

const appId = 'app_1';
const JANUARY = '2027-01-10T10:00:00.000Z';
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;

beforeAll(async () => {
  standIn = await startStripeStandIn(() => Date.parse(JANUARY));
});
beforeEach(() => {
  const { intents, refunds, payouts, transactions } = standIn;
  for (const kept of [intents, refunds, payouts, transactions]) kept.clear();
});
afterAll(() => standIn.stop());

const account = () => ({ secretKey: SECRET_KEY, apiBase: standIn.url });
const NEVER = new AbortController().signal;
const read = (id: string) => readStripePayout(account(), id, NEVER);

const gateway = () => createStripeGateway({ ...account(), appId });

/** The rows of a payout by Stripe's API (rules/stripe 10). */
describe('a payout at Stripe', () => {
  it('has rows in the columns of a report, which name our payment and refund', async () => {
    const charge = buildCharge('cus_1/pm_card_visa');
    await gateway().charge(charge);
    const refund = buildRefund(charge, 'part', '400');
    await gateway().refund(refund);
    standIn.payOut('po_1');
    const rows = (await read('po_1')) ?? [];
    const parsed = rows.map((cells, index) => parseStripeRow(cells, index + 1, 'UTC'));
    const at = { createdAt: JANUARY, currency: 'USD', charged: null };
    const payout = { payoutId: 'po_1', effectiveOn: '2027-01-11' };
    expect(parsed).toEqual([
      expect.objectContaining({
        row: expect.objectContaining({
          ...{ ...at, category: 'refund', grossMinor: '-400', feeMinor: '0', netMinor: '-400' },
          ...{ paymentId: charge.key, refundId: refund.key, sourceId: 're_1' },
        }),
        payout,
      }),
      expect.objectContaining({
        row: expect.objectContaining({
          ...{ ...at, category: 'charge', grossMinor: '999', feeMinor: '59', netMinor: '940' },
          ...{ paymentId: charge.key, refundId: '', paymentIntentId: 'pi_1' },
          availableOn: '2027-01-11',
        }),
        payout,
        appId,
      }),
      expect.objectContaining({
        row: expect.objectContaining({
          ...{ ...at, category: 'payout', grossMinor: '-540', sourceId: 'po_1', paymentId: '' },
        }),
        payout: null,
      }),
    ]);
  });

  it("has the player's amount where it is in another currency, signed as the row", async () => {
    await gateway().charge(buildCharge('cus_1/pm_card_visa'));
    standIn.payOut('po_1');
    const [made] = [...standIn.transactions.values()];
    const inYen = { ...made!, currency: 'jpy', amount: 1503, fee: 89, net: 1414 };
    standIn.transactions.set(inYen.id, inYen);
    const rows = (await read('po_1')) ?? [];
    expect(rows[0]).toMatchObject({
      ...{ currency: 'jpy', gross: '1503', fee: '89', net: '1414' },
      ...{ customer_facing_currency: 'usd', customer_facing_amount: '9.99' },
    });
  });

  it('is read page by page, and is none where the account has no such one', async () => {
    for (let made = 0; made < 101; made += 1) {
      await gateway().charge(buildCharge('cus_1/pm_card_visa'));
    }
    standIn.payOut('po_1');
    expect(await read('po_1')).toHaveLength(102);
    expect(await read('po_2')).toBeUndefined();
  });
});
