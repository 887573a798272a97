import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import {
  BOUGHT,
  canceled,
  created,
  createdOnTrial,
  failed,
  FIRST_DUE,
  hoursAfter,
  noted,
  renewed,
  requested,
  terms,
  TRIAL_END,
} from './spec-support/subscriptions.js';
import { subscriptionAggregate } from './subscription.decide.js';
import { accessEndsAt, nextBillingDate, nextDueAt, noSubscription } from './subscription.state.js';
import type { StartedSubscription } from './subscription.state.js';
import type { SubscriptionCommand, SubscriptionEvent } from './index.js';

const { decider } = subscriptionAggregate;

/** Requests of players and studios (rules/lifecycle 1); renewal.spec.ts has the steps that happen by themselves. */
const LATER = '2027-02-10T12:00:00.000Z';
const cancel = { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now: LATER } as const;
const cancelAtOnce = { ...cancel, cancelAtPeriodEnd: false } as const;
const reactivate = { kind: 'ReactivateSubscription', now: LATER } as const;
const expiredByCancel = (cause: string, now = LATER) => [
  { type: 'subscription.expired.v1', data: { cause, expiredAt: now, canceledAt: now } },
];
const active = [created];
const pastDue = [created, requested(), failed()];
const canceledOnce = [created, canceled(LATER)];
const ended: SubscriptionEvent[] = [
  ...canceledOnce,
  {
    type: 'subscription.expired.v1',
    data: { cause: 'period_ended', expiredAt: FIRST_DUE, canceledAt: null },
  },
];

