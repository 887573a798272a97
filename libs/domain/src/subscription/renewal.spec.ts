import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { DEFAULT_DUNNING, type DunningPolicy } from '../dunning/index.js';
import type { Decline } from '../payment/index.js';
import {
  canceled,
  created,
  createdOnTrial,
  failed,
  FIRST_DUE,
  hoursAfter,
  noted,
  paymentIdFor,
  renewed,
  requested,
  SECOND_DUE,
  terms,
  TRIAL_END,
} from './spec-support/subscriptions.js';
import { subscriptionAggregate } from './subscription.decide.js';
import type { SubscriptionEvent } from './subscription.events.js';
import { accessEndsAt, nextBillingDate, nextDueAt } from './subscription.state.js';

const { decider } = subscriptionAggregate;

/** Steps that happen by themselves: renewal, retry, expiry (rules/lifecycle 4). */
const soft: Decline = {
  reason: 'insufficient_funds',
  declineClass: 'soft',
  rawDeclineCode: '51',
};
const hard: Decline = {
  reason: 'lost_or_stolen_card',
  declineClass: 'hard',
  rawDeclineCode: '41',
};
const THIRD_DUE = '2027-04-30T10:00:00.000Z';
const GRACE_END = hoursAfter(FIRST_DUE, 48);
const graceEnded = (expiredAt: string) => ({
  type: 'subscription.expired.v1',
  data: { cause: 'grace_ended', expiredAt, canceledAt: null },
});
const onceFailed = [created, requested(), failed()];
const twiceFailed = [...onceFailed, requested(2, hoursAfter(FIRST_DUE, 24)), failed(2)];
const hardFailed = [
  created,
  requested(),
  failed(1, { reason: 'lost_or_stolen_card', declineClass: 'hard', nextRetryAt: null }),
];

describe('a due renewal', () => {
  it('is asked for at its due date, not a millisecond before', () => {
    expect(due(hoursAfter(FIRST_DUE, -1 / 3_600_000), created)).toEqual([]);
    expect(due(FIRST_DUE, created)).toEqual([requested()]);
  });

  it('is asked for once: nothing more is due while the charge is on its way', () => {
    expect(due(hoursAfter(FIRST_DUE, 100), created, requested())).toEqual([]);
  });

  it('at the end of a trial is a renewal like any other, for the price of the plan', () => {
    expect(due(TRIAL_END, createdOnTrial)).toMatchObject([
      { data: { period: { number: 2, start: TRIAL_END }, attempt: 1, amount: terms.price } },
    ]);
  });

  it('captured opens the next period, counted from the anchor', () => {
    expect(settle('captured', FIRST_DUE, created, requested())).toEqual([renewed()]);
    expect(due(SECOND_DUE, created, requested(), renewed())).toMatchObject([
      { data: { period: { number: 3, start: SECOND_DUE, end: THIRD_DUE }, attempt: 1 } },
    ]);
  });

  it('captured hours late is dated by its due date all the same: no drift', () => {
    const late = hoursAfter(FIRST_DUE, 30);
    expect(settle('captured', late, created, requested())).toEqual([renewed(1, late)]);
  });

  it('the end of a trial captured opens the first paid period from the end of the trial', () => {
    const [asked] = due(TRIAL_END, createdOnTrial) as SubscriptionEvent[];
    const events = settleAs(
      paymentIdFor(TRIAL_END, 1),
      'captured',
      TRIAL_END,
      createdOnTrial,
      asked!,
    );
    expect(events).toMatchObject([{ data: { currentPeriodEnd: '2027-03-07T10:00:00.000Z' } }]);
  });

  it('is settled once, and by its own payment alone', () => {
    expect(settle('captured', SECOND_DUE, created, requested(), renewed())).toEqual([]);
    expect(settleAs('pay_other', 'captured', FIRST_DUE, created, requested())).toEqual([]);
  });
});

