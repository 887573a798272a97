import type { SubscriptionEvent } from '#domain/subscription';

export const CREATED = '2026-01-31T10:00:00.000Z';
export const DUE = '2026-02-28T10:00:00.000Z';
export const created: SubscriptionEvent = {
  type: 'subscription.created.v2',
  data: {
    subscriptionId: 'id',
    appId: 'app_1',
    player: 'ann',
    planId: 'plan_1',
    price: { amountMinor: '999', currency: 'USD' },
    period: { unit: 'month', value: 1 },
    trial: null,
    paymentMethod: 'pm_card',
    checkoutLinkId: 'link_1',
    regionCode: 'US',
    personal: {},
    createdAt: CREATED,
    billingAnchor: CREATED,
    currentPeriodEnd: DUE,
    trialEnd: null,
    initialPayment: { paymentId: 'pay_1', paymentRevision: 1 },
  },
};
const GRACE_END = '2026-03-02T10:00:00.000Z';
export const requested: SubscriptionEvent = {
  type: 'subscription.renewal_requested.v1',
  data: {
    paymentId: 'pay_2',
    period: { number: 2, start: DUE, end: '2026-03-31T10:00:00.000Z' },
    attempt: 1,
    amount: { amountMinor: '999', currency: 'USD' },
    requestedAt: DUE,
    graceEndsAt: GRACE_END,
  },
};
export const expired: SubscriptionEvent = {
  type: 'subscription.expired.v1',
  data: { cause: 'period_ended', expiredAt: DUE, canceledAt: null },
};