describe('a new subscription', () => {
  const create = {
    kind: 'CreateSubscription',
    terms,
    initialPayment: noted('pay_0'),
    now: BOUGHT,
  } as const;

  it('is active, its first period paid, anchored at its start', () => {
    expect(given(decider).when(create)).toEqual([created]);
    expect(stateAfter(created)).toMatchObject({
      status: 'active',
      periodsPaid: 1,
      messageCount: 2,
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
  });

  it('on trial is active without a payment: trial end, period end and billing date are one', () => {
    const trial = { value: 1, unit: 'week' } as const;
    const onTrial = { ...create, terms: { ...terms, trial }, initialPayment: null };
    expect(given(decider).when(onTrial)).toEqual([createdOnTrial]);
    const state = stateAfter(createdOnTrial);
    expect(state).toMatchObject({ status: 'active', trialEnd: TRIAL_END, periodsPaid: 0 });
    expect([state.currentPeriodEnd, nextBillingDate(state), accessEndsAt(state)]).toEqual([
      TRIAL_END,
      TRIAL_END,
      TRIAL_END,
    ]);
  });

  it('is created once, however often the payment is reported', () => {
    expect(given(decider, created).when(create)).toEqual([]);
  });

  it('counts its paid periods by its dates, also where the first one cost nothing', () => {
    const free = { ...created, data: { ...created.data, initialPayment: null } };
    expect(stateAfter(free)).toMatchObject({ periodsPaid: 1, messageCount: 1 });
  });
});

describe('cancel', () => {
  it('of an active one is canceled: access goes on to the end of the period', () => {
    expect(given(decider, ...active).when(cancel)).toEqual([canceled(LATER)]);
    const state = stateAfter(...canceledOnce);
    expect(state).toMatchObject({ status: 'canceled', canceledAt: LATER, cancelAtPeriodEnd: true });
    expect(accessEndsAt(state)).toBe(FIRST_DUE);
    expect(nextBillingDate(state)).toBe(FIRST_DUE);
  });

  it('of one on trial keeps the trial to its end', () => {
    const events = given(decider, createdOnTrial).when(cancel);
    expect(events).toEqual([canceled(LATER, TRIAL_END)]);
  });

  it('of an active one at once is expired', () => {
    const events = given(decider, ...active).when(cancelAtOnce);
    expect(events).toEqual(expiredByCancel('canceled_at_once'));
  });

  it.each([cancel, cancelAtOnce])(
    'of a past due one is expired, and nothing else: %j',
    (command) => {
      const now = hoursAfter(FIRST_DUE, 1);
      const events = given(decider, ...pastDue).when({ ...command, now });
      expect(events).toEqual(expiredByCancel('canceled_while_past_due', now));
    },
  );

  it('of a canceled one changes nothing; at once, it is expired', () => {
    expect(given(decider, ...canceledOnce).when(cancel)).toEqual([]);
    const events = given(decider, ...canceledOnce).when(cancelAtOnce);
    expect(events).toEqual(expiredByCancel('canceled_at_once'));
  });
});

describe('reactivate', () => {
  it('before access ends is active again: nothing charged, the billing date unchanged', () => {
    const events = given(decider, ...canceledOnce).when(reactivate);
    const reactivated = {
      type: 'subscription.reactivated.v1',
      data: { reactivatedAt: LATER },
    } as const;
    expect(events).toEqual([reactivated]);
    expect(stateAfter(...canceledOnce, reactivated)).toEqual({
      ...stateAfter(created),
      messageCount: 4,
    });
  });

  it.each([
    ['at the moment at which access ends', FIRST_DUE],
    ['after it', hoursAfter(FIRST_DUE, 1)],
  ])('%s is refused', (_when, now) => {
    const outcome = given(decider, ...canceledOnce).when({ ...reactivate, now });
    expect(outcome).toBe('subscription/access_ended');
  });

  it.each([
    ['active', active],
    ['past due', pastDue],
  ])('of an %s one is refused: it is not canceled', (_status, history) => {
    const outcome = given(decider, ...history).when(reactivate);
    expect(outcome).toBe('subscription/not_canceled');
  });
});

describe('an expired subscription', () => {
  it.each([cancel, cancelAtOnce, reactivate])('refuses %j', (command) => {
    expect(given(decider, ...ended).when(command)).toBe('subscription/expired');
  });

  it('is never due again, and its access ended when it expired', () => {
    const state = stateAfter(...ended);
    expect(nextDueAt(state)).toBeNull();
    expect(accessEndsAt(state)).toBe(FIRST_DUE);
    expect(nextBillingDate(state)).toBe(FIRST_DUE);
    expect(state.canceledAt).toBe(LATER);
  });

  it('that was canceled at once has no access from there on, whatever was paid', () => {
    const data = { cause: 'canceled_at_once', expiredAt: LATER, canceledAt: LATER } as const;
    const state = stateAfter(...active, { type: 'subscription.expired.v1', data });
    expect([state.status, state.expiredAt, state.canceledAt]).toEqual(['expired', LATER, LATER]);
    expect(accessEndsAt(state)).toBe(LATER);
  });
});

it('what is not there is never due', () => {
  expect(nextDueAt(noSubscription)).toBeNull();
});

describe('an event counts its messages, and a second beginning is none', () => {
  const outcome = { ...noted('pay_1'), recordedAt: LATER };
  const expired = { cause: 'period_ended', expiredAt: LATER, canceledAt: null } as const;

  it.each<[number, SubscriptionEvent]>([
    [0, requested()],
    [2, renewed()],
    [2, failed()],
    [1, { type: 'subscription.late_outcome_recorded.v1', data: { ...outcome, captured: true } }],
    [1, { type: 'subscription.refund_recorded.v1', data: outcome }],
    [1, { type: 'subscription.dispute_recorded.v1', data: { ...outcome, closed: true } }],
    [1, canceled(LATER)],
    [1, { type: 'subscription.reactivated.v1', data: { reactivatedAt: LATER } }],
    [1, { type: 'subscription.expired.v1', data: expired }],
  ])('%i of %j', (count, event) => {
    expect(stateAfter(created, event).messageCount).toBe(2 + count);
  });

  it('which leaves all else as it is', () => {
    const state = stateAfter(...pastDue);
    expect(stateAfter(...pastDue, createdOnTrial)).toEqual({
      ...state,
      messageCount: state.messageCount + 1,
    });
  });

  it('a dispute that is noted changes nothing else', () => {
    const state = stateAfter(...pastDue);
    const data = { ...outcome, closed: false };
    const event = { type: 'subscription.dispute_recorded.v1', data } as const;
    const counted = { messageCount: state.messageCount + 1 };
    expect(stateAfter(...pastDue, event)).toEqual({ ...state, ...counted });
  });

  it('a refund that is noted changes nothing else', () => {
    const state = stateAfter(...pastDue);
    const event = { type: 'subscription.refund_recorded.v1', data: outcome } as const;
    expect(stateAfter(...pastDue, event)).toEqual({
      ...state,
      messageCount: state.messageCount + 1,
    });
  });
});

it('what was never created is not found', () => {
  const commands: SubscriptionCommand[] = [
    cancel,
    reactivate,
    { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: LATER },
  ];
  for (const command of commands) {
    expect(given(decider).when(command)).toBe('subscription/not_found');
  }
});

function stateAfter(...history: SubscriptionEvent[]): StartedSubscription {
  const { state } = given(decider, ...history);
  if (state.status === 'none') throw new Error('the history starts no subscription');
  return state;
}