describe('a declined renewal', () => {
  it('is past due: grace of 48 h, next retry after 24 h, paid period unchanged', () => {
    expect(settle(soft, FIRST_DUE, created, requested())).toEqual([failed()]);
    const { state } = given(decider, ...onceFailed);
    if (state.status === 'none') throw new Error('unreachable');
    expect(state).toMatchObject({ status: 'past_due', currentPeriodEnd: FIRST_DUE });
    expect(nextBillingDate(state)).toBe(hoursAfter(FIRST_DUE, 24));
    expect(accessEndsAt(state)).toBe(GRACE_END);
  });

  it('is retried as a payment of its own for the same period', () => {
    const at = hoursAfter(FIRST_DUE, 24);
    expect(due(hoursAfter(FIRST_DUE, 23), ...onceFailed)).toEqual([]);
    expect(due(at, ...onceFailed)).toEqual([requested(2, at)]);
  });

  it('declined again is past due still, to the next retry', () => {
    const at = hoursAfter(FIRST_DUE, 24);
    expect(settleAttempt(2, soft, at, ...onceFailed, requested(2, at))).toEqual([failed(2)]);
  });

  it('counts its retries from the first failure, however late one of them is made', () => {
    const late = hoursAfter(FIRST_DUE, 30);
    const events = settleAttempt(2, soft, late, ...onceFailed, requested(2, late));
    expect(events).toMatchObject([{ data: { nextRetryAt: GRACE_END, graceEndsAt: GRACE_END } }]);
  });

  it('captured by a retry is active again, on the old dates', () => {
    const at = hoursAfter(FIRST_DUE, 24);
    const history = [...onceFailed, requested(2, at)];
    expect(settleAttempt(2, 'captured', at, ...history)).toEqual([renewed(2, at)]);
    const { state } = given(decider, ...history, renewed(2, at));
    expect(state).toMatchObject({ status: 'active', dunning: null, currentPeriodEnd: SECOND_DUE });
  });

  it('has its last retry at the end of grace: the retry goes first', () => {
    expect(due(GRACE_END, ...twiceFailed)).toEqual([requested(3, GRACE_END)]);
    const history = [...twiceFailed, requested(3, GRACE_END)];
    expect(settleAttempt(3, 'captured', GRACE_END, ...history)).toEqual([renewed(3, GRACE_END)]);
  });

  it('expires with the last retry, in one decision', () => {
    const history = [...twiceFailed, requested(3, GRACE_END)];
    const events = settleAttempt(3, soft, GRACE_END, ...history);
    expect(events).toEqual([failed(3), graceEnded(GRACE_END)]);
  });

  it.each([hard, { ...hard, declineClass: 'fraud', reason: 'fraud_suspected' } as const])(
    'of class $declineClass is not retried, and expires at the end of grace',
    (decline) => {
      const events = settle(decline, FIRST_DUE, created, requested());
      expect(events).toMatchObject([{ data: { nextRetryAt: null, graceEndsAt: GRACE_END } }]);
      expect(due(hoursAfter(FIRST_DUE, 47), ...hardFailed)).toEqual([]);
      expect(due(GRACE_END, ...hardFailed)).toEqual([graceEnded(GRACE_END)]);
    },
  );

  it('of a retry may turn hard: then no further retry is made', () => {
    const at = hoursAfter(FIRST_DUE, 24);
    const events = settleAttempt(2, hard, at, ...onceFailed, requested(2, at));
    expect(events).toMatchObject([{ data: { nextRetryAt: null, graceEndsAt: GRACE_END } }]);
  });

  it('found days late, after a long downtime, gets its due retry and no missed ones', () => {
    const late = hoursAfter(FIRST_DUE, 90);
    expect(due(late, ...onceFailed)).toEqual([requested(2, late)]);
    const events = settleAttempt(2, soft, late, ...onceFailed, requested(2, late));
    expect(events).toMatchObject([{ data: { nextRetryAt: null } }, graceEnded(late)]);
  });

  it('follows the settings of the app: retries behind the end of grace are not made', () => {
    const dunning = { ...DEFAULT_DUNNING, graceHours: 30, retryAfterHours: [6, 36] };
    const events = settleUnder(dunning, soft, FIRST_DUE, created, requested());
    expect(events).toMatchObject([
      { data: { nextRetryAt: hoursAfter(FIRST_DUE, 6), graceEndsAt: hoursAfter(FIRST_DUE, 30) } },
    ]);
    const second = settleUnder(dunning, soft, hoursAfter(FIRST_DUE, 36), created, requested());
    expect(second).toMatchObject([{ data: { nextRetryAt: hoursAfter(FIRST_DUE, 42) } }]);
  });

  it('without any grace expires at once', () => {
    const dunning = { ...DEFAULT_DUNNING, graceHours: 0, retryAfterHours: [] };
    const events = settleUnder(dunning, soft, FIRST_DUE, created, requested());
    expect(events).toMatchObject([{ data: { nextRetryAt: null } }, graceEnded(FIRST_DUE)]);
  });
});

