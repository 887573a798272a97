import { describe, expect, it } from 'vitest';
import type { CheckoutAttempt, CreatedCheckoutLink } from '#domain/checkout-link';
import type { Decline } from '#domain/payment';
import { findDecline } from './await-outcome.handler.js';

const DECLINED: Decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' };
const GIVEN_BACK = { reason: 'issuer_unavailable', declineClass: 'soft' };

function makeAttempt(paymentId: string, decline: Decline | null = null): CheckoutAttempt {
  return { paymentId, decline } as CheckoutAttempt;
}

/** Two attempts, the first of which was replaced by the second. */
function link(more: Partial<CreatedCheckoutLink>): CreatedCheckoutLink {
  const attempts = [makeAttempt('pay_1'), makeAttempt('pay_2')];
  const state = { status: 'attempting', attempts, paidBy: null, latePaymentIds: [], ...more };
  return state as unknown as CreatedCheckoutLink;
}

/** The events of a replaced attempt, in their order (rules/payments 3). */
describe('a replaced attempt', () => {
  const late = { latePaymentIds: ['pay_1'] };

  it('is open while the other one is', () => {
    expect(findDecline(link({}), 1)).toBeNull();
  });

  it('is declined when it is given back before the link is paid', () => {
    expect(findDecline(link(late), 1)).toEqual(GIVEN_BACK);
    expect(findDecline(link({ ...late, status: 'open' }), 1)).toEqual(GIVEN_BACK);
    expect(findDecline(link(late), 2)).toBeNull();
  });

  it.each([
    ['paid', { paidBy: 'pay_2' }],
    ['completed', { paidBy: 'pay_2', status: 'completed' }],
  ] as const)('is no longer declined when the link is %s', (_, paid) => {
    expect(findDecline(link(paid), 1)).toBeNull();
    expect(findDecline(link({ ...late, ...paid }), 1)).toBeNull();
  });

  it('keeps the decline that the bank gave, whatever comes later', () => {
    const attempts = [makeAttempt('pay_1', DECLINED), makeAttempt('pay_2')];
    const paid = { status: 'completed', paidBy: 'pay_2' } as const;
    expect(findDecline(link({ attempts }), 1)).toMatchObject(DECLINED);
    expect(findDecline(link({ attempts, ...late, ...paid }), 1)).toMatchObject(DECLINED);
  });
});
