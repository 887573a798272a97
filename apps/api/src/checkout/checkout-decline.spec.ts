import { describe, expect, it } from '@jest/globals';
import type { CheckoutAttempt, CreatedCheckoutLink } from '#domain/checkout-link';
import type { Decline } from '#domain/payment';
import { declineOf } from './checkout-decline.js';

const DECLINED: Decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' };
const GIVEN_BACK = { reason: 'issuer_unavailable', declineClass: 'soft' };

function attemptOf(paymentId: string, decline: Decline | null = null): CheckoutAttempt {
  return { paymentId, decline } as CheckoutAttempt;
}

/** Two attempts, the first of which was replaced by the second. */
function link(more: Partial<CreatedCheckoutLink>): CreatedCheckoutLink {
  const attempts = [attemptOf('pay_1'), attemptOf('pay_2')];
  const state = { status: 'attempting', attempts, paidBy: null, latePaymentIds: [], ...more };
  return state as unknown as CreatedCheckoutLink;
}

/** What becomes of a replaced attempt, in the order in which it happens (rules/payments 3). */
describe('a replaced attempt', () => {
  const late = { latePaymentIds: ['pay_1'] };

  it('is open while the other one is', () => {
    expect(declineOf(link({}), 1)).toBeNull();
  });

  it('is declined when it is given back before the link is paid', () => {
    expect(declineOf(link(late), 1)).toEqual(GIVEN_BACK);
    expect(declineOf(link({ ...late, status: 'open' }), 1)).toEqual(GIVEN_BACK);
    expect(declineOf(link(late), 2)).toBeNull();
  });

  it.each([
    ['paid', { paidBy: 'pay_2' }],
    ['completed', { paidBy: 'pay_2', status: 'completed' }],
    ['completed, in streams of older releases', { status: 'completed' }],
  ] as const)('is no longer declined when the link is %s', (_, paid) => {
    expect(declineOf(link(paid), 1)).toBeNull();
    expect(declineOf(link({ ...late, ...paid }), 1)).toBeNull();
  });

  it('keeps the decline that the bank gave, whatever comes later', () => {
    const attempts = [attemptOf('pay_1', DECLINED), attemptOf('pay_2')];
    const paid = { status: 'completed', paidBy: 'pay_2' } as const;
    expect(declineOf(link({ attempts }), 1)).toMatchObject(DECLINED);
    expect(declineOf(link({ attempts, ...late, ...paid }), 1)).toMatchObject(DECLINED);
  });
});
