import { expect, it } from '@jest/globals';
import { evolvePaymentSummary } from '#domain/payment';
import { periodCharge } from '../../domain/src/payment/spec-support/period-charge.js';
import { renderPayment } from './payment.js';

const AT = '2027-01-31T10:00:00.000Z';

it.each([
  ['INITIAL', 1, 1],
  ['INITIAL', 1, 3],
  ['RENEWAL', 2, 1],
  ['RENEWAL', 9, 1],
  ['RENEWAL_RETRY', 2, 2],
] as const)(
  'the payment context %s is that of period %i, attempt %i',
  (context, number, attempt) => {
    const amount = { amountMinor: '999', currency: 'USD' };
    const requested = {
      type: 'payment.requested.v1',
      data: {
        paymentId: 'pay_1',
        appId: 'app_1',
        player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
        externalAccountId: 'player-1',
        checkoutLinkId: 'cl_1',
        ...periodCharge({ subscriptionId: 'sub_1', amount, start: AT, number, attempt }),
        paymentMethod: 'pm_ok',
        metadata: {},
        requestedAt: AT,
      },
    } as const;
    const state = evolvePaymentSummary({ status: 'none' }, requested);
    if (state.status === 'none') throw new Error('unreachable');
    const { paymentContext, enrichmentFields } = renderPayment(state);
    expect(paymentContext).toBe(`PAYMENT_CONTEXT_${context}`);
    expect(enrichmentFields.subscriptionId).toBe(context === 'INITIAL' ? '' : 'sub_1');
  },
);
