import { describe, expect, it } from 'vitest';
import { listed, projected } from './spec-support/recorded.js';
import { CREATED, created, expired, requested } from './spec-support/subscription-events.js';
import { subscriptions } from './subscriptions.projection.js';

describe('the read model of subscriptions', () => {
  it('is listed by app and by player, in its status', () => {
    expect(listed(subscriptions, [created])).toEqual([
      `app/app_1/active ${CREATED} id`,
      `player/app_1/ann/active ${CREATED} id`,
    ]);
    expect(listed(subscriptions, [created, expired])).toContain(`app/app_1/expired ${CREATED} id`);
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