describe('the end of a canceled period', () => {
  const canceledEarly = [created, canceled('2027-02-10T00:00:00.000Z')];

  it('expires it, at the end of the period and without a charge', () => {
    expect(due(hoursAfter(FIRST_DUE, -1), ...canceledEarly)).toEqual([]);
    const ended = { cause: 'period_ended', expiredAt: FIRST_DUE, canceledAt: null };
    const expected = [{ type: 'subscription.expired.v1', data: ended }];
    expect(due(FIRST_DUE, ...canceledEarly)).toEqual(expected);
    expect(due(hoursAfter(FIRST_DUE, 300), ...canceledEarly)).toEqual(expected);
  });

  it('canceled behind its period, while the renewal was pending, ends at the cancel', () => {
    const at = hoursAfter(FIRST_DUE, 5);
    const events = due(hoursAfter(FIRST_DUE, 6), created, requested(), canceled(at));
    expect(events).toMatchObject([{ data: { cause: 'period_ended', expiredAt: at } }]);
  });
});

describe('a charge that is answered after the end', () => {
  const at = hoursAfter(FIRST_DUE, 5);
  const gone = [created, requested(), canceled(at)];
  const recordedLate = (wasCaptured: boolean) => [
    {
      type: 'subscription.late_outcome_recorded.v1',
      data: {
        ...noted(requested().data.paymentId),
        captured: wasCaptured,
        recordedAt: SECOND_DUE,
      },
    },
  ];

  it('is recorded as late, and captured money is to go back', () => {
    expect(settle('captured', SECOND_DUE, ...gone)).toEqual(recordedLate(true));
    expect(settle(soft, SECOND_DUE, ...gone)).toEqual(recordedLate(false));
  });

  it('does not wake an expired one', () => {
    const expired: SubscriptionEvent[] = [
      ...gone,
      {
        type: 'subscription.expired.v1',
        data: { cause: 'period_ended', expiredAt: at, canceledAt: null },
      },
    ];
    const events = settle('captured', SECOND_DUE, ...expired);
    expect(events).toEqual(recordedLate(true));
    const { state } = given(decider, ...expired, ...(events as SubscriptionEvent[]));
    expect(state).toMatchObject({ status: 'expired', pendingCharge: null });
    expect(nextDueAt(state)).toBeNull();
  });
});

function due(now: string, ...history: SubscriptionEvent[]) {
  const dunning = DEFAULT_DUNNING;
  const command = { kind: 'ProcessDueDate', dunning, now } as const;
  return given(decider, ...history).when(command);
}

type Outcome = 'captured' | Decline;

function settle(outcome: Outcome, now: string, ...history: SubscriptionEvent[]) {
  return settleAttempt(1, outcome, now, ...history);
}

function settleAttempt(n: number, outcome: Outcome, now: string, ...history: SubscriptionEvent[]) {
  return settleAs(paymentIdFor(FIRST_DUE, n), outcome, now, ...history);
}

function settleAs(
  paymentId: string,
  outcome: Outcome,
  now: string,
  ...history: SubscriptionEvent[]
) {
  const dunning = DEFAULT_DUNNING;
  const payment = noted(paymentId);
  const command = { kind: 'SettleRenewal', ...payment, outcome, dunning, now } as const;
  return given(decider, ...history).when(command);
}

function settleUnder(
  dunning: DunningPolicy,
  outcome: Outcome,
  now: string,
  ...history: SubscriptionEvent[]
) {
  const payment = noted(paymentIdFor(FIRST_DUE, 1));
  const command = { kind: 'SettleRenewal', ...payment, outcome, dunning, now } as const;
  return given(decider, ...history).when(command);
}
