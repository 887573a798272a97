import { describe, expect, it } from 'vitest';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import {
  ask,
  asked,
  bronze,
  decide,
  fold,
  gold,
  MID,
  usd,
  wanted,
  yearly,
} from './spec-support/changes.js';
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
  SECOND_DUE,
  terms,
} from './spec-support/subscriptions.js';
import type { SubscriptionEvent } from './subscription.events.js';
import { accessEndsAt, nextDueAt } from './subscription.state.js';

/** Changes that are asked for, paid and set for later (rules/lifecycle 11). */
const LATER = '2027-02-20T10:00:00.000Z';
const decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' } as const;
const settle = (outcome: 'captured' | typeof decline, now = MID) =>
  ({ kind: 'SettleChange', ...noted('pay_c'), outcome, now }) as const;
const types = (events: readonly (SubscriptionEvent | string)[]) =>
  events.map((event) => (typeof event === 'string' ? event : event.type));

describe('a change that is paid for', () => {
  it('is asked for, and happens with the capture: plan, price, method and lock', () => {
    expect(types(asked)).toEqual(['subscription.change_requested.v1']);
    const history = [created, ...asked];
    const settled = decide(history, settle('captured')) as SubscriptionEvent[];
    expect(types(settled)).toEqual(['subscription.plan_changed.v1']);
    expect(fold(...history, ...settled)).toMatchObject({
      ...{ ...gold, paymentMethod: 'pm_new', priceLockedAt: MID, currentPeriodEnd: FIRST_DUE },
      ...{ pendingChange: null, messageCount: 4 },
    });
  });

  it('leaves everything as it was when it is declined', () => {
    const history = [created, ...asked];
    const settled = decide(history, settle(decline)) as SubscriptionEvent[];
    expect(types(settled)).toEqual(['subscription.change_declined.v1']);
    expect(fold(...history, ...settled)).toEqual({ ...fold(created), messageCount: 3 });
  });

  it('is asked for once, and settled once', () => {
    expect(decide([created, ...asked], ask(wanted(gold)))).toEqual([]);
    const settled = decide([created, ...asked], settle('captured')) as SubscriptionEvent[];
    expect(decide([created, ...asked, ...settled], settle('captured'))).toEqual([]);
  });

  it('keeps a renewal that falls due meanwhile from being charged', () => {
    const due = { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: FIRST_DUE };
    expect(decide([created, ...asked], due)).toEqual([]);
    // A day after it was asked for, the change is given up.
    expect(nextDueAt(fold(created, ...asked))).toBe('2027-02-15T10:00:00.000Z');
    const settled = decide([created, ...asked], settle('captured')) as SubscriptionEvent[];
    const [renewal] = decide([created, ...asked, ...settled], due) as SubscriptionEvent[];
    expect(renewal).toMatchObject({ data: { amount: gold.price, period: { number: 2 } } });
  });

  it('cuts no access while it is pending, until it is given up', () => {
    expect(accessEndsAt(fold(created, ...asked))).toBe(FIRST_DUE);
    const late = ask(wanted(gold), { now: '2027-02-28T09:00:00.000Z' });
    const pending = fold(created, ...(decide([created], late) as SubscriptionEvent[]));
    expect(accessEndsAt(pending)).toBe('2027-03-01T09:00:00.000Z');
  });

  it('never costs more than was shown', () => {
    expect(decide([created], ask(wanted(gold), { shown: '499' }))).toMatchObject([
      { type: 'subscription.change_refused.v1', data: { refusal: 'subscription/amount_changed' } },
    ]);
    expect(types(decide([created], ask(wanted(gold), { shown: '500' })))).toEqual([
      'subscription.change_requested.v1',
    ]);
  });

  it('is refused by an event where the subscription has moved on', () => {
    expect(decide([created, canceled(MID)], ask(wanted(gold)))).toMatchObject([
      { type: 'subscription.change_refused.v1', data: { refusal: 'subscription/canceled' } },
    ]);
    expect(decide([created], ask(wanted(bronze)))).toMatchObject([
      { data: { refusal: 'subscription/not_an_upgrade' } },
    ]);
  });

  it.each(['captured', decline] as const)(
    'that ends after the subscription is late: %j',
    (outcome) => {
      const settled = decide([created, ...asked, canceled(MID)], settle(outcome));
      expect(settled).toMatchObject([
        {
          type: 'subscription.late_outcome_recorded.v1',
          data: { captured: outcome === 'captured' },
        },
        { type: 'subscription.change_refused.v1' },
      ]);
    },
  );

  it('pays an open period, and both with one payment', () => {
    const history = [created, requested(), failed()];
    const request = decide(history, ask(wanted(gold), { now: '2027-03-01T09:00:00.000Z' }));
    const settled = decide([...history, ...(request as SubscriptionEvent[])], settle('captured'));
    expect(settled).toMatchObject([
      { type: 'subscription.renewed.v1', data: { paymentId: 'pay_c', dueAt: FIRST_DUE } },
      { type: 'subscription.plan_changed.v1', data: { payment: null } },
    ]);
    const all = [
      ...history,
      ...(request as SubscriptionEvent[]),
      ...(settled as SubscriptionEvent[]),
    ];
    expect(fold(...all)).toMatchObject({
      ...{ status: 'active', currentPeriodEnd: SECOND_DUE, periodsPaid: 2, dunning: null },
    });
  });
});

