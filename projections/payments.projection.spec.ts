import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '#domain/payment';
import { periodCharge } from '../libs/domain/src/payment/spec-support/period-charge.js';
import { payments } from './payments.projection.js';
import { listed, projected } from './spec-support/recorded.js';

const REQUESTED = '2026-01-31T10:00:00.000Z';
const amount = { amountMinor: '999', currency: 'USD' };
const requested = (number: number, attempt = 1): PaymentEvent => ({
  type: 'payment.requested.v3',
  data: {
    paymentId: 'id',
    appId: 'app_1',
    player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
    checkoutLinkId: 'link_1',
    ...periodCharge({ subscriptionId: 'sub_1', amount, start: REQUESTED, number, attempt }),
    paymentMethod: 'pm_card',
    personal: {},
    requestedAt: REQUESTED,
  },
});
const method = { paymentMethodSubType: 'visa', issuerBank: 'bank' };
const captured: PaymentEvent = {
  type: 'payment.captured.v1',
  data: { ...method, capturedAt: REQUESTED },
};
const REFUND_ASKED = '2026-02-01T10:00:00.000Z';
const refundAsked: PaymentEvent = {
  type: 'payment.refund_requested.v1',
  data: { refundId: 'ref_1', amount, tax: null, requestedAt: REFUND_ASKED },
};
const refundFailed: PaymentEvent = {
  type: 'payment.refund_failed.v1',
  data: { refundId: 'ref_1', amount, failedAt: REFUND_ASKED },
};
const declined: PaymentEvent = {
  type: 'payment.declined.v1',
  data: {
    ...method,
    reason: 'card_declined',
    declineClass: 'soft',
    rawDeclineCode: '05',
    failedAt: REQUESTED,
  },
};

describe('the read model of payments', () => {
  it('is in the list of its subscription, by the time it was asked for', () => {
    const inList = `of/sub_1 ${REQUESTED} id`;
    expect(listed(payments, [requested(2), captured])).toEqual([inList]);
    expect(listed(payments, [requested(1), captured])).toHaveLength(1);
  });

  it('is among those without an outcome until it has one', () => {
    const score = Date.parse(REQUESTED);
    expect(listed(payments, [requested(2)])).toContain(`pending id ${score}`);
    expect(listed(payments, [requested(2), captured]).join()).not.toContain('pending');
    expect(listed(payments, [requested(2), declined]).join()).not.toContain('pending');
  });

  it('is among those with a refund without an outcome until that has one', () => {
    const score = Date.parse(REFUND_ASKED);
    const asked = [requested(2), captured, refundAsked];
    expect(listed(payments, asked)).toContain(`refunding id ${score}`);
    expect(listed(payments, [...asked, refundFailed]).join()).not.toContain('refunding');
  });

  it('stays in the list when a renewal was declined', () => {
    expect(listed(payments, [requested(2, 2), declined])).toHaveLength(1);
  });

  it('leaves the list when the checkout was declined: nothing was bought', () => {
    expect(listed(payments, [requested(1), declined])).toEqual([]);
    expect(projected(payments, [requested(1), declined])).toMatchObject({
      status: 'FAILED',
      decline: { reason: 'card_declined' },
    });
  });
});
