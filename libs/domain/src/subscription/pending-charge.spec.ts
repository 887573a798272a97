import { describe, expect, it } from 'vitest';
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
import { type SubscriptionCommand, subscriptionAggregate } from './subscription.decide.js';
import type { SubscriptionEvent } from './subscription.events.js';
import { accessEndsAt, nextBillingDate, nextDueAt } from './subscription.state.js';

const { decider } = subscriptionAggregate;

const GRACE_END = hoursAfter(FIRST_DUE, 48);

/** Nothing is cut while the gateway takes its time (rules/payments 4). */
describe('a renewal whose charge is pending', () => {
  const accessEndAfter = (...history: SubscriptionEvent[]) => {
    const { state } = given(decider, ...history);
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
    const asked = given(decider, created).when(command);
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

/** A charge without an outcome at its bound (rules/payments 17). */
describe('a renewal whose charge is given up', () => {
  const paymentId = requested().data.paymentId;
  const giveUp = (now: string, ...history: SubscriptionEvent[]) => {
    const charge = history.flatMap((event) =>
      event.type === 'subscription.renewal_requested.v1' ? [event.data.paymentId] : [],
    );
    const payer = { paymentId: charge.at(-1) ?? '', paymentRevision: 2 };
    const settle = { kind: 'SettleRenewal', outcome: 'given_up', ...payer, now } as const;
    return when({ ...settle, dunning: DEFAULT_DUNNING }, ...history);
  };
  const givenUp = {
    type: 'subscription.renewal_failed.v2',
    data: { reason: 'issuer_unavailable', declineClass: 'unknown', nextRetryAt: null },
  };
  const ended = (expiredAt: string) => ({
    type: 'subscription.expired.v1',
    data: { cause: 'grace_ended', expiredAt },
  });

  it('is due at the end of its grace, when nothing is left to retry: it ends', () => {
    const { state } = given(decider, created, requested());
    expect(nextDueAt(state)).toBe(GRACE_END);
    // The subscription itself waits for the outcome.
    expect(due(GRACE_END, created, requested())).toEqual([]);
    const failed = { ...givenUp, data: { ...givenUp.data, graceEndsAt: GRACE_END } };
    expect(giveUp(GRACE_END, created, requested())).toMatchObject([failed, ended(GRACE_END)]);
  });

  it('has the grace of the first failure where it is a retry, and the retry at its end goes first', () => {
    const dayLater = hoursAfter(FIRST_DUE, 24);
    const second = [created, requested(), failed(), requested(2, dayLater)];
    const { state } = given(decider, ...second);
    expect(nextDueAt(state)).toBe(GRACE_END);
    for (const late of [0, 5]) {
      const at = hoursAfter(GRACE_END, late);
      const again = { nextRetryAt: GRACE_END, graceEndsAt: GRACE_END };
      const retriedLater = giveUp(at, ...second);
      expect(retriedLater).toMatchObject([{ ...givenUp, data: { ...givenUp.data, ...again } }]);
      expect(due(at, ...second, ...retriedLater)).toMatchObject([
        { type: 'subscription.renewal_requested.v1', data: { attempt: 3 } },
      ]);
    }
  });

  it('has an hour at least where it is the retry at the end of grace, and then it ends', () => {
    const twiceFailed = [created, requested(), failed(), requested(2), failed(2)];
    const last = due(GRACE_END, ...twiceFailed);
    const anHourLater = hoursAfter(GRACE_END, 1);
    expect(last).toMatchObject([{ data: { graceEndsAt: anHourLater } }]);
    expect(giveUp(anHourLater, ...twiceFailed, ...last)).toMatchObject([
      { ...givenUp, data: { ...givenUp.data, graceEndsAt: GRACE_END } },
      ended(anHourLater),
    ]);
  });

  it('ends with grace where the app does not retry what no bank has answered, or not at that end', () => {
    const dayLater = hoursAfter(FIRST_DUE, 24);
    const { schedule } = failed().data;
    for (const other of [
      { retriesAt: schedule.retriesAt, retriedDeclineClasses: ['soft' as const] },
      { retriesAt: [dayLater], retriedDeclineClasses: ['unknown' as const] },
    ]) {
      const once = failed(1, { schedule: other });
      const second = [created, requested(), once, requested(2, dayLater)];
      expect(giveUp(GRACE_END, ...second)).toMatchObject([givenUp, ended(GRACE_END)]);
    }
  });

  it('is due also where the subscription has ended meanwhile, and is then recorded', () => {
    const atOnce = when(
      { kind: 'CancelSubscription', cancelAtPeriodEnd: false, now: hoursAfter(FIRST_DUE, 5) },
      ...[created, requested()],
    );
    const history = [created, requested(), ...atOnce];
    const { state } = given(decider, ...history);
    expect(nextDueAt(state)).toBe(GRACE_END);
    const recorded = { type: 'subscription.late_outcome_recorded.v1', data: { captured: false } };
    expect(giveUp(GRACE_END, ...history)).toMatchObject([recorded]);
  });

  it('and captured after all is recorded as late, which leaves another pending charge alone', () => {
    const capture = { kind: 'RecordLateCapture', paymentId, paymentRevision: 3 } as const;
    const events = giveUp(GRACE_END, created, requested());
    const ended = [created, requested(), ...events];
    const late = when({ ...capture, now: GRACE_END }, ...ended);
    expect(late).toMatchObject([
      { type: 'subscription.late_outcome_recorded.v1', data: { paymentId, captured: true } },
    ]);
    const other = [created, requested(), failed(), requested(2), ...late];
    const { state } = given(decider, ...other);
    expect(state).toMatchObject({ pendingCharge: { attempt: 2 } });
  });
});

function due(now: string, ...history: SubscriptionEvent[]) {
  const command = { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now } as const;
  return when(command, ...history);
}

/** None of these commands is refused. */
function when(command: SubscriptionCommand, ...history: SubscriptionEvent[]): SubscriptionEvent[] {
  const decided = given(decider, ...history).when(command);
  return decided as SubscriptionEvent[];
}
