import { describe, expect, it } from '@jest/globals';
import type { PaymentContext, PaymentEvent } from '#domain/payment';
import { payments } from './payments.projection.js';
import { listed, projected } from './spec-support/recorded.js';

const REQUESTED = '2026-01-31T10:00:00.000Z';
const requested = (context: PaymentContext): PaymentEvent => ({
  type: 'payment.requested.v1',
  data: {
    paymentId: 'id',
    appId: 'app_1',
    externalAccountId: 'ann',
    subscriptionId: 'sub_1',
    checkoutLinkId: 'link_1',
    amount: { amountMinor: '999', currency: 'USD' },
    tax: null,
    taxInclusive: false,
    context,
    paymentMethod: 'pm_card',
    dueAt: '2026-01-01T00:00:00.000Z',
    attempt: 1,
    metadata: {},
    requestedAt: REQUESTED,
  },
});
const method = { paymentMethodSubType: 'visa', issuerBank: 'bank' };
const captured: PaymentEvent = {
  type: 'payment.captured.v1',
  data: { ...method, capturedAt: REQUESTED },
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
    expect(listed(payments, [requested('RENEWAL')])).toEqual([`payments/sub_1 ${REQUESTED} id`]);
    expect(listed(payments, [requested('INITIAL'), captured])).toHaveLength(1);
  });

  it('stays in the list when a renewal was declined', () => {
    expect(listed(payments, [requested('RENEWAL_RETRY'), declined])).toHaveLength(1);
  });

  it('leaves the list when the checkout was declined: nothing was bought', () => {
    expect(listed(payments, [requested('INITIAL'), declined])).toEqual([]);
    expect(projected(payments, [requested('INITIAL'), declined])).toMatchObject({
      status: 'FAILED',
      decline: { reason: 'card_declined' },
    });
  });
});
