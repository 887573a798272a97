import { describe, expect, it } from 'vitest';
import {
  isOffSession,
  type PaymentPurpose,
  renewsSubscription,
  startsSubscription,
} from './payment.purpose.js';

const period = (number: number): PaymentPurpose => ({
  kind: 'subscription_period',
  subscriptionId: 'sub_1',
  period: { number, start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' },
  attempt: 1,
});

describe('the purpose of a payment', () => {
  it.each([
    [1, { starts: true, renews: false, offSession: false }],
    [2, { starts: false, renews: true, offSession: true }],
    [13, { starts: false, renews: true, offSession: true }],
  ])('of period %i', (number, expected) => {
    const purpose = period(number);
    expect({
      starts: startsSubscription(purpose),
      renews: renewsSubscription(purpose),
      offSession: isOffSession(purpose),
    }).toEqual(expected);
  });
});
