import { describe, expect, it } from 'vitest';
import { checkoutLinkAggregate, type CheckoutLinkCommand } from './checkout-link.decide.js';
import type { CheckoutLinkEvent } from './checkout-link.events.js';
import { canBeReplaced } from './checkout-link.limits.js';
import { attemptAt, link, T0, usd } from './spec-support/links.js';

const { decider } = checkoutLinkAggregate;

/** A link that changes a subscription (rules/payments 18). */
const T1 = '2027-01-31T10:10:00.000Z';
const created: CheckoutLinkEvent = {
  type: 'checkout_link.change_created.v1',
  data: {
    ...link(),
    change: {
      ...{ kind: 'plan', subscriptionId: 'sub_1', amountMinor: null },
      ...{ restartsPeriod: false, unusedCredit: 'forfeit' },
    },
  },
};
const attempt = (paymentMethod: string, wallNow = T0) =>
  attemptAt(wallNow, { paymentMethod, shown: usd('500') });

function play(...commands: CheckoutLinkCommand[]) {
  const events: CheckoutLinkEvent[] = [created];
  for (const command of commands) {
    const state = events.reduce(decider.evolve, decider.initialState);
    const decision = decider.decide(command, state);
    if (decision.accepted) events.push(...decision.events);
  }
  const state = events.reduce(decider.evolve, decider.initialState);
  if (state.status === 'none') throw new Error('unreachable');
  return { state, events: events.slice(1) };
}

describe('an attempt on a change link', () => {
  it('is for the subscription that there is, and says what was shown', () => {
    expect(play(attempt('pm_ok')).events).toMatchObject([
      {
        type: 'checkout_link.change_attempted.v1',
        data: { subscriptionId: 'sub_1', shown: usd('500'), attempt: 1 },
      },
    ]);
  });

  it('is not replaced by another method, however long the bank takes', () => {
    const { state, events } = play(attempt('pm_ok'), attempt('pm_other', T1));
    expect(events).toHaveLength(1);
    expect(canBeReplaced(state, T1)).toBe(false);
  });

  it('opens the link again when it was in vain', () => {
    const { state } = play(attempt('pm_ok'));
    const paymentId = state.attempts[0]?.paymentId ?? '';
    const decline = { reason: 'unknown', declineClass: 'soft', rawDeclineCode: '' } as const;
    const again = play(
      attempt('pm_ok'),
      { kind: 'DeclineCheckout', paymentId, decline, now: T0 },
      attempt('pm_other'),
    );
    expect([state.status, again.state.status]).toEqual(['attempting', 'attempting']);
    expect(again.state.attempts.map(({ paymentMethod }) => paymentMethod)).toEqual([
      'pm_ok',
      'pm_other',
    ]);
  });
});
