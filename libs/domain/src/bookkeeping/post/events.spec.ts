import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../policy.js';
import { covers, eur, last, month, NOON, origin, paid } from '../spec-support/paid-month.js';
import { NO_BOOKS, type Recorded } from './books.js';
import { findSubject, isMoneyEvent, post } from './post.js';

/** rules/finance 2: events that are not of one payment alone. */
describe('a change of the plan that costs nothing', () => {
  const unusedCredit = {
    unused: eur(1_000n),
    used: eur(500n),
    forfeited: eur(250n),
    refunded: eur(250n),
  };
  const plan = { planId: 'plan_2', price: eur(500n), period: { value: 1, unit: 'week' } } as const;
  const changed = {
    type: 'subscription.plan_changed.v1',
    data: {
      ...{
        ...plan,
        linkId: '',
        billingAnchor: covers.start,
        billingDay: 15,
        periodsBeforeAnchor: 0,
      },
      ...{
        periodsPaid: 1,
        currentPeriodStart: `2026-02-01${NOON}`,
        currentPeriodEnd: `2026-02-08${NOON}`,
      },
      ...{
        priceLockedAt: `2026-02-01${NOON}`,
        unusedCredit,
        payment: null,
        refundedPaymentId: 'pay_1',
      },
      ...{ paymentMethod: '', changedAt: `2026-02-01${NOON}` },
    },
  } as const;

  it('earns the part that is lost, and the used part over the time of the new plan', () => {
    const ledger = paid();
    ledger.append(changed, 'subscription-sub_1');
    const rows = last(ledger);
    expect(
      rows.map(({ rule, account, amountMinor, plan: of }) => [rule, account, amountMinor, of]),
    ).toEqual([
      ['rules.v1/changed/taken', 'liabilities:deferred-subscriptions', 350n, 'plan_1'],
      ['rules.v1/changed', 'income:subscriptions', 350n, 'plan_1'],
      ['rules.v1/changed/taken', 'liabilities:deferred-subscriptions', 700n, 'plan_1'],
      ['rules.v1/changed', 'liabilities:deferred-subscriptions', 700n, 'plan_2'],
    ]);
    expect(rows.at(-1)).toMatchObject({ coversFrom: '2026-02-01', coversUntil: '2026-02-08' });
  });

  it('moves nothing where a payment has its lines', () => {
    const charged = { ...origin('plan_2'), lockedAt: changed.data.priceLockedAt };
    const ledger = paid([
      month,
      { kind: 'proration_charge', amount: eur(0n), covers, origin: charged },
    ]);
    ledger.append(changed, 'subscription-sub_1');
    expect(last(ledger)).toEqual([]);
  });
});

describe('an event', () => {
  const [event] = paid().entries.map((entry) => entry.event) as [Recorded];

  it('is folded by the payments that it concerns', () => {
    expect(findSubject(event)).toEqual({ kind: 'payment', id: 'pay_1' });
    const at = (type: string, streamName: string, data: object) =>
      findSubject({ ...event, type, streamName, data } as never);
    const expired = at('subscription.expired.v1', 'subscription-sub_1', {});
    expect(expired).toEqual({ kind: 'subscription', id: 'sub_1' });
    const late = at('order.late_outcome_recorded.v1', 'order-ord_1', { paymentId: 'pay_2' });
    expect(late).toEqual({ kind: 'payment', id: 'pay_2' });
    expect(at('order.paid.v1', 'order-ord_1', {})).toBeNull();
  });

  it('is one of money, or of no concern to the books', () => {
    expect(isMoneyEvent({ ...event, revision: 0, position: '' })).toBe(true);
    expect(isMoneyEvent({ ...event, type: 'plan.created.v1', revision: 0, position: '' })).toBe(
      false,
    );
  });

  it('of several payments numbers its entries through, in the order of their ids', () => {
    const [one, two] = [paid(), paid()].map(({ books }) => books) as [
      typeof NO_BOOKS,
      typeof NO_BOOKS,
    ];
    const other = { ...two, payment: { ...two.payment, paymentId: 'pay_0' } };
    const data = { cause: 'canceled_at_once', expiredAt: covers.start, canceledAt: null } as const;
    const expired = { ...event, type: 'subscription.expired.v1', data } as const;
    const context = { leaf: 1n, bookedAt: covers.start, policy: DEFAULT_POLICY, closedThrough: '' };
    const rows = post(expired, [one, NO_BOOKS, other], context);
    expect(rows.map(({ payment, number }) => `${payment} ${number}`)).toEqual([
      ...['pay_0 1', 'pay_0 2', 'pay_1 3', 'pay_1 4'],
    ]);
    expect(rows[0]).toMatchObject({ reason: 'canceled_at_once', rule: 'rules.v1/expired/taken' });
  });
});
