import { describe, expect, it } from 'vitest';
import type { Period } from '#domain/calendar';
import { Life } from './stories/life.js';

/** The rows of rules/lifecycle 1 that are about changes of the plan and of the payment method. */
const MID = '2027-02-14T10:00:00.000Z';
const BEFORE_DUE = '2027-02-28T00:00:00.000Z';
const AFTER_DUE = '2027-02-28T12:00:00.000Z';
const DUE = '2027-02-28T10:00:00.000Z';
const NEXT_DUE = '2027-03-31T10:00:00.000Z';
const WEEK: Period = { value: 1, unit: 'week' };
const month: Period = { value: 1, unit: 'month' };
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const platinum = { planId: 'plan_2', price: usd('1999'), period: month };
const silver = { planId: 'plan_3', price: usd('499'), period: month };
const RENEWED = ['payment.succeeded', 'subscription.payment_succeeded'];
const FAILED = ['payment.failed', 'subscription.payment_failed'];
const CHANGED = ['payment.succeeded', 'subscription.updated'];

/** A subscription that was bought by a method, and has come to a moment. */
function lifeAt(now: string, paymentMethod = 'pm_ok', trial: Period | null = null): Life {
  const life = new Life(trial);
  life.pay(paymentMethod);
  if (paymentMethod === 'pm_pending') life.settlePending();
  life.advance(now);
  life.sent();
  return life;
}

/** The amount paid by a payment webhook. */
const totals = (life: Life) =>
  life
    .messages()
    .map(({ body }) => (JSON.parse(body) as { data: { total?: string } }).data.total ?? '');

describe('an active subscription', () => {
  it('changes to a dearer plan at once, for the difference', () => {
    const life = lifeAt(MID);
    expect(life.change(platinum)).toBeUndefined();
    expect(life.subscription()).toMatchObject({ planId: 'plan_2', currentPeriodEnd: DUE });
    expect(life.changeLink().status).toBe('completed');
    const [paid] = totals(life);
    expect(paid).toBe('5.00');
    life.advance(DUE);
    expect(totals(life)).toEqual(['19.99', '']);
  });

  it('begins a period anew with the change', () => {
    const life = lifeAt(MID);
    life.change(platinum, 'pm_ok', { restartsPeriod: true });
    expect(life.subscription()).toMatchObject({
      currentPeriodEnd: '2027-03-14T10:00:00.000Z',
      billingAnchor: MID,
    });
    life.advance('2027-03-14T10:00:00.000Z');
    expect(life.sent()).toEqual([...CHANGED, ...RENEWED]);
  });

  it('changes to a cheaper plan when the period is over, and then pays its price', () => {
    const life = lifeAt(MID);
    life.change(silver);
    expect([life.sent(), life.subscription().planId]).toEqual([[], 'plan_1']);
    life.advance(DUE);
    expect(life.subscription()).toMatchObject({ planId: 'plan_3', currentPeriodEnd: NEXT_DUE });
    const messages = life.messages();
    expect(messages.map(({ type }) => type)).toEqual(['subscription.updated', ...RENEWED]);
    expect(messages[1]?.body).toContain('"total":"4.99"');
  });

  it('keeps its plan when it is canceled before, also once that is taken back', () => {
    const life = lifeAt(MID);
    life.change(silver);
    life.cancel();
    life.reactivate();
    life.advance(DUE);
    expect(life.subscription().planId).toBe('plan_1');
    expect(life.sent()).toEqual(['subscription.canceled', 'subscription.reactivated', ...RENEWED]);
  });

  it('takes another payment method without a charge', () => {
    const life = lifeAt(MID);
    life.change(null, 'pm_renewal_declines');
    expect(life.sent()).toEqual([]);
    expect(life.subscription().paymentMethod).toBe('pm_renewal_declines');
    expect(life.changeLink().status).toBe('completed');
  });
});

describe('a change whose charge is pending', () => {
  it('lets nothing else be charged or changed, and happens with the late capture', () => {
    const life = lifeAt(BEFORE_DUE);
    life.change(platinum, 'pm_pending');
    expect([life.change(null), life.change(silver), life.change(platinum)]).toEqual(
      Array(3).fill('subscription/charge_pending'),
    );
    life.advance(AFTER_DUE);
    expect(life.sent()).toEqual([]);
    life.settlePending();
    expect(life.sent()).toEqual(CHANGED);
    life.advance('2027-02-28T12:00:01.000Z');
    expect(totals(life)).toEqual([]);
    life.settlePending();
    expect(totals(life)).toEqual(['19.99', '']);
  });

  it('is given up after a day: the renewal is charged then, and a late capture goes back', () => {
    const life = lifeAt(BEFORE_DUE);
    life.change(platinum, 'pm_pending');
    life.advance('2027-03-01T00:00:00.000Z');
    expect(life.sent()).toEqual(['payment.failed', ...RENEWED]);
    expect(life.changeLink().status).toBe('open');
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
    expect(life.subscription()).toMatchObject({ status: 'active', planId: 'plan_1' });
  });

  it.each([
    ['canceled', true],
    ['expired', false],
  ])('is given back when the subscription is %s by then', (status, atPeriodEnd) => {
    const life = lifeAt(MID);
    life.change(platinum, 'pm_pending');
    life.cancel(atPeriodEnd);
    life.sent();
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
    expect(life.subscription()).toMatchObject({ status, planId: 'plan_1' });
    expect(life.changeLink().status).toBe('open');
  });
});

describe('a subscription that is past due', () => {
  const pastDue = () => {
    const life = lifeAt(DUE, 'pm_renewal_declines');
    expect(life.status()).toBe('past_due');
    return life;
  };

  it('stays so when that is declined, and no retry is lost', () => {
    const life = pastDue();
    life.change(null, 'pm_decline_do_not_honor');
    expect(life.sent()).toEqual(['payment.failed']);
    expect(life.subscription()).toMatchObject({
      status: 'past_due',
      dunning: { failedAttempts: 1 },
    });
    life.advance('2027-03-01T10:00:00.000Z');
    expect(life.sent()).toEqual(FAILED);
  });
});

describe('a subscription on trial', () => {
  it('that ends declined is past due, and then expires', () => {
    const life = lifeAt('2027-02-07T10:00:00.000Z', 'pm_renewal_declines', WEEK);
    // Nothing was charged before: the first charge is captured.
    expect(life.status()).toBe('active');
    const poor = lifeAt('2027-02-02T10:00:00.000Z', 'pm_decline_insufficient_funds', WEEK);
    poor.advance('2027-02-07T10:00:00.000Z');
    expect([poor.sent(), poor.status()]).toEqual([FAILED, 'past_due']);
    poor.advance('2027-02-09T10:00:00.000Z');
    expect(poor.sent()).toEqual([...FAILED, ...FAILED, 'subscription.expired']);
  });
});
