import { describe, expect, it } from 'vitest';
import type { Period } from '#domain/calendar';
import { accessEndsAt } from '#domain/subscription';
import { Life } from './stories/life.js';

const DUE = '2027-02-28T10:00:00.000Z';
const GRACE_END = '2027-03-02T10:00:00.000Z';
const BEFORE_GRACE_END = '2027-03-02T09:59:59.999Z';
const NEXT_DUE = '2027-03-31T10:00:00.000Z';
/** When the gateway has not answered the first attempt within the bound. */
const UNANSWERED = '2027-01-31T10:00:10.000Z';
const WEEK: Period = { value: 1, unit: 'week' };

const RENEWED = ['payment.succeeded', 'subscription.payment_succeeded'];
const FAILED = ['payment.failed', 'subscription.payment_failed'];

describe('a checkout', () => {
  it('whose first payment is captured starts an active subscription', () => {
    const life = buy('pm_ok');
    expect(life.sent()).toEqual(['payment.succeeded', 'subscription.created']);
    expect(life.status()).toBe('active');
    expect(life.link().status).toBe('completed');
  });

  it('of a plan with a trial starts one without a payment', () => {
    const life = buy('pm_ok', WEEK);
    expect(life.sent()).toEqual(['subscription.created']);
    expect(life.subscription()).toMatchObject({
      status: 'active',
      trialEnd: '2027-02-07T10:00:00.000Z',
    });
    life.advance('2027-02-07T10:00:00.000Z');
    expect(life.sent()).toEqual(RENEWED);
    expect(life.subscription().currentPeriodEnd).toBe('2027-03-07T10:00:00.000Z');
  });

  it('that is declined leaves no subscription, and the link can be paid again', () => {
    const life = buy('pm_decline_do_not_honor');
    expect(life.sent()).toEqual(['payment.failed']);
    expect(life.status()).toBe('none');
    expect(life.link().status).toBe('open');
    life.pay('pm_renewal_declines');
    expect(life.sent()).toEqual(['payment.succeeded', 'subscription.created']);
  });

  it('that is pending at the gateway starts one with the later notice', () => {
    const life = buy('pm_pending');
    expect(life.sent()).toEqual([]);
    life.pay('pm_ok');
    expect(life.sent()).toEqual([]);
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'subscription.created']);
  });

  it('that stays pending can be paid by another method, and the late capture is given back', () => {
    const life = buy('pm_pending');
    life.pay('pm_ok', UNANSWERED);
    expect(life.sent()).toEqual(['payment.succeeded', 'subscription.created']);
    const [, second] = life.link().attempts;
    expect(life.link()).toMatchObject({ status: 'completed', paidBy: second?.paymentId });
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
    expect(life.subscription()).toMatchObject({ status: 'active', messageCount: 2 });
    life.settlePending();
    expect(life.sent()).toEqual([]);
  });

  it('that stays pending for a day has failed, and a late capture is given back', () => {
    const life = buy('pm_pending');
    life.giveUpPending();
    expect(life.sent()).toEqual(['payment.failed']);
    expect([life.status(), life.link().status]).toEqual(['none', 'open']);
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
    expect([life.status(), life.link().status]).toEqual(['none', 'open']);
    life.pay('pm_ok');
    expect(life.sent()).toEqual(['payment.succeeded', 'subscription.created']);
  });

  it('that stays pending and was replaced is given back though the other method was declined', () => {
    const life = buy('pm_pending');
    life.pay('pm_decline_do_not_honor', UNANSWERED);
    expect(life.sent()).toEqual(['payment.failed']);
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
    expect([life.status(), life.link().status]).toEqual(['none', 'open']);
    life.pay('pm_ok', UNANSWERED);
    expect(life.sent()).toEqual(['payment.succeeded', 'subscription.created']);
  });

  it('that is completed again gives the same subscription', () => {
    const life = buy('pm_ok');
    life.sent();
    life.pay('pm_ok');
    expect(life.sent()).toEqual([]);
    expect(life.link().attempts).toHaveLength(1);
  });
});

describe('an active subscription', () => {
  it('is renewed, period after period', () => {
    const life = begin('pm_ok');
    life.advance(DUE);
    expect(life.sent()).toEqual(RENEWED);
    life.advance('2028-02-01T00:00:00.000Z');
    expect(life.sent()).toEqual(Array(11).fill(RENEWED).flat());
    expect(life.subscription()).toMatchObject({
      status: 'active',
      currentPeriodEnd: '2028-02-29T10:00:00.000Z',
    });
  });

  it('that has no outcome at the end of grace fails and ends; a late capture goes back', () => {
    const life = buy('pm_pending');
    life.settlePending();
    life.sent();
    life.advance(BEFORE_GRACE_END);
    expect([life.status(), life.sent()]).toEqual(['active', []]);
    life.advance(GRACE_END);
    expect([life.status(), life.sent()]).toEqual(['expired', [...FAILED, 'subscription.expired']]);
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
    expect(life.subscription()).toMatchObject({ currentPeriodEnd: DUE, periodsPaid: 1 });
    life.settlePending();
    expect(life.sent()).toEqual([]);
  });

  it('stays active while its charge is pending, and is settled by the later notice', () => {
    const life = buy('pm_pending');
    life.settlePending();
    life.sent();
    life.advance(BEFORE_GRACE_END);
    expect([life.status(), life.sent()]).toEqual(['active', []]);
    expect(accessEndsAt(life.subscription())).toBe(GRACE_END);
    life.settlePending();
    expect(life.sent()).toEqual(RENEWED);
    expect(life.subscription().currentPeriodEnd).toBe(NEXT_DUE);
  });
});

describe('a canceled or expired subscription', () => {
  it.each([
    ['canceled', true],
    ['expired', false],
  ])('(%s) gives a late capture back, and stays what it is', (status, atPeriodEnd) => {
    const life = buy('pm_pending');
    life.settlePending();
    life.advance(DUE);
    life.cancel(atPeriodEnd);
    life.sent();
    life.settlePending();
    expect(life.sent()).toEqual(['payment.succeeded', 'payment.refunded']);
    expect(life.status()).toBe(status);
  });

  it.each([
    ['won', ['dispute.closed', 'payment.refunded']],
    ['lost', ['dispute.closed']],
  ])('gives a late capture back that is disputed by then: %s', (outcome, sent) => {
    const life = buy('pm_pending');
    life.settlePending();
    life.advance(DUE);
    life.cancel(false);
    life.disputeNextCapture();
    life.sent();
    life.settlePending();
    expect(life.sent().sort()).toEqual(['dispute.opened', 'payment.succeeded']);
    life.closeDispute(outcome === 'won');
    expect(life.sent()).toEqual(sent);
  });

  it('gives a late capture back whose refund the gateway refused for a dispute, once that is won', () => {
    const life = buy('pm_pending');
    life.settlePending();
    life.advance(DUE);
    life.cancel(false);
    life.disputeNextRefund();
    life.sent();
    life.settlePending();
    expect(life.sent().sort()).toEqual(['dispute.opened', 'payment.succeeded']);
    life.closeDispute(true);
    expect(life.sent()).toEqual(['dispute.closed', 'payment.refunded']);
  });
});

/** A subscription that was bought, its first webhooks read. */
function begin(paymentMethod: string): Life {
  const life = buy(paymentMethod);
  life.sent();
  return life;
}

function buy(paymentMethod: string, trial: Period | null = null): Life {
  const life = new Life(trial);
  life.pay(paymentMethod);
  return life;
}
