import { expect, it } from 'vitest';
import { renderRefunds } from './payment-refunds.js';

const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });

it('a payment says what was given back, what failed, what is on its way, and why', () => {
  const tax = usd('64');
  const refunds = renderRefunds({
    paymentId: 'pay_1',
    refundIds: ['ref_1', 'pay_1.unused.3', 'pay_1.unused.9'],
    madeRefunds: [
      { refundId: 'pay_1.unused.9', amount: usd('500'), tax },
      { refundId: 'ref_1', amount: usd('400'), tax: null },
    ],
    openRefunds: [{ refundId: 'ref_2', amount: usd('1'), tax, requestedAt: '' }],
  });
  const [reason, none] = ['unused_credit', ''];
  expect(refunds).toEqual(
    [
      ['ref_1', 'SUCCEEDED', '400', '0', none],
      ['pay_1.unused.3', 'FAILED', '', '', reason],
      ['pay_1.unused.9', 'SUCCEEDED', '500', '64', reason],
      ['ref_2', 'PENDING', '1', '64', none],
    ].map(([refundId, status, amountCents, totalTaxAmountCents, why]) => ({
      ...{ refundId, status, amountCents, totalTaxAmountCents, reason: why },
    })),
  );
});