describe('a change while what is due waits', () => {
  const hardly = { declineClass: 'hard', nextRetryAt: null } as const;
  const graceEndsAt = hoursAfter(FIRST_DUE, 48);
  const justAfter = '2027-03-02T10:00:03.600Z';
  const justBefore = '2027-03-02T09:59:00.000Z';

  it.each([
    ['grace is over', failed(1, hardly), justAfter, null],
    ['grace is over since the page', failed(1, hardly), justAfter, justBefore],
    ['a retry is due', failed(), hoursAfter(FIRST_DUE, 24), null],
    [
      'a retry is due since the page',
      failed(),
      hoursAfter(FIRST_DUE, 24),
      hoursAfter(FIRST_DUE, 23.9),
    ],
  ])('is refused where %s: access is not kept by asking again', (_when, failure, now, quotedAt) => {
    const command = { ...ask(wanted(null), { now }), quotedAt };
    expect(decide([created, requested(), failure], command)).toMatchObject([
      { data: { refusal: 'subscription/charge_pending' } },
    ]);
  });

  it('is had until then', () => {
    const command = ask(wanted(null), { now: justBefore });
    expect(types(decide([created, requested(), failed(1, hardly)], command))).toEqual([
      'subscription.change_requested.v1',
    ]);
  });

  it('ends with its decline where grace is over, and access with it, not before', () => {
    const open = [created, requested(), failed(1, hardly)];
    const asks = decide(open, ask(wanted(null), { now: justBefore })) as SubscriptionEvent[];
    const declinedAt = '2027-03-03T09:00:00.000Z';
    const declines = decide([...open, ...asks], settle(decline, declinedAt));
    const history = [...open, ...asks, ...(declines as SubscriptionEvent[])];
    expect(accessEndsAt(fold(...history))).toBe(declinedAt);
    expect(nextDueAt(fold(...history))).toBe(declinedAt);
    const now = '2027-03-03T09:00:05.000Z';
    expect(decide(history, { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now })).toEqual([
      {
        type: 'subscription.expired.v1',
        data: { cause: 'grace_ended', expiredAt: declinedAt, canceledAt: null },
      },
    ]);
  });

  it('leaves grace as it was where it is declined within it', () => {
    const open = [created, requested(), failed(1, hardly)];
    const now = hoursAfter(FIRST_DUE, 1);
    const asks = decide(open, ask(wanted(null), { now })) as SubscriptionEvent[];
    const declines = decide([...open, ...asks], settle(decline, now)) as SubscriptionEvent[];
    expect(accessEndsAt(fold(...open, ...asks, ...declines))).toBe(graceEndsAt);
  });
});

describe('a change that costs nothing', () => {
  it('is refused where a period is open: nothing would pay that', () => {
    const free = { ...created, data: { ...created.data, price: usd('0') } };
    const history = [free, requested(), failed()];
    const now = '2027-03-01T09:00:00.000Z';
    for (const change of [wanted(null), wanted(gold, { amountMinor: '0' })]) {
      expect(decide(history, ask(change, { now }))).toMatchObject([
        { data: { refusal: 'subscription/invalid_change' } },
      ]);
    }
  });

  it('of the payment method happens at once', () => {
    expect(decide([created], ask(wanted(null)))).toMatchObject([
      { type: 'subscription.payment_method_changed.v1', data: { paymentMethod: 'pm_new' } },
    ]);
  });

  it('of the plan, too', () => {
    expect(types(decide([createdOnTrial], ask(wanted(gold), { now: BOUGHT })))).toEqual([
      'subscription.plan_changed.v1',
    ]);
  });
});

