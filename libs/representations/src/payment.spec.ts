import { expect, it } from 'vitest';
import fc from 'fast-check';
import { evolvePaymentSummary, type PaymentSummary } from '#domain/payment';
import { periodCharge } from '../../domain/src/payment/spec-support/period-charge.js';
import { printPayment } from './payment.js';

const AT = '2027-01-31T10:00:00.000Z';

function requested(number: number, attempt: number) {
  const amount = { amountMinor: '999', currency: 'USD' };
  const state = evolvePaymentSummary(
    { status: 'none' },
    {
      type: 'payment.requested.v3',
      data: {
        paymentId: 'pay_1',
        appId: 'app_1',
        player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
        checkoutLinkId: 'cl_1',
        ...periodCharge({ subscriptionId: 'sub_1', amount, start: AT, number, attempt }),
        paymentMethod: 'pm_ok',
        personal: {},
        requestedAt: AT,
      },
    },
  );
  if (state.status === 'none') throw new Error('unreachable');
  return state;
}

/** The JSON as a reader parses it. */
function read(state: PaymentSummary, accountId = 'player-1') {
  const json = printPayment(state, { accountId });
  const object = JSON.parse(json) as {
    paymentContext: string;
    enrichmentFields: Record<string, string>;
  };
  expect(json).toBe(JSON.stringify(object));
  return object;
}

it.each([
  ['INITIAL', 1, 1],
  ['INITIAL', 1, 3],
  ['RENEWAL', 2, 1],
  ['RENEWAL', 9, 1],
  ['RENEWAL_RETRY', 2, 2],
] as const)(
  'the payment context %s is that of period %i, attempt %i',
  (context, number, attempt) => {
    const { paymentContext, enrichmentFields } = read(requested(number, attempt));
    expect(paymentContext).toBe(`PAYMENT_CONTEXT_${context}`);
    expect(enrichmentFields['subscriptionId']).toBe(context === 'INITIAL' ? '' : 'sub_1');
  },
);

it("others' texts come out as they are, whatever they hold", () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constant('"\\\n\ud800\u2028'),
  );
  fc.assert(
    fc.property(text, text, text, text, (account, code, subType, bank) => {
      const payment = {
        ...requested(2, 1),
        decline: { reason: 'unknown', declineClass: 'soft', rawDeclineCode: code },
        method: { paymentMethodSubType: subType, issuerBank: bank },
      } as const;
      const { enrichmentFields } = read(payment, account);
      expect(enrichmentFields).toMatchObject({
        ...{ externalAccountId: account, rawDeclineCode: code },
        ...{ paymentMethodSubType: subType, issuerBank: bank },
      });
    }),
  );
});
