import { describe, expect, it } from '@jest/globals';
import type { SubscriptionEvent } from '#domain/subscription';
import { listed, projected } from './spec-support/recorded.js';
import { subscriptions } from './subscriptions.projection.js';

const CREATED = '2026-01-31T10:00:00.000Z';
const DUE = '2026-02-28T10:00:00.000Z';
const created: SubscriptionEvent = {
  type: 'subscription.created.v1',
  data: {
    subscriptionId: 'id',
    appId: 'app_1',
    player: 'ann',
    externalAccountId: 'player-1',
    planId: 'plan_1',
    price: { amountMinor: '999', currency: 'USD' },
    period: { unit: 'month', value: 1 },
    trial: null,
    paymentMethod: 'pm_card',
    checkoutLinkId: 'link_1',
    regionCode: 'US',
    referenceId: '',
    metadata: {},
    createdAt: CREATED,
    billingAnchor: CREATED,
    currentPeriodEnd: DUE,
    trialEnd: null,
    initialPayment: { paymentId: 'pay_1', paymentEvent: { id: 'captured', revision: 1 } },
  },
};
const GRACE_END = '2026-03-02T10:00:00.000Z';
const requested: SubscriptionEvent = {
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
const expired: SubscriptionEvent = {
  type: 'subscription.expired.v1',
  data: { cause: 'period_ended', expiredAt: DUE, canceledAt: null },
};

describe('the read model of subscriptions', () => {
  it('is listed by app and by player, in any status and in its own', () => {
    expect(listed(subscriptions, [created])).toEqual([
      `subscriptions/app_1// ${CREATED} id`,
      `subscriptions/app_1//active ${CREATED} id`,
      `subscriptions/app_1/ann/ ${CREATED} id`,
      `subscriptions/app_1/ann/active ${CREATED} id`,
      `due-dates/app_1 id ${Date.parse(DUE)}`,
    ]);
  });

  it('has no due date while a charge is on its way, nor after the end', () => {
    expect(listed(subscriptions, [created, requested]).join()).not.toContain('due-dates');
    const ended = listed(subscriptions, [created, expired]).join();
    expect(ended).toContain('subscriptions/app_1//expired');
    expect(ended).not.toContain('due-dates');
  });

  it('is where the domain itself would be', () => {
    expect(projected(subscriptions, [created, requested])).toMatchObject({
      status: 'active',
      pendingCharge: { paymentId: 'pay_2' },
      messageCount: 2,
    });
  });

  it('knows every event of its category, and no other', () => {
    expect(subscriptions.eventTypes).toContain('subscription.late_outcome_recorded.v1');
    expect(subscriptions.eventTypes.every((type) => type.startsWith('subscription.'))).toBe(true);
  });
});