describe('a change that waits', () => {
  const schedule = (plan: typeof bronze, now = MID) =>
    decide([created], {
      kind: 'SchedulePlanChange',
      wanted: wanted(plan),
      now,
    }) as SubscriptionEvent[];
  const due = { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now: FIRST_DUE } as const;

  it('happens with the end of the period, before the next one is charged at its price', () => {
    const events = decide([created, ...schedule(bronze)], due);
    expect(events).toMatchObject([
      { type: 'subscription.plan_changed.v1', data: { planId: 'plan_3', payment: null } },
      {
        type: 'subscription.renewal_requested.v1',
        data: { amount: bronze.price, period: { number: 2, start: FIRST_DUE, end: SECOND_DUE } },
      },
    ]);
  });

  it('counts periods of another length from there', () => {
    const events = decide([created, ...schedule({ ...yearly, price: usd('499') })], due);
    expect(events[1]).toMatchObject({
      data: { period: { number: 2, start: FIRST_DUE, end: '2028-02-29T10:00:00.000Z' } },
    });
  });

  it('is replaced by a later one, and dropped by an upgrade and by a cancel', () => {
    const free = { ...bronze, planId: 'plan_0', price: usd('100') };
    const both = [created, ...schedule(bronze), ...schedule(free, LATER)];
    expect(decide(both, due)[0]).toMatchObject({ data: { planId: 'plan_0' } });
    const history = [created, ...schedule(bronze)];
    const upgrade = decide(history, ask(wanted(gold, { amountMinor: '0' }))) as SubscriptionEvent[];
    expect(fold(...history, ...upgrade).scheduledChange).toBeNull();
    expect(fold(...history, canceled(MID)).scheduledChange).toBeNull();
  });

  it('is set once, however often it is asked for', () => {
    const history = [created, ...schedule(bronze)];
    const again = (plan: typeof bronze) =>
      decide(history, { kind: 'SchedulePlanChange', wanted: wanted(plan), now: LATER });
    expect(again(bronze)).toEqual([]);
    expect(again({ ...bronze, price: usd('498') })).toHaveLength(1);
    expect(again({ ...bronze, period: { value: 2, unit: 'month' } })).toHaveLength(1);
    // A period that was paid since moves the end that it waits for.
    const paid = [...history, requested(), renewed()];
    const next = { kind: 'SchedulePlanChange', wanted: wanted(bronze), now: FIRST_DUE };
    expect(decide(paid, next)).toMatchObject([{ data: { effectiveAt: SECOND_DUE } }]);
  });

  it('is dropped by asking for the present plan', () => {
    const present = { ...gold, planId: terms.planId };
    const drop = { kind: 'SchedulePlanChange', wanted: wanted(present), now: LATER };
    const history = [created, ...schedule(bronze)];
    const dropped = decide(history, drop) as SubscriptionEvent[];
    expect(dropped).toEqual([
      { type: 'subscription.plan_change_dropped.v1', data: { droppedAt: LATER } },
    ]);
    expect(fold(...history, ...dropped).scheduledChange).toBeNull();
    expect(types(decide([...history, ...dropped], due))).toEqual([
      'subscription.renewal_requested.v1',
    ]);
    expect(decide([...history, ...dropped], drop)).toEqual(['subscription/plan_unchanged']);
    const named = { ...drop, wanted: wanted(present, { amountMinor: '1' }) };
    expect(decide(history, named)).toEqual(['subscription/invalid_change']);
  });

  it('does not touch the price of a period that is open', () => {
    const history = [created, requested(), failed()];
    const now = '2027-02-28T12:00:00.000Z';
    const waits = decide(history, { kind: 'SchedulePlanChange', wanted: wanted(bronze), now });
    const retry = { ...due, now: '2027-03-01T10:00:00.000Z' };
    const all = [...history, ...(waits as SubscriptionEvent[])];
    expect(decide(all, retry)).toMatchObject([
      { type: 'subscription.renewal_requested.v1', data: { amount: terms.price } },
    ]);
    expect(fold(...all, requested(2), renewed(2)).scheduledChange).toMatchObject({
      effectiveAt: SECOND_DUE,
    });
  });

  it('is refused for a dearer plan: that needs a page', () => {
    expect(schedule(gold)).toEqual(['subscription/not_a_downgrade']);
  });
});
