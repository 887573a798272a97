import { describe, expect, it } from '@jest/globals';
import { given } from '../decider/spec-support/given.js';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import {
  canceled,
  created,
  failed,
  FIRST_DUE,
  hoursAfter,
  renewed,
  requested,
  SECOND_DUE,
} from './spec-support/subscriptions.js';
import { subscriptionDecider } from './subscription.decide.js';
import type { SubscriptionEvent } from './subscription.events.js';
import { accessEndsAt, nextBillingDate } from './subscription.state.js';

const GRACE_END = hoursAfter(FIRST_DUE, 48);

/** Nothing is cut while the gateway takes its time (rules/payments 4). */
describe('a renewal whose charge is pending', () => {
  const accessEndAfter = (...history: SubscriptionEvent[]) => {
    const { state } = given(subscriptionDecider, ...history);
    if (state.status === 'none') throw new Error('unreachable');
    return [state.status, accessEndsAt(state), nextBillingDate(state)];
  };

  it('keeps access until the due date and the grace: active, and no billing date is moved', () => {
    expect(accessEndAfter(created)).toEqual(['active', FIRST_DUE, FIRST_DUE]);
    expect(accessEndAfter(created, requested())).toEqual(['active', GRACE_END, FIRST_DUE]);
    expect(accessEndAfter(created, requested(), renewed())).toEqual([
      ...['active', SECOND_DUE, SECOND_DUE],
    ]);
  });

  it('follows the grace of the app', () => {
    const dunning = { ...DEFAULT_DUNNING, graceHours: 72, retryAfterHours: [] };
    const command = { kind: 'ProcessDueDate', dunning, now: FIRST_DUE } as const;
    const asked = given(subscriptionDecider, created).when(command);
    expect(asked).toMatchObject([{ data: { graceEndsAt: hoursAfter(FIRST_DUE, 72) } }]);
  });

  it('has its whole grace where an outage delayed the charge', () => {
    const late = hoursAfter(FIRST_DUE, 90);
    expect(due(late, created)).toMatchObject([{ data: { graceEndsAt: hoursAfter(late, 48) } }]);
    const soon = hoursAfter(FIRST_DUE, 1);
    expect(due(soon, created)).toMatchObject([{ data: { graceEndsAt: GRACE_END } }]);
  });

  it('as a retry keeps the grace that the first failure began', () => {
    const retried = [created, requested(), failed(), requested(2, hoursAfter(FIRST_DUE, 24))];
    expect(accessEndAfter(...retried)).toEqual(['past_due', GRACE_END, hoursAfter(FIRST_DUE, 24)]);
  });

  it('that is canceled meanwhile ends where it would have ended', () => {
    const history = [created, requested(), canceled(hoursAfter(FIRST_DUE, 5))];
    expect(accessEndAfter(...history)).toEqual(['canceled', FIRST_DUE, FIRST_DUE]);
  });
});

function due(now: string, ...history: SubscriptionEvent[]) {
  const command = { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now } as const;
  return given(subscriptionDecider, ...history).when(command);
}
